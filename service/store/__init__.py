"""Where games are kept: the protocol, and its one implementation on Redis or Valkey."""
