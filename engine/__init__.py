"""The game of Persian Rummy as pure values: no clock, no dice, no log, no await.

Read `cards`, `melds`, `state`, `rules` and `play` in this order to know the game;
`game` strings deals together and `view` says who may see what.
"""
