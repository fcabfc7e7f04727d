"""Messages as bytes and as values: JSON, the structs of the messages, lenient reading, strict writing."""
