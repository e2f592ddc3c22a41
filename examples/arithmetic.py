"""Write boolean formulas, or sums and products modulo a number, as JSONL, with the value as the class.

As many trees of every class at each depth, so that a constant answer is right with probability 1/classes at any depth. Trained
on depth 1-6 and tested on depth 1-14 by default (of boolean formulas 2-14: of depth 1 there are too few for a test, and of
depth 2 fewer than at other depths); --modulus 5 gives digits from 0 to 4 with +, - and *. The task is as old as
recursive networks; evaluation of nested arithmetic: Dieuwke Hupkes, Sara Veldhoen and Willem Zuidema, "Visualisation and
'Diagnostic Classifiers' Reveal How Recurrent and Recursive Neural Networks Process Hierarchical Structure", JAIR 2018.

    python examples/arithmetic.py boolean.jsonl
    treesmu train boolean.jsonl --task classify --model tree-smu --out runs/boolean
"""

from command_line import run_example

from treesmu.generate.other_trees.arithmetic import ArithmeticSettings, rows

if __name__ == "__main__":
    run_example(__doc__, ArithmeticSettings, rows)
