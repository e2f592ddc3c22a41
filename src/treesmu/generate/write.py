"""Write the tables, the manifest and the dataset card of a generated corpus."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa

from treesmu.data.corpus.card import CardText, write_card
from treesmu.parquet_files import describe_table

from .blanks import write_questions, write_table
from .columns import EquationColumns
from .settings import BLANK_DEPTHS, PRESETS, CorpusSettings, corpus_settings
from .splits import GeneratedCorpus

_EQUATIONS = {
    "prefix": pa.string(),
    "infix": pa.string(),
    "label": pa.int8(),
    "depth": pa.int16(),
    "size": pa.int32(),
    "chain": pa.int64(),
    "split": pa.string(),
    "kind": pa.string(),
}


def write_corpus(corpus: GeneratedCorpus, folder: Path, version: str) -> dict[str, Any]:
    """Write all tables, the manifest and the dataset card into a folder; return the manifest."""
    for name, split in corpus.splits.items():
        write_table(folder / f"{name}.parquet", _table(split.rows, name))
    rows, settings = corpus.splits["test"].rows, corpus.settings
    rng = Random(f"{settings.seed}/blanks")
    write_questions(folder, rows, corpus.splits["train"].rows.prefix, settings.blanks_per_depth, BLANK_DEPTHS, rng)
    manifest = _manifest(corpus, folder, version)
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    write_card(folder, card_text(corpus.settings, version))
    return manifest


def _table(rows: EquationColumns, split: str) -> pa.Table:
    order = sorted(range(len(rows)), key=rows.depth.__getitem__)
    values: dict[str, list[Any]] = {**vars(rows), "split": [split] * len(rows)}
    return pa.table({name: pa.array([values[name][i] for i in order], kind) for name, kind in _EQUATIONS.items()})


def _manifest(corpus: GeneratedCorpus, folder: Path, version: str) -> dict[str, Any]:
    counts: dict[str, dict[str, dict[str, int]]] = {}
    padding: Counter[int] = Counter()
    size: Counter[int] = Counter()
    for name, split in corpus.splits.items():
        rows = split.rows
        found = Counter(zip(rows.depth, rows.label, strict=True))
        counts[name] = {str(d): {str(label): found[d, label] for label in (1, 0)} for d in sorted(set(rows.depth))}
        for d, nodes, padding_nodes in zip(rows.depth, rows.size, rows.padding, strict=True):
            size[d] += nodes
            padding[d] += padding_nodes
    return {
        "version": version,
        "preset": corpus.settings.preset,
        "seed": corpus.settings.seed,
        "settings": corpus.settings.model_dump(mode="json"),
        "wanted": {name: sum(split.wanted.values()) for name, split in corpus.splits.items()},
        "own_axioms": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in corpus.settings.axiom_files},
        "counts": counts,
        "undecided": {str(d): round(corpus.undecided[d] / n, 4) for d, n in sorted(corpus.proposed.items())},
        "padding": {str(d): round(padding[d] / n, 4) for d, n in sorted(size.items())},
        "files": {path.name: describe_table(path) for path in sorted(folder.glob("*.parquet"))},
    }


# -- the dataset card ----------------------------------------------------------------------------------------------------

_LABELS = (
    "A label is the verdict of treesmu's numeric check, never that of the process that made the equation: `1` (correct) if "
    "both sides are equal at every sampled real point where both are defined, `0` (incorrect) if they differ at one. "
    "Equations that the check could not decide are not in the corpus."
)
_LIMITS = (
    "The check samples points; it is not a proof. `treesmu data audit FOLDER` checks a sample again with mpmath and SymPy.",
    "Equations are over the real numbers, in elementary functions. They are synthetic, and look less tidy than those of books.",
    "No equation is in two splits, up to names of variables and order of terms and sides; but all use the same identities.",
    "There are few different equations of depth 1 and 2, so these depths may have fewer rows than the others.",
    "A share of the labels can be guessed from counts of tokens alone; `treesmu data stats FOLDER --probe` measures it.",
)
_KINDS = (
    "`kind` says how an equation was made: `rewrite` (an identity, rewritten by identities), `near-miss` (one small change "
    "early, then the same rewriting), `mutation` (a changed node of a finished equation), `numeric` (a function of numbers)."
)
_FURTHER_KINDS = {
    "slip": "`slip`: a mistake that people make (a lost cross term, a wrong sign, linearity where there is none), rewritten.",
    "filler": "`filler`: a correct equation in which a leaf, or a function of leaves, is replaced by another.",
}
_POOLS = (
    "Made in the way of the generator behind the Tree-SMU paper, to measure what its data are like; for fair data take another "
    "preset. Pools of equations grow from basic identities, one rewriting at a time, mostly on one side and mostly by padding. "
    "{test} `kind` says how an equation was made: `rewrite` (derived in a pool), `mutation` (the same with one changed node)."
)
_DERIVED = (
    "A label says how an equation was made, as in the original: `1` if it was derived, `0` if it was changed and is not proved "
    "equal. Some steps are unsound and the proof is weak, so **some labels are wrong**; `treesmu data stats FOLDER --beside "
    "OTHER` measures how many. `--labels checked` makes the same corpus with labels that are checked."
)
_POOL_LIMIT = (
    "No equation is in two splits, but an equation of the test set may be one of the training set with its terms in another "
    "order, and most have a side that occurs in the training set."
)
_RANGES = ("depths", "test_depths")
_SINGLE = ("train_size", "validation_size", "per_depth", "numeric", "labels", "test_pools")
_WITHOUT_OPTION = (
    *("way", "first_occurrence", "shallow_share", "correct_share", "blanks_per_depth"),
    *("pool_size", "test_pool_size", "wrong_causes"),
)


def card_text(settings: CorpusSettings, version: str) -> CardText:
    """Return the text of the card of a corpus with these settings."""
    origin = (
        f"With treesmu {version} by the following command. The same seed gives the same bytes, for any number of processes.\n\n"
        f"    {generate_command(settings)}\n\n{_further_settings(settings)}{_how(settings)}"
    )
    title = f"Equations of treesmu, preset {settings.preset}, seed {settings.seed}"
    labels, limits = (_LABELS, _LIMITS) if settings.way == "chains" else _of_pools(settings)
    return CardText(title, origin, labels, limits, version, license="mit")


def _how(settings: CorpusSettings) -> str:
    """Return how the equations were made."""
    if settings.way == "pools":
        same, larger = "pools like those of the training set", "larger pools, which seek deep equations"
        return _POOLS.format(test=f"The test set comes from {same if settings.test_pools == 'same' else larger}.")
    kinds = " and ".join(dict.fromkeys((*settings.negatives, *settings.test_negatives)))
    used = [text for kind, text in _FURTHER_KINDS.items() if kind in (*settings.negatives, *settings.test_negatives)]
    return (
        f"Identities of the families {', '.join(settings.families)} were instantiated and rewritten by random sound steps. "
        f"Incorrect equations are {kinds} equations. {' '.join([_KINDS, *used])}"
    )


def _of_pools(settings: CorpusSettings) -> tuple[str, tuple[str, ...]]:
    """Return what a card says of the labels and the limits of a corpus made by pools."""
    limits = (*(limit for limit in _LIMITS if not limit.startswith("No equation")), _POOL_LIMIT)
    return (_LABELS, limits) if settings.labels == "checked" else (_DERIVED, limits[1:])


def generate_command(settings: CorpusSettings) -> str:
    """Return the command that generates a corpus with these settings, apart from those that have no option."""
    usual = _of_preset(settings)
    words = ["treesmu", "generate", "FOLDER", "--preset", usual.preset, "--seed", str(settings.seed)]
    for name in _SINGLE:
        if (value := getattr(settings, name)) != getattr(usual, name):
            words += [_option(name), str(value)]
    for name in _RANGES:
        if (value := getattr(settings, name)) != getattr(usual, name):
            words += [_option(name), f"{value[0]}-{value[1]}"]
    if (settings.families, settings.weights) != (usual.families, usual.weights):
        weights = dict(settings.weights)
        families = (f"{name}:{weights[name]}" if name in weights else name for name in settings.families)
        words += ["--families", ",".join(families)]
    for path in settings.axiom_files:
        words += ["--axioms", path.name]
    if settings.closed != usual.closed:
        words += ["--close", ",".join(settings.closed)]
    if (settings.negatives, settings.test_negatives) != (usual.negatives, usual.test_negatives):
        words += ["--negatives", ",".join(settings.negatives), "--test-negatives", ",".join(settings.test_negatives)]
    return shlex.join(words)


def _further_settings(settings: CorpusSettings) -> str:
    usual = _of_preset(settings)
    changed = [f"`{n} = {getattr(settings, n)}`" for n in _WITHOUT_OPTION if getattr(settings, n) != getattr(usual, n)]
    changed += [
        f"`{family}` chosen {weight} times as often" for family, weight in settings.weights if family not in settings.families
    ]
    return f"It was made from Python, with {', '.join(changed)} besides.\n\n" if changed else ""


def _of_preset(settings: CorpusSettings) -> CorpusSettings:
    return corpus_settings(settings.preset if settings.preset in PRESETS else "quick")


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")
