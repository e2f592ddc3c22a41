"""The way of the original generator: pools of equations that grow from a few basic identities."""
