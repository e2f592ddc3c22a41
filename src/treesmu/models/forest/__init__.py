"""How a cell is run over a whole forest, with gradients."""
