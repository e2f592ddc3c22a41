"""The ranks that a model gives to the answers of blanks, by depth, as a table."""

from __future__ import annotations

from typing import Any

from .verification import percent

RANKS = ("raw", "class", "collapse", "true")


def table(measures: dict[str, Any]) -> str:
    """Return one line per depth with shares in per cent, then all blanks, intervals, with the prior, the prior, and remarks."""
    overall = measures["overall"]
    names = [name for name in RANKS if name in overall]
    lines = [
        f"{'':13}" + "".join(f"  {name:^20}" for name in names).rstrip(),
        f"depth  blanks{'  top-1  top-5    MRR ' * len(names)}".rstrip(),
    ]
    rows = [*measures["by_depth"].items(), ("all", overall)]
    lines += [f"{depth:>5}  {row['blanks']:>6,}{_shares(row, names)}" for depth, row in rows]
    lines.append(f"{'±':>13}{_half_intervals(overall, names)}")
    lines += [f"{key.replace('_', ' '):>13}{_shares(overall[key], names)}" for key in ("with_prior", "prior") if key in overall]
    return "\n".join(lines + _remarks(measures))


def _remarks(measures: dict[str, Any]) -> list[str]:
    overall, candidates, left_out = measures["overall"], measures["candidates"], measures["left_out"]
    remarks = [
        f"{candidates['fillers']:,} candidates in {candidates['classes']:,} classes; prior: {measures['prior']}; "
        "±: half of the 95% interval"
    ]
    if "with_prior" in overall:
        formula = f"logit + {measures['weight']:g} * log(1 + count of the value in its training)"
        remarks.append(f"with prior: the model's default ranking, {formula}; the lines above it: logits alone")
    if any(left_out.values()):
        remarks.append(
            f"left out, since the model's vocabulary does not have all of their symbols: {left_out['blanks']:,} blanks, "
            f"{left_out['candidates']:,} candidates"
        )
    if overall["no_candidate"]:
        remarks.append(f"{overall['no_candidate']:,} answers are not among the candidates, and count as not found")
    if "verified" in overall:
        remarks.append(
            f"a true filler among the first {measures['search']:,}: {percent(overall['verified'])}% of the "
            f"{overall['holds']:,} blanks whose original equation is correct"
        )
    return remarks


def _shares(row: dict[str, Any], names: list[str]) -> str:
    values = [value for name in names for value in (row[name]["top"][0], row[name]["top"][4], row[name]["mrr"])]
    return _columns(values)


def _half_intervals(row: dict[str, Any], names: list[str]) -> str:
    intervals = [pair for name in names for pair in (*row[name]["top_interval"][:5:4], row[name]["mrr_interval"])]
    return _columns([(high - low) / 2 for low, high in intervals])


def _columns(values: list[float]) -> str:
    return "".join(f"{percent(value):>7}{' ' if k % 3 == 2 else ''}" for k, value in enumerate(values)).rstrip()
