"""Optional dependencies: a command that needs a missing one says which extra installs it, before it writes anything."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest

from corpora import write_small_corpus
from in_process import assert_refused, treesmu
from paths import ROOT
from treesmu.errors import DataError
from treesmu.extras import PACKAGES, require

COMMANDS = [  # CORPUS is a corpus, OUT a folder that does not exist
    ("matplotlib", "report OUT", "treesmu report needs matplotlib: pip install 'treesmu[report]'"),
    ("jinja2", "report OUT", "treesmu report needs jinja2: pip install 'treesmu[report]'"),
    ("openTSNE", "reproduce --out OUT", "treesmu reproduce needs openTSNE: pip install 'treesmu[report]'"),
    ("scipy", "reproduce --out OUT", "treesmu reproduce needs scipy: pip install 'treesmu[report]'"),
    ("optuna", "sweep CORPUS --out OUT", "treesmu sweep needs optuna: pip install 'treesmu[sweep]'"),
    ("matplotlib", "sweep CORPUS --out OUT", "treesmu sweep needs matplotlib: pip install 'treesmu[report]'"),
    ("sklearn", "data stats CORPUS --probe", "treesmu data stats --probe needs scikit-learn: pip install 'treesmu[report]'"),
    ("matplotlib", "data stats CORPUS --figures OUT", "treesmu data stats --figures needs matplotlib: pip install"),
    ("tensorboard", "train CORPUS --out OUT --tensorboard", "treesmu train --tensorboard needs tensorboard: pip install"),
    ("ray", "generate OUT --engine ray", "--engine ray needs ray: pip install 'treesmu[cluster]'"),
    ("ray", "reproduce --out OUT --engine ray", "--engine ray needs ray: pip install 'treesmu[cluster]'"),
]


@pytest.mark.parametrize(("module", "command", "message"), COMMANDS)
def test_a_command_names_the_missing_package_and_its_extra(module, command, message, tmp_path, capsys, monkeypatch):
    corpus = write_small_corpus(tmp_path / "corpus")
    monkeypatch.setitem(sys.modules, module, None)
    words = [{"CORPUS": corpus, "OUT": tmp_path / "out"}.get(word, word) for word in command.split()]
    assert_refused(treesmu(capsys, *words), message)
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


def test_all_missing_packages_are_named_at_once(monkeypatch):
    for module in ("sklearn", "optuna", "matplotlib"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(
        DataError, match=r"^it needs optuna and matplotlib and scikit-learn: pip install 'treesmu\[sweep,report\]'$"
    ):
        require("it", "optuna", "matplotlib", "sklearn", "scipy")


def test_asking_for_installed_packages_does_not_load_them():
    code = "import sys; from treesmu import extras as e; e.require('it', *e.PACKAGES); print(e.PACKAGES.keys() & sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def _extras() -> dict[str, list[str]]:
    return tomllib.loads(ROOT.joinpath("pyproject.toml").read_text())["project"]["optional-dependencies"]


def _name(requirement: str) -> str:
    return re.split(r"[><=\[]", requirement)[0]


def test_every_extra_installs_what_the_messages_promise():
    extras = _extras()
    for package, extra in PACKAGES.values():
        assert package in map(_name, extras[extra])


def test_the_extra_all_has_every_extra_of_users():
    extras = _extras()
    named = re.fullmatch(r"treesmu\[(.*)\]", extras["all"][0])[1].split(",")
    assert {*named} == extras.keys() - {"all", "docs", "dev"}


def test_pytorch_is_a_range_in_the_metadata_and_pinned_in_the_lock_file():
    metadata = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text())["project"]["dependencies"]
    assert [text for text in metadata if _name(text) == "torch"] == ["torch>=2.6"]
    assert re.search(r"^torch==[\d.]+$", ROOT.joinpath("requirements.lock").read_text(), re.MULTILINE)
    assert not {_name(text) for text in metadata} & {package for package, _ in PACKAGES.values()}
