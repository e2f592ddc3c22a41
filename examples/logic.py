"""Write pairs of propositional formulas as JSONL, with the relation between them, one of seven, as the class.

Source: Samuel R. Bowman, Christopher D. Manning and Christopher Potts, "Tree-Structured Composition in Neural Networks without
Tree-Structured Architectures", NIPS Workshop on Cognitive Computation 2015. Six variables, the operators not, and, or; trained
on up to 4 operators and tested on up to 12, as there; labels are computed by truth tables.

    python examples/logic.py logic.jsonl
    treesmu train logic.jsonl --task compare --model tree-smu --out runs/logic
"""

from command_line import run_example

from treesmu.generate.other_trees.logic import LogicSettings, rows

if __name__ == "__main__":
    run_example(__doc__, LogicSettings, rows)
