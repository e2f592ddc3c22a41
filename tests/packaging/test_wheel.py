"""The wheel has what it needs and nothing else, and does the main job in an environment without the optional packages."""

from __future__ import annotations

import email
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from installed_wheel import MAIN_JOB, OPTIONAL, build, install_beside, run
from paths import ROOT
from treesmu import __version__
from treesmu.compilation import description

SOURCE = ROOT / "src"
pytestmark = pytest.mark.xdist_group("wheel")  # it is built once


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return build(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def python(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_beside(built[0], tmp_path_factory.mktemp("venv"))


def _files_of_the_package() -> set[str]:
    files = (path.relative_to(SOURCE) for path in (SOURCE / "treesmu").rglob("*") if path.is_file())
    return {str(path) for path in files if "__pycache__" not in path.parts}


def test_the_wheel_is_the_package_and_its_metadata(built):
    with zipfile.ZipFile(built[0]) as wheel:
        names = wheel.namelist()
    info = f"treesmu-{__version__}.dist-info/"
    assert {name for name in names if not name.startswith(info)} == _files_of_the_package()
    for name in (
        "py.typed",
        "models/shipped/tree-smu.safetensors",
        "generate/axioms/algebra.txt",
        "report/templates/page.html",
    ):
        assert f"treesmu/{name}" in names
    assert f"{info}licenses/LICENSE" in names


def test_the_sdist_is_the_source_and_what_describes_it(built):
    with tarfile.open(built[1]) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    described = {".gitignore", "CHANGELOG.md", "CITATION.cff", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml"}
    assert names == {*described, *(f"src/{name}" for name in _files_of_the_package())}


def test_the_metadata_names_versions_of_python_and_every_extra(built):
    with zipfile.ZipFile(built[0]) as wheel:
        metadata = email.message_from_bytes(wheel.read(f"treesmu-{__version__}.dist-info/METADATA"))
    assert (metadata["Name"], metadata["Version"], metadata["License-Expression"]) == ("treesmu", __version__, "MIT")
    classifiers = metadata.get_all("Classifier")
    assert {f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13)} <= {*classifiers}
    assert metadata["Requires-Python"] == ">=3.11"
    assert {"report", "sweep", "cluster", "tensorboard", "all"} <= {*metadata.get_all("Provides-Extra")}
    required = [text for text in metadata.get_all("Requires-Dist") if "extra ==" not in text]
    assert not [text for text in required if text.lower().startswith(tuple(name.lower() for name in (*OPTIONAL, "scikit")))]


@pytest.mark.slow
def test_the_main_job_works_without_the_optional_packages(python, tmp_path):
    for command in MAIN_JOB:
        done = run(python, tmp_path, command)
        assert done.returncode == 0, f"treesmu {command}\n{done.stdout}\n{done.stderr}"
    assert (tmp_path / "run" / "test.json").exists()
    assert (tmp_path / "own" / "test.json").exists()
    assert "equations.csv, line 12: " in done.stderr  # the bad line


def test_the_installed_command_is_that_of_the_wheel(python, tmp_path):
    done = run(python, tmp_path, "--version")
    assert done.stdout == f"treesmu {__version__}\ntree models: {description()}\n"
    code = "import treesmu; print(treesmu.__file__)"
    found = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    assert found.startswith(str(python.parent.parent))
    done = run(python, tmp_path, "report .")
    assert (done.returncode, done.stderr) == (
        2,
        "treesmu: treesmu report needs matplotlib and scipy: pip install 'treesmu[report]'\n",
    )
