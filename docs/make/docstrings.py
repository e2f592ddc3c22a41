"""An extension of Griffe: docstrings, whose roles and formulas are in Sphinx's notation, as Markdown for the site."""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection
from typing import Any

from griffe import Class, Extension, Function, Object

BLOCK = re.compile(r"^\.\. math::\n((?:[ \t]+\S.*\n|\n)+)", re.MULTILINE)


class SphinxToMarkdown(Extension):
    """Rewrite each docstring before it is rendered."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Rewrite the docstring of a module, a class, a function or an attribute."""
        if obj.docstring is not None:
            names = [parameter.name for parameter in obj.parameters] if isinstance(obj, Class | Function) else []
            obj.docstring.value = with_list_of_parameters(markdown(obj.docstring.value), names)


def markdown(docstring: str) -> str:
    """Return a docstring as Markdown: formulas between dollars, names as code."""
    text = BLOCK.sub(lambda found: f"$$\n{inspect.cleandoc(found[1])}\n$$\n\n", inspect.cleandoc(docstring) + "\n")
    text = re.sub(r":math:`([^`]*)`", r"$\1$", text)
    return re.sub(r":[a-z]+:`~?([^`]*)`", r"`\1`", text).strip()


def with_list_of_parameters(text: str, names: Collection[str]) -> str:
    """Make a list of sentences such as "top: how many. height: of the fillers.", which describe parameters."""
    if not names:
        return text
    start = re.compile(rf"(?:^|(?<=[.;])\s+)({'|'.join(map(re.escape, names))}): ")
    return "\n\n".join(_paragraph(part, start) for part in text.split("\n\n"))


def _paragraph(text: str, start: re.Pattern[str]) -> str:
    before, *described = start.split(text)  # [text, name, description, name, description, ...]
    items = [f"- `{name}`: {about}" for name, about in zip(described[::2], described[1::2], strict=True)]
    return "\n\n".join(part for part in (before, "\n".join(items)) if part)
