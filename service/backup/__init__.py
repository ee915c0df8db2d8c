"""Backups: everything that is kept as lines of a file, and back. No request can reach this."""
