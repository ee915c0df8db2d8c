"""Judging positions that somebody tells: what is wrong with them, and what may be done there."""
