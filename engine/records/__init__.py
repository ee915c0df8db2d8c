"""Whole games written down: as records, which are verified, and as text."""
