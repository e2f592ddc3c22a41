"""Commands that take a moment, in the folder of the fixture ``commands``; OUT stands for the folder that they write into."""

from __future__ import annotations

OUT = "OUT"
GENERATE = f"generate {OUT} --train-size 12 --validation-size 4 --per-depth 2 --depths 1-2 --test-depths 1-2 --jobs 1"
IMPORT = f"data import equations.csv --out {OUT} --jobs 1"
TRAIN = f"train corpus --model tree-rnn --hidden 3 --epochs 2 --batch 16 --checkpoint-seconds 0 --out {OUT} --resume"
SWEEP = f"sweep corpus --model tree-rnn --over cell.hidden=2,3 --epochs 1 --set batch=48 --out {OUT} --resume --jobs 1"
REPRODUCE = f"reproduce --preset tiny.toml --out {OUT} --resume --jobs 1"
REPORT = f"report {OUT}"
NAMES = {GENERATE: "generate", IMPORT: "import", TRAIN: "train", SWEEP: "sweep", REPRODUCE: "reproduce", REPORT: "report"}
CALLS = {  # of functions, roughly: a moment is drawn among them
    GENERATE: 1_000_000, IMPORT: 450_000, TRAIN: 200_000, SWEEP: 1_300_000, REPRODUCE: 3_000_000, REPORT: 1_500_000,
}  # fmt: skip


def words(command: str, out: object) -> list[str]:
    """Return the arguments of a command that writes into a folder."""
    return [str(out) if word == OUT else word for word in command.split()]


def makes_folder_at_once(command: str) -> bool:
    """Return whether a command gives its folder the name when everything is in it; the others fill it, and can be resumed."""
    return command in (GENERATE, IMPORT)
