"""Options that several commands share, and how their values are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treesmu import plugins, registry
from treesmu.shipped import find_shipped, names_of_shipped

from .completion import ENGINES, complete_devices, complete_from, complete_models, recipes, settings_to_assign

if TYPE_CHECKING:
    from treesmu.models.model import Model


def choice_of(names: Callable[[], Iterable[str]], text: str) -> Any:
    """Return an option for one of these names, which the shell completes. text: its help."""
    return typer.Option(metavar="NAME", autocompletion=complete_from(names), help=text)


def assignment(text: str, *flags: str, value: str = "VALUE") -> Any:
    """Return an option for NAME=VALUE with the name of a setting, which the shell completes. text: its help."""
    return typer.Option(*flags, metavar=f"NAME={value}", autocompletion=complete_from(settings_to_assign), help=text)


ModelFile = Annotated[
    Path | None,
    typer.Option(
        "--model",
        metavar="MODEL",
        help="A run folder, a file of weights (.safetensors), or a shipped model by its name: tree-smu (default) or tree-lstm.",
    ),
]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME",
        autocompletion=complete_models,
        help=f"{', '.join(registry.BUILT_IN)}, or a name that a plugin or a package registers; default tree-smu.",
    ),
]
Plugins = Annotated[
    list[Path] | None,
    typer.Option("--plugin", metavar="FILE.py", help="Run this file first: it registers models of your own. Repeatable."),
]
Device = Annotated[
    str,
    typer.Option(
        "--device",
        metavar="NAME",
        autocompletion=complete_devices,
        help="Where the model is computed: cpu, cuda, mps, or auto for an accelerator if there is one.",
    ),
]
Recipe = Annotated[
    str | None,
    choice_of(
        recipes,
        "Named settings: paper; treesmu, treesmu-symbols and treesmu-1, for tree models. See docs/explanation/training.md.",
    ),
]
TrainingDepths = Annotated[
    str | None, typer.Option(metavar="A-B", help="Use training and validation equations of these depths only.")
]
TrainingRows = Annotated[int | None, typer.Option(metavar="N", min=1, help="Train on this many equations only.")]
Config = Annotated[Path | None, typer.Option(metavar="FILE", help="A TOML file of settings. Options override it.")]
Engine = Annotated[str, choice_of(lambda: ENGINES, "Where the work is done: local or ray.")]
Resume = Annotated[bool, typer.Option("--resume", help="Continue in OUT; nothing is computed twice.")]
Address = Annotated[
    str | None,
    typer.Option(metavar="HOST:PORT", help="Address of a Ray cluster, with --engine ray. The cluster runs one job per core."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


_ADDRESS = re.compile(r"(ray://)?(?P<host>[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*|\[[0-9a-fA-F:.]+\]):(?P<port>[0-9]{1,5})")


class InputError(Exception):
    """Wrong input from a user; the message says what is wrong, where, and what to do about it."""


def load_plugins(files: list[Path] | None) -> None:
    """Run the files of ``--plugin``."""
    for file in files or []:
        plugins.load_plugin(file)


def plugin_options(files: list[Path] | None) -> list[str]:
    """Return the ``--plugin`` options for the command that is suggested next."""
    return [word for file in files or [] for word in ("--plugin", str(file))]


def check_engine(engine: str, address: str | None) -> None:
    """Raise an InputError if there is no such engine or if it takes no address."""
    if engine not in ("local", "ray"):
        raise InputError(f"unknown engine {engine!r}; known: local, ray")
    if address is not None and engine != "ray":
        raise InputError("--address is the address of a Ray cluster: add --engine ray")
    if address is not None and address != "auto":
        match = _ADDRESS.fullmatch(address)
        if not match or int(match["port"]) > 65535 or max(map(len, match["host"].split("."))) > 63:
            expected = "HOST:PORT, such as 10.0.0.1:6379, ray://HOST:PORT, or auto"
            raise InputError(f"--address {address!r}: not the address of a Ray cluster; expected {expected}")


def check_device(device: str, engine: str) -> None:
    """Raise an error if there is no such device: on this machine, or by its name if the machines of a cluster compute."""
    if engine == "ray":
        if not re.fullmatch(r"auto|cpu|cuda(:\d+)?|mps", device):
            raise InputError(f"unknown device {device!r}; known: auto, cpu, cuda, cuda:N, mps")
        return
    from treesmu.models.device import choose_device  # loads PyTorch

    choose_device(device)


def depth_range(text: str | None) -> tuple[int, int] | None:
    """Return the two numbers of a range A-B; a single number is a range of one depth."""
    if text is None:
        return None
    match = re.fullmatch(r"\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?", text)
    if not match or int(match.group(1)) > int(match.group(2) or match.group(1)):
        raise InputError(f"depths {text!r}: expected A-B with A <= B, such as 1-7")
    return int(match.group(1)), int(match.group(2) or match.group(1))


def parse_settings(pairs: list[str]) -> dict[str, Any]:
    """Return the settings of ``--set NAME=VALUE`` options. A value is JSON if it can be read as such, otherwise text."""
    from treesmu.json_files import json_or_text  # which --help does not need

    settings: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name or name == "cell":
            raise InputError(f"--set {pair!r}: expected NAME=VALUE, such as head=distance or cell.stack=5")
        if name.startswith("cell."):
            settings.setdefault("cell", {})[name.removeprefix("cell.")] = json_or_text(text)
        else:
            settings[name] = json_or_text(text)
    return settings


def model_file(path: Path) -> Path:
    """Return the file of weights of a run folder, or the file itself; raise an InputError if there is none."""
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder; give a run folder of treesmu train, or a file of weights")
    if path.is_dir() and not (path / "model.safetensors").exists():
        raise InputError(f"{path}: a folder without a model (model.safetensors); give a run folder of treesmu train")
    return path / "model.safetensors" if path.is_dir() else path


@contextmanager
def model_to_change(model: Path, out: Path | None) -> Iterator[tuple[Path, Path]]:
    """Yield the file of weights of a model, and the file to write: a new one, or the same.

    The folder of a file that is changed is locked: beside a training in it, one of the two would lose its result.
    """
    from treesmu.files import lock_folder  # which --help does not need

    source = model_file(model)
    if out is not None and out.exists():
        raise InputError(f"{out} exists already; choose another name, or remove it first")
    with lock_folder(source.parent, remedy="write a new file: --out FILE") if out is None else nullcontext():
        yield source, out or source


def find_model(path: Path) -> Path:
    """Return the file of weights of a run folder or of a shipped model, or the file itself; raise an InputError if none."""
    shipped = find_shipped(path)
    if shipped is None and not path.exists():
        choices = f"a run folder of treesmu train, a file of weights, or the name of a shipped model: {names_of_shipped()}"
        raise InputError(f"{path}: there is no such file or folder; give {choices}")
    return model_file(path) if shipped is None else shipped


def read_model(path: Path | None, device: str, dtype: str | None = None, points: int | None = None) -> Model:
    """Load the model of a run folder, of a file or of a shipped name; without a path the default one.

    dtype: the type of its weights, such as float64; by default as they are stored, but float32 where that has 16 bits: in
    float16 the length of a state can overflow. points: at how many points variables are read; by default as stored.
    """
    import torch  # takes a second to load

    from treesmu.models.device import choose_device
    from treesmu.models.store import load

    torch.set_num_threads(1)  # as in training: fastest for small models, above all when other processes are running
    chosen = choose_device(device)
    if chosen.type == "mps" and dtype == "float64":  # which MPS does not have
        if device != "auto":
            raise InputError(f"--device {device} cannot compute in float64: add --float32, or use --device cpu")
        chosen = torch.device("cpu")
    model = load(None if path is None else find_model(path), None if dtype is None else getattr(torch, dtype), chosen)
    if points is not None and not getattr(model.encoder, "points", 0):
        raise InputError("--points: this model reads variables as symbols, not as numbers at points; leave it out")
    if points is not None:
        model.encoder.points = points
    has_16_bits = dtype is None and any(weight.dtype.itemsize == 2 for weight in model.parameters())
    return model.float() if has_16_bits else model
