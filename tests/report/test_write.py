"""The report against the files that it is made of: no number is typed by hand."""

from __future__ import annotations

import csv
import json
import re
import tarfile
from html.parser import HTMLParser
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from every_study import ANALYSES, RUNS, every_study
from reproduced import main_runs, run_name, small_folder, study, write_analysis, write_plan, write_run
from treesmu.data import DataError
from treesmu.experiments import plan
from treesmu.experiments.preset import Preset
from treesmu.report.folder import Folder
from treesmu.report.record import write_record
from treesmu.report.write import write_report

TEST_WITHOUT_COUNTS = json.dumps(
    {"overall": {}, "by_depth": {"8": {"accuracy": 1.0}}, "train": {"accuracy": 1.0}, "validation": {"accuracy": 1.0}}
)


class Cells(HTMLParser):
    """The rows of one table of the page, as text."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name, self.is_inside, self.rows = name, False, [[""]]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if ("id", f"table-{self.name}") in attrs:
            self.is_inside = True
        if self.is_inside and tag == "tr":
            self.rows.append([])
        if self.is_inside and tag in ("td", "th"):
            self.rows[-1].append("")
        if self.is_inside and tag == "small":
            self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        self.is_inside = self.is_inside and tag != "table"

    def handle_data(self, data: str) -> None:
        if self.is_inside and self.rows[-1]:
            self.rows[-1][-1] += data


def cells(page: str, name: str) -> list[list[str]]:
    parser = Cells(name)
    parser.feed(page)
    return [[cell.strip().replace("\xa0", " ") for cell in row] for row in parser.rows[1:]]


def outcomes(folder: Path, corpus: str, model: str, recipe: str, seeds: tuple[int, ...]) -> list[Any]:
    names = [run_name(corpus, model, recipe, seed) for seed in seeds]
    return [json.loads((folder / "runs" / name / "test.json").read_text()) for name in names]


def directly(tests: list[Any], low: int, high: int) -> list[float]:
    """Accuracy of these depths together, of each seed, in per cent: from shares of equally many equations."""
    return [100 * fmean(test["by_depth"][str(depth)]["accuracy"] for depth in range(low, high + 1)) for test in tests]


def shown(values: list[float]) -> str:
    return f"{fmean(values):.1f} ± {stdev(values):.1f}"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = small_folder(tmp_path_factory.mktemp("report") / "small")
    write_report(folder)
    return folder


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = every_study(tmp_path_factory.mktemp("report") / "every")
    write_report(folder)
    return folder


def test_the_table_says_what_the_run_folders_say(small: Path) -> None:
    rows = iter(cells((small / "report.html").read_text(), "productivity"))
    assert next(rows)[:5] == ["model", "train %", "validation %", "systematicity %", "productivity %"]
    for corpus in ("paper", "hard"):
        for recipe in ("paper", "treesmu"):
            assert next(rows) == [f"corpus {corpus} · recipe {recipe}"]
            models = ["majority", "lstm"] if recipe == "paper" else []
            for model in [*models, "tree-rnn", "tree-lstm", "tree-smu"]:
                row, found = next(rows), outcomes(small, corpus, model, recipe, (1, 2, 3))
                assert row[0].lower() == model
                assert row[1].startswith(shown([100 * test["train"]["accuracy"] for test in found]))
                assert row[2].startswith(shown([100 * test["validation"]["accuracy"] for test in found]))
                assert row[3].startswith(shown(directly(found, 1, 7)))
                assert row[4].startswith(shown(directly(found, 8, 19)))
                assert row[-1] == "3"
                assert ("paper" in row[4]) == (corpus == recipe == "paper")
    assert next(rows, None) is None


def test_the_papers_figure_and_the_difference_stand_beside_ours(small: Path) -> None:
    page = (small / "report.html").read_text()
    row = next(row for row in cells(page, "productivity") if row[0] == "Tree-SMU")
    ours = fmean(directly(outcomes(small, "paper", "tree-smu", "paper", (1, 2, 3)), 8, 19))
    assert row[4].endswith(f"paper 79.57±0.16, {ours - 79.57:+.1f}".replace("-", "−"))


def test_the_lines_are_drawn_through_the_accuracies_of_the_run_folders(small: Path) -> None:
    drawn = list(csv.DictReader((small / "figures" / "accuracy-by-depth.csv").read_text().splitlines()))
    assert len(drawn) == (5 + 3) * 2 * 19
    for row in drawn:
        corpus = row["panel"].split()[0]
        recipe = "paper" if "paper's recipe" in row["panel"] else "treesmu"
        depth = int(row["x"])
        values = directly(outcomes(small, corpus, row["name"].lower(), recipe, (1, 2, 3)), depth, depth)
        assert float(row["y"]) == pytest.approx(fmean(values))
        assert float(row["sd"]) == pytest.approx(stdev(values), abs=1e-6)


def test_the_table_of_learning_has_every_depth_time_and_size(small: Path) -> None:
    rows = list(csv.DictReader((small / "tables" / "learning.csv").read_text().splitlines()))
    assert len(rows) == (5 + 3) * 2
    smu = next(r for r in rows if (r["corpus"], r["recipe"], r["model"]) == ("hard", "treesmu", "Tree-SMU"))
    found = outcomes(small, "hard", "tree-smu", "treesmu", (1, 2, 3))
    for depth in range(1, 20):
        assert float(smu[f"depth {depth} %"]) == pytest.approx(fmean(directly(found, depth, depth)))
    assert smu["parameters"] == "1234"
    names = [run_name("hard", "tree-smu", "treesmu", seed) for seed in (1, 2, 3)]
    lines = [(small / "runs" / name / "metrics.jsonl").read_text().splitlines() for name in names]
    middle = [sorted(json.loads(line)["seconds"] for line in some)[1] for some in lines]
    assert float(smu["seconds an epoch"]) == min(middle) < max(middle)
    assert "of the fastest seed" in (small / "tables" / "learning.md").read_text()
    assert shown(directly(found, 8, 19)) in (small / "tables" / "learning.md").read_text()


def test_the_summary_says_what_data_recipe_and_cell_do(small: Path) -> None:
    page = (small / "report.html").read_text()
    for heading in (
        "In short",
        "Beside the paper",
        "What generalises",
        "What does not",
        "What the data does",
        "What the recipe does",
        "What the cell does",
    ):
        assert f"<h3>{heading}</h3>" in page
    mean = {
        (corpus, recipe): fmean(
            fmean(directly(outcomes(small, corpus, model, recipe, (1, 2, 3)), 8, 19))
            for model in ("tree-rnn", "tree-lstm", "tree-smu")
        )
        for corpus in ("paper", "hard")
        for recipe in ("paper", "treesmu")
    }
    change = f"{mean['hard', 'paper'] - mean['paper', 'paper']:+.1f}".replace("-", "−")
    said = re.search(
        r"Trained and tested on the hard corpus instead of .*? \(paper&#x27;s recipe\): .*?productivity (\S+) points", page
    )
    assert said is not None
    assert said[1] == change


def test_unpacked_the_record_gives_the_same_report_byte_for_byte(every: Path, tmp_path: Path) -> None:
    with tarfile.open(every / "record.tar.xz") as record:
        record.extractall(tmp_path, filter="data")
    written = write_report(tmp_path)
    for file in [written.report, *written.tables, *written.figures, tmp_path / "record.tar.xz"]:
        assert file.read_bytes() == (every / file.relative_to(tmp_path)).read_bytes(), file
    made = {file for kind in ("tables", "figures") for file in (every / kind).iterdir()}
    assert {file.name for file in made} == {file.name for file in [*written.tables, *written.figures]}


def test_what_ends_while_the_report_is_written_is_not_in_its_record(tmp_path: Path) -> None:
    first, later = (run_name("paper", "tree-smu", "paper", seed) for seed in (1, 2))
    write_plan(tmp_path, {"productivity": study({first: "", later: ""})})
    write_run(tmp_path, first)
    folder = Folder(tmp_path)
    write_run(tmp_path, later)
    with tarfile.open(write_record(folder)) as record:
        assert {name.split("/")[-2] for name in record.getnames() if name.startswith("runs/")} == {"seed-1"}


def test_the_page_needs_no_network(every: Path) -> None:
    page = (every / "report.html").read_text()
    assert not re.search(r"<script|<link|<img|@import|url\((?!#)", page)
    links = set(re.findall(r'\bhref="(?!#)([^"]+)"', page))
    assert {link for link in links if not link.startswith("figures/")} == {"https://arxiv.org/abs/1911.01545"}
    assert all((every / link).is_file() for link in links if link.startswith("figures/"))
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', page)) <= {(i, "") for i in ids} | {("", i) for i in ids}


def test_every_study_has_a_section_with_its_question_and_what_was_found(every: Path) -> None:
    page = (every / "report.html").read_text()
    for name, runs in RUNS.items():
        start = page.index(f'<h2 id="{name}">')
        section = page[start : page.index("<h2", start + 4)]
        assert "<p>Is it <em>so</em>?</p><p>Trained on <code>x</code>.</p>" in section
        assert "<table>" in section
        assert name == "unheard_of" or "<svg" in section
        assert len(runs) > 0
    for name in (
        "substitutivity",
        "stack-rows",
        "sample-efficiency-by-depth",
        "completion-by-depth",
        "overgeneralisation",
        "summary",
    ):
        assert {file.suffix for file in (every / "figures").glob(f"{name}.*")} == {".svg", ".pdf", ".png", ".csv"}
    for name in ("learning", "localism", "completion", "ablation", "corpora", "settings", "models", "summary"):
        assert {file.suffix for file in (every / "tables").glob(f"{name}.*")} == {".md", ".csv", ".tex"}


@pytest.mark.parametrize(
    ("table", "row", "wanted"),
    [
        ("substitutivity", "Tree-SMU", ["75.0", "50.0", "31.2", "0.25", "–", "50", "87.5", "75.0", "50.0"]),
        ("step-by-step", "Tree-SMU", ["50", "93.8", "75.0", "50.0", "50", "62.5", "75.0", "50.0"]),
        ("overgeneralisation", "Tree-SMU", ["12", "75.0", "1", "25.0", "–", "50.0"]),
        ("completion", "Tree-SMU", ["37.5", "75.0"] * 4),
        ("completion", "prior", ["12.5", "25.0"] * 4),
        ("stack-rows", "2", ["1.25 paper 0.05, +1.20", "1.50 paper 0.31, +1.19"]),
    ],
)
def test_what_was_asked_of_models_is_shown(every: Path, table: str, row: str, wanted: list[str]) -> None:
    rows = cells((every / "report.html").read_text(), table)
    assert next(found for found in rows if found[0] == row)[1:] == wanted
    assert ANALYSES


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    runs = main_runs(seeds=(1, 2))
    done = list(runs)[:4]
    analysed = {run_name("hard", "tree-smu", "treesmu", 1): ""}
    studies = {
        "productivity": study(runs, title="First"),
        "localism": study({run_name("paper", "tree-smu", "paper", 1, "5-13"): ""}, title="Second"),
        "completion": study(analysed, analysed, title="Third"),
    }
    write_plan(tmp_path, studies)
    for name in [*done, *analysed]:
        write_run(tmp_path, name)
    written = write_report(tmp_path)
    assert written.missing == [
        f"First: {len(runs) - 5} of {len(runs)} runs are not finished, the first: {list(runs)[4]}.",
        f"Third: 1 trained models are not analysed yet, the first: {next(iter(analysed))}.",
        "Not run yet: Second.",
        "One seed, so that nothing can be said about chance: First; Third.",
        "Fewer epochs than the paper's 100: 3 (recipe paper), 3 (recipe treesmu) in First; 3 (recipe treesmu) in Third.",
        "Few equations to learn from, so that models differ less than they could: 80 (paper), 80 (hard); the paper has 27,207.",
    ]
    page = written.report.read_text()
    assert "Not run yet: none of 1 runs is finished." in page
    assert "The models are trained, but not analysed yet." in page


def test_nothing_done_yet_is_a_report_too(tmp_path: Path) -> None:
    """And plan.json is as the experiments write it."""
    plan.write_plan(tmp_path / "plan.json", Preset.read("quick"))
    written = write_report(tmp_path)
    assert (written.tables, written.figures) == ([], [])
    titles = "; ".join(study.title for study in Preset.read("quick").studies.values())
    assert written.missing == [f"Not run yet: {titles}."]
    assert "Productivity: does a model that has seen equations of depth 1-7 verify deeper ones?" in written.report.read_text()


def test_analyses_that_found_nothing_leave_no_empty_figure(tmp_path: Path) -> None:
    nothing = {"equations": 0, "agreement": None, "accuracy_before": None, "accuracy_after": None, "by_depth": {}}
    empty: dict[str, Any] = {
        "substitutivity": ANALYSES["substitutivity"]
        | {"expressions": [], "purity": None, "silhouette": None, "chance": None, "replaced": nothing},
        "step_by_step": {"one_step": nothing, "all_steps": nothing},
        "overgeneralisation": {"exceptions": 0, "peak": None, "peak_epoch": None, "overridden_epoch": None, "epochs": []},
        "completion": {"overall": {"blanks": 0}, "by_depth": {}},
        "stack_size": {"stack": 2, "by_depth": {}},
    }
    write_plan(tmp_path, {name: study(RUNS[name], RUNS[name], name) for name in empty})
    for run in dict.fromkeys(run for name in empty for run in RUNS[name]):
        write_run(tmp_path, run)
    for name, content in empty.items():
        for run in RUNS[name]:
            write_analysis(tmp_path, name, run, content)
    drawn = {file.name for file in write_report(tmp_path).figures}
    assert {name.partition(".")[0] for name in drawn} == {"stack-size"}  # accuracy, which was tested


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("plan.json", "{", "plan.json: cannot be read"),
        ("plan.json", '{"studies": ["productivity"]}', "plan.json: does not say what its studies ask"),
        ("plan.json", '{"studies": {"a": {}}}', "plan.json: not a plan of treesmu reproduce"),
        ("runs/{run}/test.json", "{}", "test.json: 'overall' is missing"),
        ("runs/{run}/settings.json", "[]", "settings.json: 'settings' is missing"),
        ("runs/{run}/metrics.jsonl", "", "metrics.jsonl: no epochs"),
        ("runs/{run}/metrics.jsonl", '{"epoch": 1, "seconds": 1.0}\n' * 2, "metrics.jsonl: not what this version writes"),
        ("runs/{run}/test.json", TEST_WITHOUT_COUNTS, "test.json: not what this version writes"),
        ("analyses/completion/{run}.json", "{}", "analyses/completion: not what this version writes"),
    ],
)
def test_damaged_files_are_named(tmp_path: Path, file: str, content: str, said: str) -> None:
    runs = main_runs(seeds=(1,), models=("tree-smu",))
    write_plan(tmp_path, {"productivity": study(runs), "completion": study(runs, runs)})
    for name in runs:
        write_run(tmp_path, name)
    write_analysis(tmp_path, "completion", next(iter(runs)), ANALYSES["completion"])
    (tmp_path / file.format(run=next(iter(runs)))).write_text(content)
    with pytest.raises(DataError, match=re.escape(said)):
        write_report(tmp_path)
    assert not (tmp_path / "report.html").exists()
