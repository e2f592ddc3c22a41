"""Functions that Numba compiles: the steps of the cells, and what they are made of."""
