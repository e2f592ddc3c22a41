"""Shell completion: the names that an option takes, looked up when the Tab key asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from treesmu import registry

Completer = Callable[[str], list[str]]

DEVICES = ("auto", "cpu", "cuda", "mps")
ENGINES = ("local", "ray")
SPLITS = ("train", "validation", "test", "all")


def complete_from(names: Callable[[], Iterable[str]]) -> Completer:
    """Return a function for ``typer.Option(autocompletion=...)``: the names that begin with what is typed so far."""

    def matching(incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    return matching


def corpus_presets() -> Iterable[str]:
    """Return the presets of ``treesmu generate``."""
    from treesmu.generate.settings import PRESETS

    return PRESETS


def recipes() -> Iterable[str]:
    """Return the recipes of ``treesmu train``."""
    from treesmu.training.settings import RECIPES

    return RECIPES


def study_presets() -> Iterable[str]:
    """Return the presets of ``treesmu reproduce``."""
    return _stems("presets", ".toml")


def studies() -> Iterable[str]:
    """Return the studies of ``treesmu reproduce``, by their files: importing them would load PyTorch."""
    return _stems("studies", ".py")


def settings_to_assign() -> Iterable[str]:
    """Return the settings of training as they are typed before a value: ``head=``."""
    from treesmu.training.settings import TrainSettings

    return [f"{name}=" for name in TrainSettings.model_fields if name != "cell"]


def _stems(folder: str, suffix: str) -> list[str]:
    files = Path(registry.__file__).with_name("experiments").joinpath(folder).glob(f"[a-z]*{suffix}")
    return sorted(file.stem for file in files)


complete_models = complete_from(registry.names)
complete_devices = complete_from(lambda: DEVICES)
