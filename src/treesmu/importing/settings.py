"""ImportSettings: what is done with labels, bad lines and splits when files are imported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from treesmu.errors import DataError

BadLines = Literal["skip", "refuse"]
Disagreements = Literal["keep", "drop", "correct"]
Overlap = Literal["keep", "drop"]


@dataclass(frozen=True)
class ImportSettings:
    """The settings of an import; they are part of the manifest."""

    seed: int = 0  # of the splits
    validation: float = 0.1  # share of the training equations that is set apart, where no file is named validation
    test: float = 0.1
    equation: str | None = None  # the column of equations, or those of the two sides: LEFT,RIGHT; None: guessed
    label: str | None = None  # the column of labels; None: guessed
    check: bool = False  # whether labels that are given are compared with the numeric check
    disagreements: Disagreements = "keep"  # what is done with a label that the check contradicts
    bad_lines: BadLines = "skip"
    overlap: Overlap = "keep"  # training equations that are in a validation or test file as well
    listed: int = 20  # how many lines of each kind are listed

    def __post_init__(self) -> None:
        choices = {"disagreements": Disagreements, "bad_lines": BadLines, "overlap": Overlap}
        for name, kind in choices.items():
            if (value := getattr(self, name)) not in get_args(kind):
                option = name.replace("_", "-")
                raise DataError(f"--{option} {value}: unknown; known: {', '.join(get_args(kind))}")
        if self.disagreements != "keep" and not self.check:
            raise DataError(f"--disagreements {self.disagreements}: add --check, which finds them")
        if min(self.validation, self.test) < 0 or self.validation + self.test >= 1:
            raise DataError(f"--validation {self.validation} --test {self.test}: shares from 0, together below 1")
