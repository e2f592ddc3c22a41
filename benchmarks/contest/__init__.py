"""What benchmarks/batching.py races: the equations, our encoder, one tree at a time, the peers, and the growth of cost."""
