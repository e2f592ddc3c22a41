"""How many blanks the search by value and `complete --verified` answer.   Run: python benchmarks/search.py CORPUS

CORPUS: a folder with blanks.parquet (`treesmu generate`), or a file of the authors' blanks. Of every blank whose equation is
correct: whether the search alone (expr/search, no model) finds a filler that makes it correct, whether one with the value of
the original answer is among the first five, whether `treesmu complete --verified` with the shipped model (or --model FILE)
finds one, and the processor time of each. Every filler that is found is confirmed by the numeric check. --search-only leaves
out `complete --verified`, which takes several times as long because the model ranks all candidates first.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path

import torch

import treesmu
from treesmu.data import Blanks
from treesmu.expr import Expr, TreePath
from treesmu.expr.numeric.equal_classes import equal_classes
from treesmu.expr.search.fillers import find_fillers
from treesmu.models.completion.candidates import Offer
from treesmu.models.completion.completions import complete

Row = tuple[Expr, Expr, TreePath]  # the correct equation, the question, the path of its blank


def has_same_value(answer: Expr, fillers: list[Expr]) -> bool:
    """Return whether one of the fillers has the value of the answer."""
    first, *others = equal_classes([answer, *fillers])
    return first in others


class Tally:
    """How often something was found, and how long it took."""

    def __init__(self) -> None:
        self.found, self.seconds = 0, list[float]()

    def add(self, found: bool, began: float) -> None:
        self.found += found
        self.seconds.append(time.process_time() - began)

    def facts(self, blanks: int) -> dict[str, float]:
        longest = sorted(self.seconds)
        return {
            "found": self.found,
            "percent": round(100 * self.found / blanks, 2),
            "mean_seconds": round(statistics.fmean(longest), 3),
            "seconds_of_95_percent": round(longest[int(0.95 * (len(longest) - 1))], 3),
            "longest": round(longest[-1], 3),
        }


def measure(equations: list[Row], model: treesmu.models.Model, search_only: bool) -> dict[str, object]:
    """Return what was found."""
    search, answered, verified = Tally(), 0, Tally()
    for number, (e, question, path) in enumerate(equations):
        offer = Offer.of(model, question, False, False)
        began = time.process_time()
        found = find_fillers(question, path, offer.leaves, offer.functions, offer.numbers)
        search.add(bool(found), began)
        answered += has_same_value(e.at(path), [one.fillers[0] for one in found]) if found else False
        if not search_only:
            began = time.process_time()
            verified.add(bool(complete(model, question, top=1, verified=True)), began)
        if not found:
            print(f"not found: {question}   (answer: {e.at(path)})", flush=True)
        if (number + 1) % 50 == 0:
            print(f"{number + 1} of {len(equations)}", flush=True)
    blanks = len(equations)
    answers = {"with_value_of_answer": answered, "percent_of_answers": round(100 * answered / blanks, 2)}
    found = {"blanks": blanks, "search": search.facts(blanks) | answers}
    return found if search_only else found | {"complete --verified": verified.facts(blanks)}


def spread(rows: list[Row], count: int | None) -> list[Row]:
    """Return this many rows, evenly spaced, so that all depths occur; all rows if there are no more."""
    if count is None or count >= len(rows):
        return rows
    return [rows[k * len(rows) // count] for k in range(count)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("   Run:")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--blanks", type=int, help="only N of them, evenly spaced")
    parser.add_argument("--search-only", action="store_true", help="without complete --verified")
    parser.add_argument("--model", type=Path, help="instead of the shipped one")
    given = parser.parse_args()
    torch.set_num_threads(1)  # as the commands do
    blanks = Blanks.read(given.corpus)
    rows = spread(list(zip(blanks.equations, blanks.questions(), blanks.paths, strict=True)), given.blanks)
    labels = [verdict.label for verdict in treesmu.expr.check_many([e for e, _, _ in rows])]
    correct = [row for row, label in zip(rows, labels, strict=True) if label == "correct"]
    model = treesmu.load(given.model) if given.model else treesmu.load()
    print(json.dumps(measure(correct, model, given.search_only), indent=2))


if __name__ == "__main__":
    main()
