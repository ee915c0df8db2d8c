"""A Valkey of one's own, on a folder of one's own."""
