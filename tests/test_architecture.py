"""The architecture of docs/explanation/architecture.md: which room may import which, no cycles, how large a module may be."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import treesmu
from paths import ROOT

SOURCE = Path(treesmu.__file__).parent
EVERYWHERE = set(
    "compilation errors extras files json_files parquet_files plugins registry shipped task_names text_files".split()
)  # what every room may use
MAY_USE = {  # room: the other rooms that it may import
    "compilation": {"errors"},
    "errors": set(),
    "extras": {"errors"},
    "files": set(),
    "json_files": {"files", "errors"},
    "parquet_files": {"files", "errors"},
    "registry": {"errors"},
    "shipped": set(),
    "task_names": set(),
    "text_files": {"errors"},
    "plugins": {"registry", "errors"},
    "expr": set(),
    "generate": {"expr", "data"},
    "data": {"expr"},
    "importing": {"expr", "data", "generate"},
    "trace": {"expr"},
    "models": {"expr", "data", "trace"},
    "tasks": {"expr", "data", "models"},
    "engine": set(),
    "training": {"expr", "data", "models", "tasks"},
    "experiments": {"expr", "generate", "importing", "data", "models", "tasks", "training", "engine"},
    "report": set(),
    "web": {"expr", "data", "models", "tasks", "engine", "experiments", "trace"},
    "cli": {
        "expr",
        "generate",
        "importing",
        "data",
        "models",
        "tasks",
        "training",
        "engine",
        "experiments",
        "report",
        "trace",
        "web",
    },
}
TESTS = ROOT / "tests"
KERNELS = "compiled functions are tested by what they compute: they are compared with the other passes"
KERNELS_OF_A_PASS = "buffers forest normalise products queue rows smu stack stack_rnn tree_lstm tree_rnn".split()
COVERED_BY = {  # a module without a test file of its own: the file that tests it, and why there
    "cli/trace": ("cli/with_model/test_trace.py", "beside the other tests of commands that compute with a model"),
    "expr/notation/latex": ("expr/notation/test_render.py", "the same trees are written as infix text and as LaTeX"),
    "expr/notation/operator_stack": ("expr/notation/test_parse.py", "it is the state of the parser: tested by what is read"),
    "generate/chains/fill": ("generate/corpus/test_splits.py", "it fills the splits of the corpora that are tested there"),
    "generate/splits": ("generate/corpus/test_splits.py", "the same"),
    **{f"models/compiled/kernels/{name}": ("models/compiled/test_forest_pass.py", KERNELS) for name in KERNELS_OF_A_PASS},
    "models/forest/by_hand": ("models/forest/test_passes.py", "all passes are compared with each other"),
    "web/answers": ("web/test_openapi.py", "schemas are tested by what is answered"),
    "web/listings": ("web/test_openapi.py", "the same"),
    "models/forest/levels": ("models/forest/test_passes.py", "the rows of each level, compared by what the passes compute"),
}
MOST_LINES = 250  # of a module
MOST_MODULES = 12  # of a folder, besides __init__.py and conftest.py


def _module(file: Path) -> str:
    parts = ("treesmu", *file.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


FILES = {_module(file): file for file in sorted(SOURCE.rglob("*.py"))}
ALL_FILES = [file for folder in ("src", "tests", "benchmarks") for file in sorted((ROOT / folder).rglob("*.py"))]


def _imports(module: str) -> Iterator[str]:
    """Yield the modules of treesmu that a module imports: at its top, inside functions, or only for type checking."""
    file = FILES[module]
    package = module.split(".") if file.name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in FILES)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*start, *(node.module or "").split(".")]).rstrip(".")
            for alias in node.names:
                found = f"{base}.{alias.name}" if f"{base}.{alias.name}" in FILES else base
                if found in FILES and not (found == base and _is_shadowed(base, alias.name)):
                    yield found


def _is_shadowed(base: str, name: str) -> bool:
    """Whether the name is the package's own version, which any module may read."""
    return base == "treesmu" and name == "__version__"


def _room(module: str) -> str:
    return [*module.split("."), ""][1]


def test_rooms_import_only_what_they_may() -> None:
    wrong = []
    for module in FILES:
        room = _room(module)
        if room in ("", "__main__"):
            continue
        used = {_room(found) for found in _imports(module)} - {room} - EVERYWHERE
        wrong += [f"{module} imports {other or 'treesmu'}" for other in sorted(used - MAY_USE[room])]
    assert wrong == []


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = {module: set(_imports(module)) - {module} for module in FILES if _room(module) not in ("", "__main__")}
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(f"modules that need each other: {' -> '.join(error.args[1])}")


def _docstring(file: Path) -> str:
    return ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""


def test_a_long_module_says_why() -> None:
    long = [file for file in ALL_FILES if len(file.read_text(encoding="utf-8").splitlines()) > MOST_LINES]
    assert [_shown(file) for file in long if "Long because" not in _docstring(file)] == []


def test_a_large_folder_says_why() -> None:
    """In its __init__.py, which a folder of tests needs for nothing else."""
    modules = Counter(file.parent for file in ALL_FILES if file.name not in ("__init__.py", "conftest.py"))
    large = [folder / "__init__.py" for folder, count in modules.items() if count > MOST_MODULES]
    wrong = [file for file in large if not file.exists() or "Many modules because" not in _docstring(file)]
    assert [_shown(file.parent) for file in wrong] == []


def test_every_module_says_what_it_is_for() -> None:
    """The first line of its docstring is a sentence: the table of modules in docs/ is made of these."""
    assert [module for module, file in FILES.items() if not _docstring(file).partition("\n")[0].endswith((".", "?"))] == []


def _has_code(file: Path) -> bool:
    """Return whether a module has a function, or a class with more than a docstring."""
    found = ast.parse(file.read_text(encoding="utf-8")).body
    return any(isinstance(n, ast.FunctionDef) or (isinstance(n, ast.ClassDef) and len(n.body) > 1) for n in found)


def _has_tests(module: str) -> bool:
    """Return whether a module such as ``expr/tree`` has a file ``expr/test_tree.py`` or a folder ``expr/tree`` of tests."""
    path = TESTS / module
    return path.with_name(f"test_{path.name}.py").is_file() or any(path.glob("test_*.py"))


def test_every_module_has_its_tests_in_the_same_place() -> None:
    modules = [
        str(file.relative_to(SOURCE).with_suffix(""))
        for file in FILES.values()
        if not file.name.startswith("__") and _has_code(file)
    ]
    assert [
        f"src/treesmu/{module}.py has no tests/{Path(module).parent}/test_{Path(module).name}.py: write it, or name in "
        "COVERED_BY the test that covers it"
        for module in modules
        if not _has_tests(module) and module not in COVERED_BY
    ] == []
    assert [f"{m}: remove it from COVERED_BY" for m in COVERED_BY if m not in modules or _has_tests(m)] == []
    assert [f"COVERED_BY: there is no tests/{test}" for test, _ in COVERED_BY.values() if not (TESTS / test).is_file()] == []


def _loaded(code: str, *modules: str) -> str:
    """Run code in a fresh interpreter and return which of the modules it has loaded."""
    code = f"import sys; {code}; print([m for m in {modules!r} if m in sys.modules])"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_the_package_alone_loads_nothing() -> None:
    heavy = ("torch", "numpy", "typing", "pathlib", "enum", "treesmu.expr", "treesmu.registry")
    assert _loaded("import treesmu; assert 'parse' in dir(treesmu)", *heavy) == "[]"


def test_expressions_do_not_load_torch_or_mpmath() -> None:
    assert (
        _loaded("from treesmu import parse, check; check(parse('x = x'))", "torch", "mpmath", "sympy", "pyarrow", "matplotlib")
        == "[]"
    )


def test_the_command_line_does_not_load_torch_before_a_model_is_needed() -> None:
    assert _loaded("import treesmu.cli", "torch") == "[]"


def test_traces_do_not_load_torch() -> None:
    assert _loaded("import treesmu.trace", "torch") == "[]"


def test_the_report_does_not_load_torch() -> None:
    assert _loaded("import treesmu.report.write", "torch") == "[]"
