"""A preset of the study elsewhere that takes a moment."""

ELSEWHERE = """
[corpora.listops]
trees = "listops"
train = 60
validation = 10
test = 4
train_depths = [1, 2]
test_depths = [1, 4]

[corpora.logic]
trees = "logic"
train = 20
validation = 4
test = 4
test_operators = [1, 6]

[training.trees]
epochs = 1
cell = { hidden = 5 }

[studies.elsewhere]
corpora = ["listops", "logic"]
models = ["lstm", "tree-lstm", "tree-smu"]
seeds = [1, 2]
changes = { listops = { most_children = 2 }, lstm = { learning_rate = 0.001 } }
"""
