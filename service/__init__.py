"""The HTTP service in front of the engine, and the store behind it."""
