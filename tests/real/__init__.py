"""What the official Python SDK's server really answers, captured over stdio and HTTP."""
