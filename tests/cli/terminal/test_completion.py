"""The Tab key completes commands, and the names that options take."""

from __future__ import annotations

import pytest
import shellingham

from in_process import treesmu
from treesmu import registry
from treesmu.experiments.preset import STUDIES
from treesmu.generate.settings import PRESETS
from treesmu.training.settings import RECIPES


def completions(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> list[str]:
    """Return what bash is offered for the last of these words."""
    monkeypatch.setenv("_TREESMU_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", " ".join(["treesmu", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    return treesmu(capsys).stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["re"], ["reproduce", "report"]),
        (["data", "s"], ["show", "stats"]),
        (["train", "--model", ""], list(registry.BUILT_IN)),
        (["train", "--model", "tree-t"], ["tree-transformer"]),
        (["sweep", "--recipe", ""], list(RECIPES)),
        (["train", "--set", "he"], ["head="]),
        (["train", "--device", "c"], ["cpu", "cuda"]),
        (["generate", "out", "--preset", ""], list(PRESETS)),
        (["reproduce", "--preset", ""], "elsewhere generalisation generalisation-details long paper published quick".split()),
        (["reproduce", "--only", ""], sorted(STUDIES)),
        (["evaluate", "--split", "t"], ["train", "test"]),
        (["evaluate", "--task", "v"], ["verify"]),
        (["generate", "--engine", "r"], ["ray"]),
    ],
)
def test_names_are_completed(
    words: list[str], offered: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert completions(capsys, monkeypatch, *words) == offered


def test_models_of_the_user_are_completed_too(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    registry.register("tree-mine", "a_module:Class")
    assert completions(capsys, monkeypatch, "train", "--model", "tree-m") == ["tree-mine"]


def test_files_are_left_to_the_shell(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert completions(capsys, monkeypatch, "train", "corp") == []


def test_the_script_for_a_shell_asks_treesmu(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shellingham, "detect_shell", lambda: ("bash", "/bin/bash"))  # tests need not be started by a shell
    done = treesmu(capsys, "--show-completion")
    assert done.returncode == 0
    assert "_TREESMU_COMPLETE=complete_bash" in done.stdout
