"""The registry finds the models of installed packages, by their entry points, and names what is wrong with one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from treesmu import registry
from treesmu.errors import DataError
from treesmu.models.cells.base import Cell
from treesmu.models.sequences.lstm import LSTMEncoder
from treesmu.registry import BUILT_IN, is_tree_model, model_class, names, register

CELL = "from treesmu.models import Cell\n\nclass Mine(Cell):\n    pass\n"


class Mine(Cell):
    pass


def message(function: Callable[[str], object], name: str) -> str:
    """Return the message of the DataError that a call raises, which must be one line."""
    with pytest.raises(DataError) as caught:
        function(name)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with three entry points, two of which fail."""
    (tmp_path / "fake_cells.py").write_text(CELL)
    info = tmp_path / "fake_cells-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fake-cells\nVersion: 1.0\n")
    points = "mine = fake_cells:Mine\nabsent = fake_cells:Absent\nbroken = fake_broken:Cell\nlstm = fake_cells:Mine\n"
    (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{points}")
    (tmp_path / "fake_broken.py").write_text("raise RuntimeError('broken\\npackage')")
    monkeypatch.syspath_prepend(str(tmp_path))
    for module in ("fake_cells", "fake_broken", "odd_cells", "odd_exit"):  # of another test
        monkeypatch.delitem(sys.modules, module, raising=False)
    registry._installed.cache_clear()
    return tmp_path


@pytest.mark.usefixtures("package")
def test_models_of_installed_packages_are_known_and_loaded_when_needed() -> None:
    assert names() == (*BUILT_IN, "mine", "absent", "broken")
    assert "fake_cells" not in sys.modules
    assert is_tree_model("mine")
    assert issubclass(model_class("mine"), Cell)
    assert model_class("lstm") is LSTMEncoder  # a package cannot replace a built-in model
    said = "model 'broken': fake_broken:Cell of the package fake-cells cannot be imported: broken package"
    assert message(model_class, "broken") == said
    assert message(is_tree_model, "absent").startswith("model 'absent': fake_cells:Absent of the package fake-cells cannot ")


@pytest.mark.usefixtures("package")
def test_a_registered_model_takes_precedence_over_that_of_a_package() -> None:
    register("mine", Mine)
    assert model_class("mine") is Mine


@pytest.fixture
def odd_package(package: Path) -> None:
    """Installed entry points in all valid forms, and some that are no models."""
    (package / "odd_cells.py").write_text(
        "from fake_cells import Mine\nclass Outer:\n    Cell = Mine\nx = 3\nclass Plain: pass\n"
    )
    (package / "odd_exit.py").write_text("import sys\nsys.exit(3)\n")
    points = "inner = odd_cells:Outer.Cell\nextra = odd_cells:Mine [torch]\nnumber = odd_cells:x\nplain = odd_cells:Plain\n"
    points += "module = odd_cells\nexits = odd_exit:Cell\nBad_Name = odd_cells:Mine\n"
    (package / "fake_cells-1.0.dist-info" / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{points}")
    registry._installed.cache_clear()


@pytest.mark.usefixtures("odd_package")
def test_entry_points_have_all_forms_that_python_allows() -> None:
    assert issubclass(model_class("inner"), Cell)
    assert model_class("extra") is model_class("inner")


@pytest.mark.usefixtures("odd_package")
def test_an_entry_point_that_is_no_model_is_one_line() -> None:
    assert message(model_class, "number") == "model 'number': expected a class, not int"
    assert message(model_class, "module") == "model 'module': expected a class, not module"
    assert message(model_class, "plain").startswith("model 'plain': Plain is neither a subclass of treesmu.models.Cell nor ")
    said = "model 'exits': odd_exit:Cell of the package fake-cells cannot be imported: SystemExit: 3"
    assert message(model_class, "exits") == said
    assert "Bad_Name" not in names()
    said = "odd_cells:Mine of the package fake-cells: a model's name is lower-case words joined by hyphens, such as my-cell"
    assert message(model_class, "Bad_Name") == f"{said}, not 'Bad_Name'"
