"""What one request may ask for. All numbers are documented in docs/reference/api.md and sent to the page."""

from __future__ import annotations

CHARACTERS = 2_000  # of a text
NODES = 400  # of an expression
DEPTH = 100  # of an expression
TOP = 20  # fillers of a blank
NEIGHBOURS = 30  # similar expressions
ROWS = 100  # of the corpus
BODY = 32_768  # bytes of a request; a text of 2,000 escaped characters has 12,000
SECONDS = 10.0  # of processor time that one answer may take
CLOCK = 12  # times as many seconds by the clock end it too: a busy machine is slow, but nobody waits for ever
BACKGROUND_SECONDS = 180.0  # of processor time that one part of the work in the background may take
PATIENCE = 60.0  # seconds that a request waits for its turn, as long as PyTorch and the first model need to be loaded
REMEMBERED = 32 * 2**20  # bytes of answers that are kept for the next who asks the same
WAITING = 32  # requests that may wait for their turn
SHOWN_EQUAL = 5  # fillers of equal value that an answer names
