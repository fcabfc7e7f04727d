"""Sans-I/O reference implementations, built only from the rules."""
