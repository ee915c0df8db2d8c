"""What happens at a table: no header, no status code, no JSON."""
