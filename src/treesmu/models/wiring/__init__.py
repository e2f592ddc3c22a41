"""From the states of children to the pre-activations of nodes: the weights of every function, and their products."""
