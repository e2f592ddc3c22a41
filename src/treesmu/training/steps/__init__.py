"""What a step of training needs besides gradients: its learning rate, the average of the weights, and a fast process."""
