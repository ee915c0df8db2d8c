"""Between the engine's values and the words of the contract, in both directions."""
