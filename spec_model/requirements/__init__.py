"""The catalogue of requirements, the open questions, and the choices."""
