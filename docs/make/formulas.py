"""A hook of MkDocs: turn the formulas of a page into MathML, which browsers draw without a script or a font of ours."""

from __future__ import annotations

import html
import re
from typing import Any

from latex2mathml.converter import convert

FORMULA = re.compile(
    r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', re.DOTALL
)  # as pymdownx.arithmatex writes them
MATHML = re.compile(r"<math[^>]*>(.*)</math>", re.DOTALL)
NAMESPACE = 'xmlns="http://www.w3.org/1998/Math/MathML"'


def on_page_content(content: str, **_: Any) -> str:
    """Replace every formula of a page by MathML."""
    return FORMULA.sub(lambda found: mathml(html.unescape(found[2]), is_block=found[1] == "div"), content)


def mathml(latex: str, is_block: bool) -> str:
    """Return a formula as MathML. A block may have several lines (``\\\\``), aligned at ``&``."""
    rows = [line.split("&") for line in re.split(r"\\\\", latex.strip())]
    if not is_block or rows == [[latex.strip()]]:
        return f'<math {NAMESPACE} display="{"block" if is_block else "inline"}">{_body(latex)}</math>'
    table = "".join(f"<mtr>{''.join(f'<mtd>{_body(cell)}</mtd>' for cell in row)}</mtr>" for row in rows)
    return f'<math {NAMESPACE} display="block"><mtable class="aligned" displaystyle="true">{table}</mtable></math>'


def _body(latex: str) -> str:
    found = MATHML.fullmatch(convert(latex.strip()))
    assert found is not None
    return found[1]
