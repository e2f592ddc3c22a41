"""The compiled pass: the hand-written steps once more, a whole forest in one call, compiled by Numba when it is first used."""
