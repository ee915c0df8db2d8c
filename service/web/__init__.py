"""Pages for people: what a browser shows of the rules and the problems."""
