"""What a published repository needs: a workflow whose commands exist, a valid citation, and a guide whose paths exist."""

from __future__ import annotations

import re
import tomllib

import yaml

from paths import ROOT
from treesmu import __version__

WORKFLOWS = sorted(ROOT.joinpath(".github", "workflows").glob("*.yml"))


def _targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", ROOT.joinpath("Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def _supported() -> set[str]:
    classifiers = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text())["project"]["classifiers"]
    return {found[1] for text in classifiers if (found := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", text))}


def test_every_command_of_a_workflow_is_a_make_target():
    commands = []
    for file in WORKFLOWS:
        for job in yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"].values():
            assert job["runs-on"]
            assert job["timeout-minutes"] > 0
            commands += [step["run"] for step in job["steps"] if "run" in step]
    assert {"make lint", "make test", "make docs", "make smoke"} <= {*commands}
    assert [command for command in commands if command.removeprefix("make ") not in _targets()] == []


def test_the_workflow_tests_every_version_that_the_package_supports():
    jobs = yaml.safe_load(ROOT.joinpath(".github", "workflows", "tests.yml").read_text(encoding="utf-8"))["jobs"]
    matrix = jobs["tests"]["strategy"]["matrix"]
    assert {*matrix["python"]} == _supported() == {"3.11", "3.12", "3.13"}


def test_the_citation_names_this_version_and_the_paper():
    citation = yaml.safe_load(ROOT.joinpath("CITATION.cff").read_text(encoding="utf-8"))
    assert citation.keys() >= {"cff-version", "message", "title", "authors"}  # what the format requires
    assert (citation["cff-version"], citation["version"], citation["license"]) == ("1.2.0", __version__, "MIT")
    paper = citation["references"][0]
    assert paper.keys() >= {"type", "title", "authors", "year"}
    assert [author["family-names"] for author in paper["authors"]][:2] == ["Arabshahi", "Lu"]


def test_paths_and_targets_of_the_guide_exist():
    text = ROOT.joinpath("CONTRIBUTING.md").read_text(encoding="utf-8")
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text)]
    assert [link for link in links if not ROOT.joinpath(link).exists()] == []
    assert {*re.findall(r"`make ([a-z]+)`", text)} <= _targets()
    paths = re.findall(r"`([a-z_]+(?:/[a-z_]+)+(?:\.py|/)|[a-z_]+\.py)`", text)
    places = [ROOT, ROOT / "src" / "treesmu", ROOT / "src" / "treesmu" / "experiments"]
    assert [path for path in paths if not any((place / path).exists() for place in places)] == []
    assert len(paths) > 10
