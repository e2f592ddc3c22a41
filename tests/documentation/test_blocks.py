"""Every command and every block of code in README.md and docs/ runs, and prints what the page shows; see helpers/documents."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import typer

from documents import FENCE, LANGUAGES, Block, Command, blocks, mentioned, name, named_files, needed, pages
from in_process import treesmu
from paths import REFERENCE, ROOT
from treesmu import plugins, registry
from treesmu.cli.app import app
from treesmu.models import save
from treesmu.models.released_weights import import_weights

pytestmark = pytest.mark.xdist_group("documentation")  # one process loads PyTorch and makes the small corpus and run

SMALL_CORPUS = ["--train-size", "120", "--validation-size", "40", "--per-depth", "4", "--jobs", "1"]
RELEASED = {"authors.safetensors": "exp_gatedpushpop_normalize_no_op_50_0.1_12345-model-97.checkpoint"}  # converted
CLICK = typer.main.get_command(app)
PAGES = pytest.mark.parametrize("page", pages(), ids=name)


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory, capsys_of_module: Any) -> Path:
    """A folder with a small corpus and a run."""
    folder = tmp_path_factory.mktemp("material")
    assert treesmu(capsys_of_module, "generate", folder / "corpus", *SMALL_CORPUS).returncode == 0
    run = ["train", folder / "corpus", "--out", folder / "run", "--epochs", 1, "--hidden", 8]
    assert treesmu(capsys_of_module, *run).returncode == 0
    return folder


@pytest.fixture(scope="module")
def capsys_of_module() -> Any:
    """Stand in for ``capsys``, which modules cannot have: what the commands print is of no interest."""

    class Nothing:
        def readouterr(self) -> Any:
            return type("Output", (), {"out": "", "err": ""})

    return Nothing()


def provide(what: str, folder: Path, material: Path) -> None:
    """Put something that a page starts with into the folder: a corpus, a run, a file of the authors."""
    target = folder / what
    target.parent.mkdir(parents=True, exist_ok=True)
    if what.startswith(("corpora/", "runs/")):
        shutil.copytree(material / ("corpus" if what.startswith("corpora/") else "run"), target)
    elif not (source := REFERENCE / RELEASED.get(what, what)).is_file():
        pytest.skip(f"{what} is not beside the project")
    elif what in RELEASED:
        save(import_weights(source)[0], target)
    else:
        shutil.copy(source, target)


@PAGES
@pytest.mark.usefixtures("one_thread")
def test_the_blocks_of_a_page_run_and_print_what_it_shows(
    page: Path, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    for what in needed(page):
        provide(what, tmp_path, request.getfixturevalue("material"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    reader = Reader(name(page), capsys)
    for block in blocks(page):
        if not block.reason:
            reader.read(block)


class Reader:
    """Somebody who does in the current folder what a page says."""

    def __init__(self, page: str, capsys: Any) -> None:
        self.page, self.capsys = page, capsys
        self.names: dict[str, Any] = {"__name__": "page"}
        self.printed = self.complained = ""

    def read(self, block: Block) -> None:
        """Run a block, or compare it with what the one above has printed."""
        where = f"{self.page}, line {block.line}"
        if block.title == "standard error":
            assert block.text.strip() in self.complained, where
        elif block.title:
            Path(block.title).parent.mkdir(parents=True, exist_ok=True)
            Path(block.title).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            self.capsys.readouterr()
            exec(compile("\n" * block.line + block.text, self.page, "exec"), self.names)
            self.printed = self.capsys.readouterr().out
        elif block.is_below_code:
            assert_shown(block.text, self.printed, where)
        elif block.language == "console":
            for command in block.commands():
                self.run(command, where)

    def run(self, command: Command, where: str) -> None:
        """Run a command, and compare its output."""
        assert command.words[0] == "treesmu", f"{where}: only treesmu can be run; mark the block with: not run"
        jobs = ["--jobs", "1"] if "--jobs" in options_of(command.words) else []
        with (
            patch.object(registry, "_entries", {**registry._entries}),
            patch.object(plugins, "_loaded", {}),
        ):  # as a new process
            done = treesmu(self.capsys, *command.words[1:], *command.extra, *jobs)
        assert done.returncode == command.exit_code, f"{where}: {command.words}\n{done.stderr}"
        self.complained, output = done.stderr, done.stderr if command.exit_code == 2 else done.stdout
        if not command.has_same_output:
            assert " ".join(masked(command.shown).split()[:2]) in masked(output), f"{where}: {output}"
        elif command.shown and command.has_fixed_numbers:
            assert_shown(command.shown, output, where)
        else:
            assert masked(command.shown) in masked(output), f"{where}: {output}"


def assert_shown(shown: str, output: str, where: str) -> None:
    """Assert that a page shows the output; probabilities may differ in the last digit, which depends on the processor."""
    (text, numbers), (shown_text, shown_numbers) = apart(output.strip()), apart(shown.strip())
    assert text == shown_text, where
    assert numbers == pytest.approx(shown_numbers, abs=0.11), where


def apart(output: str) -> tuple[list[str], list[float]]:
    """Return the text without its percentages, and these."""
    parts = re.split(r" +([\d.]+)%", output)
    return parts[::2], [float(number) for number in parts[1::2]]


def masked(output: str) -> str:
    """Return the output with # for numbers and bars, and without the width of columns."""
    return re.sub(r"[ \t]+", " ", re.sub(r"[\d.,:]*\d|[▁-█░▒▓·]", "#", output)).strip()


# -- what is not run ------------------------------------------------------------------------------------------------------


def find_command(words: list[str]) -> tuple[Any, list[str]]:
    """Return the command that words call, and its arguments."""
    command, rest = CLICK, words[1:]
    while hasattr(command, "commands") and rest and rest[0] in command.commands:
        command, rest = command.commands[rest[0]], rest[1:]
    return command, rest


def options_of(words: list[str]) -> set[str]:
    """Return the options of the command that words call."""
    return {option for parameter in find_command(words)[0].params for option in parameter.opts}


@PAGES
def test_every_command_that_a_page_mentions_exists_with_its_options(page: Path) -> None:
    for words in mentioned(page):
        command, rest = find_command(words)
        if hasattr(command, "commands"):  # no command is named, as in "treesmu COMMAND --help"
            known = {*command.commands, *options_of(words), "--help", "-h", ""}
            assert {word for word in "|".join(rest).split("|") if not word.isupper()} <= known, f"{name(page)}: {words}"
        else:
            command.make_parser(typer.Context(command)).parse_args([word for word in rest if word != "..."])


def all_options(command: Any = CLICK) -> set[str]:
    """Return the options of all commands."""
    inner = [all_options(each) for each in getattr(command, "commands", {}).values()]
    return {option for parameter in command.params for option in parameter.opts}.union(*inner)


@PAGES
def test_every_option_that_a_page_mentions_exists(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    programs = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "benchmarks").glob("*.py"))
    known = {*all_options(), "--help", *re.findall(r"\"(--[a-z-]+)\"", programs)}
    assert set(re.findall(r"(?<!`)`(--[\w-]+)[^`]*`(?!`)", text)) - known == set()


@PAGES
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    assert [file for file in named_files(page) if not (ROOT / file).exists()] == []


@PAGES
def test_every_block_has_a_language(page: Path) -> None:
    assert [block.line for block in blocks(page) if block.language not in LANGUAGES] == []


@PAGES
def test_no_code_is_indented_instead_of_fenced(page: Path) -> None:
    """Indented blocks are not run, even if they are fenced: they are for formulas and drawings."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    assert "```" not in text
    assert re.findall(r"^ {4,}(?:\$ |treesmu |import |from \w+ import ).*", text, re.MULTILINE) == []
