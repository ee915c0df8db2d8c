"""What an operator sees of a running service: what it counts, and the traces of its requests."""
