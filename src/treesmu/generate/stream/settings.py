"""Settings of a stream: everything that the equations of a part depend on, besides its number."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import ValidationError

from treesmu.errors import DataError, one_line
from treesmu.json_files import read_json

from ..axioms import FAMILIES, Axiom, AxiomError, collect_axioms, read_files
from ..settings import LARGEST_WEIGHT, CorpusSettings
from ..textbook.rows import DEEPEST

Source = Literal["numeric", "textbook", "published", "filler", "mutation", "slip", "near-miss"]
# In the order in which a part is filled: what the first cannot give (few equations are numeric) comes from the next.
SOURCES: tuple[Source, ...] = get_args(Source)
_SHALLOW: dict[str, int] = {"numeric": DEEPEST, "textbook": DEEPEST}  # sources of shallow equations only
_REMEDY = "a stream needs the settings of a generated corpus: treesmu generate"


@dataclass(frozen=True)
class StreamSettings:
    """What a part of a stream depends on."""

    seed: int
    rows: int  # of a part
    depths: tuple[int, int]
    mixture: tuple[tuple[Source, float], ...]  # sources and their weights, in the order in which a part is filled
    corpus: CorpusSettings  # families, their weights, names of variables, pools
    extra_axioms: tuple[tuple[str, str], ...] = ()  # (name, text) of the corpus's own files of identities

    def axioms(self) -> tuple[Axiom, ...]:
        """Return the identities that equations are made from."""
        return collect_axioms(self.corpus.families, self.extra_axioms, self.corpus.weights)

    def identity(self) -> dict[str, Any]:
        """Return everything as plain JSON, for settings.json."""
        corpus = self.corpus.model_dump(mode="json", include={"families", "weights", "first_occurrence", "pool_size", "closed"})
        own = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in self.extra_axioms}
        mixture = dict(self.mixture)
        return {"rows": self.rows, "depths": list(self.depths), "mixture": mixture, **corpus, "own_axioms": own}


def stream_settings(
    corpus: Path, seed: int, rows: int, depths: tuple[int, int] | None = None, mixture: Mapping[str, float] | None = None
) -> StreamSettings:
    """Return the settings of a stream beside a corpus; depths and mixture are by default those of its training equations."""
    made = _corpus_settings(corpus)
    depths = depths or made.depths
    chosen = _checked_mixture(mixture or _mixture_of(made), depths)
    try:
        extra_axioms = read_files(made.axiom_files)
    except AxiomError as error:
        raise DataError(f"{corpus}: {one_line(error)}") from None
    if not made.families and not extra_axioms:  # pools have identities of their own, the other sources need some
        made = made.model_copy(update={"families": FAMILIES})
    if rows < 2:
        raise DataError(f"rows {rows}: a part of a stream has at least 2 equations, half of them correct")
    return StreamSettings(seed, rows, depths, chosen, made, extra_axioms)


def _corpus_settings(corpus: Path) -> CorpusSettings:
    path = corpus / "manifest.json"
    content = read_json(path, _REMEDY)
    try:
        return CorpusSettings(**content["settings"])
    except ValidationError as error:
        raise DataError(f"{path}: settings of another version: {one_line(error)}; {_REMEDY}") from error
    except (LookupError, TypeError):
        raise DataError(f"{path}: has no settings of a generator; {_REMEDY}") from None


def _mixture_of(made: CorpusSettings) -> dict[str, float]:
    """Return the sources of a corpus's own training equations, with equal weights; numeric ones by their share."""
    sources: dict[str, float] = {"published": 1.0} if made.way == "pools" else dict.fromkeys(made.negatives, 1.0)
    if made.numeric:
        sources["numeric"] = made.numeric / (1 - made.numeric) * len(sources)
    return sources


def _checked_mixture(mixture: Mapping[str, float], depths: tuple[int, int]) -> tuple[tuple[Source, float], ...]:
    for name, weight in mixture.items():
        if name not in SOURCES:
            raise DataError(f"mixture: unknown source {name!r}; known: {', '.join(SOURCES)}")
        if not 0 < weight <= LARGEST_WEIGHT:
            raise DataError(f"mixture: the weight of {name} must be above 0 and at most {LARGEST_WEIGHT:g}, such as {name}:2")
        if depths[0] > _SHALLOW.get(name, depths[0]):
            raise DataError(f"mixture: {name} has equations of depth 1-{_SHALLOW[name]}, none of depth {depths[0]}-{depths[1]}")
    return tuple((name, mixture[name]) for name in SOURCES if name in mixture)
