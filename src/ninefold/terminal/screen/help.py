"""The keys, on the page behind the question mark."""

KEYS_OF_A_MATCH = """\
Keys
  digits        play, as the game names its cells; the board first, if asked
  arrows enter  play where the cursor is; once more on a cell: take none
  esc           back to the beginning of the move
  u             undo; on a server: offer to take back
  h             a hint
  l             digits of this game, or of the numpad
  t             show where somebody could win, or not
  a             analysis: values, variation, graph
  , . home end  look back and forward, to the first and to the latest
  s  d  r       say something, offer a draw (on a server), resign
  c             claim: pick cells, or a line by its number; then enter
  x  o  m       claim for X or for O; move where the cursor is, with the claim
  y  n  w       confirm or accept, dispute or decline, withdraw
  g             once more, with sides swapped
  f2            go on line by line, as screen readers need it
  f3            other colours
  e             leave; the game is kept
"""
