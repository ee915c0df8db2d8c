"""What `referee doctor` looks at, and what it says about it."""
