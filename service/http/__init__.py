"""HTTP as this service speaks it: what it reads, how strictly, and what a refusal looks like."""
