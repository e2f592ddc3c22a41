"""The pages of README.md and docs/ as blocks of code, and the comments that say how tests run them.

A page is run from top to bottom in an empty folder. Python blocks share their names; a text block directly below one is what
it prints. Blocks with a title are files. In console blocks, ``$ treesmu ...`` lines are commands; the lines below are their
standard output (of a failing command, its standard error). ``text title="standard error"`` is that of the last command.

``<!-- starts with: corpora/hard, runs/first -->``: small ones are there before the page begins (anywhere on a page).
The others stand directly above a block:
``<!-- not run: REASON -->``: only options and names of files are checked.
``<!-- train runs with: --epochs 1 -->``: options that make a command small enough for a test; then only the first two
words of its output are compared. ``--jobs 1`` is always added, because it changes no result.
``<!-- output differs: REASON -->``: the same without further options, because what came before was small.
``<!-- numbers vary -->``: the output is compared without its numbers. ``<!-- exits with 2 -->``: the exit code, if it is not 0.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from paths import ROOT

LANGUAGES = {"python", "console", "text", "toml", "csv", "bash", "json"}
FENCE = re.compile(r"((?:^<!--[^\n]*-->\n+)*)^```(\w*)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STARTS_WITH = re.compile(r"<!-- starts with: (.*?) -->")
NOT_RUN = re.compile(r"<!-- not run: (.+?) -->")
RUNS_WITH = re.compile(r"<!-- (\w[\w -]*) runs with: (.+?) -->")
EXITS_WITH = re.compile(r"<!-- exits with (\d) -->")


@dataclass(frozen=True)
class Command:
    """A line of a console block, the output that the page shows, and what its comments say."""

    words: list[str]
    shown: str
    extra: list[str]  # options that are added in tests
    exit_code: int
    has_fixed_numbers: bool
    has_same_output: bool  # as on the page


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    line: int
    comments: str
    language: str
    title: str
    text: str
    is_below_code: bool  # nothing but empty lines between it and a block of Python

    @property
    def reason(self) -> str:
        """Why it is not run; empty if it is."""
        found = NOT_RUN.search(self.comments)
        return found[1] if found else ""

    def commands(self) -> list[Command]:
        """Return the commands of a console block."""
        extras = {name: shlex.split(options) for name, options in RUNS_WITH.findall(self.comments)}
        exits = EXITS_WITH.search(self.comments)
        is_fixed, found = "<!-- numbers vary -->" not in self.comments, []
        for part in f"\n{self.text}".split("\n$ ")[1:]:
            line, _, shown = part.replace("\\\n", " ").partition("\n")
            words = shlex.split(line, comments=True)
            extra = next((options for name, options in extras.items() if words[1 : 1 + len(name.split())] == name.split()), [])
            is_same = not extra and "<!-- output differs: " not in self.comments
            found.append(Command(words, shown, extra, int(exits[1]) if exits else 0, is_fixed, is_same))
        return found


def pages() -> list[Path]:
    """Return the README and all pages of docs/."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def name(page: Path) -> str:
    """Return the path of a page within the repository."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    text, found = page.read_text(encoding="utf-8"), []
    before, before_end = "", 0
    for block in FENCE.finditer(text):
        comments, language, title, code = block.groups()
        is_below = before == "python" and not text[before_end : block.start()].strip() and language == "text"
        line = text.count("\n", 0, block.start(2)) + 1
        found.append(Block(line, comments, language, title or "", code, is_below))
        before, before_end = language, block.end()
    return found


def needed(page: Path) -> list[str]:
    """Return what has to be in the folder before a page begins."""
    found = STARTS_WITH.search(page.read_text(encoding="utf-8"))
    return found[1].split(", ") if found else []


def mentioned(page: Path) -> list[list[str]]:
    """Return the commands ``treesmu ...`` of a page that are not run: in the text, in scripts, and in blocks that say so."""
    text = page.read_text(encoding="utf-8")
    inline = re.findall(r"(?<!`)`(treesmu [^`]+)`(?!`)", FENCE.sub("", text))
    for block in blocks(page):
        if block.language != "python":
            joined = block.text.replace("\\\n", " ")
            inline += re.findall(r"^(?:\$ )?(?:.*(?:-m|srun) )?(treesmu .+)$", joined, re.MULTILINE)
    return [shlex.split(command, comments=True) for command in inline]


def named_files(page: Path) -> list[str]:
    """Return the files of the repository that a page names as code."""
    text = page.read_text(encoding="utf-8")
    return re.findall(r"\b((?:tests|benchmarks|docs|src/treesmu|examples)/[\w/.-]*\.(?:py|md|txt|toml|ipynb))\b", text)
