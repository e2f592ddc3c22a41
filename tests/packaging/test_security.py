"""The package runs no code from files and starts no shell: dangerous calls are only in places named here, with a reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from paths import ROOT

PACKAGE = ROOT / "src" / "treesmu"
MODULES = {
    "pickle",
    "marshal",
    "shelve",
    "dill",
    "cloudpickle",
    "joblib",
    "subprocess",
    "multiprocessing",
    "zipfile",
    "tarfile",
}
CALLS = {  # by the last two parts of the name that is called
    *("eval", "exec", "compile", "__import__", "import_module", "importlib.import_module", "input"),
    *("os.system", "os.popen", "os.execv", "os.execvp", "os.spawnv", "tempfile.mktemp", "yaml.load", "shutil.unpack_archive"),
    *("np.load", "numpy.load", "torch.load", "torch.hub", "ctypes.CDLL", "pa.deserialize"),
}
OWN_WORKERS = "messages between a process and the workers that it starts itself, over their pipes"
OWN_LIBRARY = "a library that is loaded already, or that the installed packages bring"
OWN_TABLE = "imports a module of the package, named in a table of this file"
ALLOWED = {
    ("plugins.py", "exec"): "a plugin is code; only the user names it, with --plugin",
    ("plugins.py", "compile"): "a plugin is code; only the user names it, with --plugin",
    ("cli/__init__.py", "exec"): "of an empty text",
    ("__init__.py", "import_module"): OWN_TABLE,
    ("cli/commands.py", "import_module"): OWN_TABLE,
    (
        "registry.py",
        "import_module",
    ): "a model of the package, of an installed package, or one that the user's code registered",
    ("engine/local_processes.py", "pickle"): OWN_WORKERS,
    ("engine/local_processes.py", "multiprocessing"): OWN_WORKERS,
    ("web/work/pool.py", "multiprocessing"): OWN_WORKERS,
    ("web/work/process.py", "multiprocessing"): OWN_WORKERS,
    ("compilation.py", "ctypes.CDLL"): OWN_LIBRARY,
    ("web/work/process.py", "ctypes.CDLL"): OWN_LIBRARY,
    ("training/steps/fast_arithmetic.py", "ctypes.CDLL"): OWN_LIBRARY,
    ("models/released_weights.py", "torch.load"): "with weights_only=True: PyTorch's loader of tensors, which runs no code",
    ("report/record.py", "tarfile"): "writes the record; nothing is unpacked",
}


def dangers(source: str) -> Iterator[str]:
    """Yield the dangerous modules that a source imports and the dangerous functions that it calls."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name for alias in node.names if (name := alias.name.partition(".")[0]) in MODULES)
        elif isinstance(node, ast.ImportFrom) and not node.level and (name := (node.module or "").partition(".")[0]) in MODULES:
            yield name
        elif isinstance(node, ast.Call):
            yield from _call(node)


def _call(node: ast.Call) -> Iterator[str]:
    called = ast.unparse(node.func).replace("safetensors.torch.", "safetensors.")  # its loader reads tensors only
    name = ".".join(called.split(".")[-2:])
    keywords = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
    if name in CALLS:
        yield name
    if name == "torch.load" and keywords.get("weights_only") != "True":
        yield "torch.load without weights_only"
    if keywords.get("shell", "False") != "False" or keywords.get("allow_pickle", "False") != "False":
        yield "shell or allow_pickle"
    if called.endswith((".extractall", ".extract")) and keywords.get("filter") != "'data'":
        yield "extraction without a filter"


def found_in_package() -> set[tuple[str, str]]:
    files = sorted(PACKAGE.rglob("*.py"))
    assert len(files) > 100
    return {
        (path.relative_to(PACKAGE).as_posix(), what) for path in files for what in dangers(path.read_text(encoding="utf-8"))
    }


def test_dangerous_calls_are_only_where_there_is_a_reason() -> None:
    assert found_in_package() - ALLOWED.keys() == set()


def test_every_exception_is_still_needed() -> None:
    assert ALLOWED.keys() - found_in_package() == set()


@pytest.mark.parametrize(
    "source",
    [
        "eval(text)",
        "exec(text)",
        "import pickle",
        "from pickle import loads",
        "import subprocess",
        "os.system('ls')",
        "run(command, shell=True)",
        "np.load(path, allow_pickle=True)",
        "torch.load(path)",
        "yaml.load(text)",
        "archive.extractall(folder)",
        "importlib.import_module(name)",
    ],
)
def test_what_is_dangerous_is_found(source: str) -> None:
    assert list(dangers(source))


def test_what_is_harmless_is_not_called_dangerous() -> None:
    source = (
        "re.compile('x'); model.eval(); json.load(file); safetensors.torch.load(data); archive.extractall(f, filter='data')"
    )
    assert list(dangers(source)) == []


def test_no_file_of_the_package_is_a_link() -> None:
    """A link in the package could lead out of it."""
    assert [path for path in PACKAGE.rglob("*") if path.is_symlink()] == []


def test_the_policy_is_linked_from_the_front_page_and_the_page_for_contributors() -> None:
    assert (ROOT / "SECURITY.md").is_file()
    for page in ("README.md", "CONTRIBUTING.md"):
        assert "(SECURITY.md)" in Path(ROOT / page).read_text(encoding="utf-8")
