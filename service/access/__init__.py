"""Who may come in, as whom, and how often."""
