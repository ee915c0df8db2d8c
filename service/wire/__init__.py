"""The shapes of the wire: one struct for each component of the contract, under the same name."""
