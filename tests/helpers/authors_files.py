"""The record of one equation in the authors' format, and changes of it."""

from __future__ import annotations

import json
from typing import Any

from treesmu.data import Example
from treesmu.data.corpus.authors import loads

# sin(x) + 1 = 1, written by hand. Its tree:  Equality(Add(sin(x), 1), 1)
SMALL: dict[str, Any] = {
    "equation": {
        "vars": ",,,var_0,#,#,#,1,#,#,1,#,#",
        "numNodes": "6",
        "variables": {"var_0": 0},
        "depth": "3,2,1,0,#,#,#,0,#,#,0,#,#",
        "nodeNum": "0,1,2,3,#,#,#,4,#,#,5,#,#",
        "func": "Equality,Add,sin,Symbol,#,#,#,One,#,#,One,#,#",
    },
    "label": "0",
}


def text_of(*records: object) -> str:
    return json.dumps([[], list(records)], indent=4, separators=(", ", ": "))


def changed(**stored: object) -> dict[str, Any]:
    """Return SMALL with some fields of its equation replaced."""
    return {**SMALL, "equation": {**SMALL["equation"], **stored}}


def by_level(text: str) -> str:
    """Return the text of a file with depths counted from the root, as the authors' generator stores them."""
    groups = json.loads(text)
    for record in (record for group in groups for record in group):
        stack, levels = [0], []
        for function in record["equation"]["func"].split(","):
            level = stack.pop()
            levels.append("#" if function == "#" else str(level))
            stack += [] if function == "#" else [level + 1, level + 1]
        record["equation"]["depth"] = ",".join(levels)
    return json.dumps(groups, indent=4, separators=(", ", ": "))


def read_one(record: object) -> Example:
    ((), (example,)) = loads(text_of(record))
    return example


def blanked(number: str, **stored: object) -> dict[str, Any]:
    record = changed(**stored)
    return {"equation": record["equation"], "blankNodeNum": number, "label": "1"}
