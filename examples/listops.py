"""Write ListOps as JSONL: nested MAX, MIN, MED and SM (sum modulo 10) of digits, with the value, 0 to 9, as the class.

Source: Nikita Nangia and Samuel R. Bowman, "ListOps: A Diagnostic Dataset for Latent Tree Learning", NAACL Student Research
Workshop 2018. By default 90,000 trees for training and 10,000 for the test, as there, drawn in the same way, and 5,000 more
for validation. With --train-depths 1-4 --test-depths 1-10 --test 500 it becomes a test of generalisation to depth.

    python examples/listops.py listops.jsonl
    treesmu train listops.jsonl --task classify --model tree-lstm --set most_children=2 --out runs/listops
"""

from command_line import run_example

from treesmu.generate.other_trees.listops import ListOpsSettings, rows

if __name__ == "__main__":
    run_example(__doc__, ListOpsSettings, rows)
