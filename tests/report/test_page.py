"""The page against the files that it is computed from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from every_study import RUNS
from reproduced import outcomes, pooled_accuracies, run_name, shown, study, write_plan, write_run
from treesmu.report.write import write_report


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


def test_the_table_has_the_numbers_of_the_run_folders(small: Path) -> None:
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
                assert row[3].startswith(shown(pooled_accuracies(found, 1, 7)))
                assert row[4].startswith(shown(pooled_accuracies(found, 8, 19)))
                assert row[-1] == "3"
                assert ("paper" in row[4]) == (corpus == recipe == "paper")
    assert next(rows, None) is None


def test_the_papers_number_and_the_difference_are_shown_with_ours(small: Path) -> None:
    page = (small / "report.html").read_text()
    row = next(row for row in cells(page, "productivity") if row[0] == "Tree-SMU")
    ours = fmean(pooled_accuracies(outcomes(small, "paper", "tree-smu", "paper", (1, 2, 3)), 8, 19))
    assert row[4].endswith(f"paper 79.57±0.16, {ours - 79.57:+.1f}".replace("-", "−"))


@pytest.mark.parametrize(("corpus", "is_told"), [("paper", True), ("hard", False)])
def test_the_page_promises_the_papers_numbers_only_if_it_has_some(corpus: str, is_told: bool, tmp_path: Path) -> None:
    name = run_name(corpus, "tree-smu", "paper", 1)
    write_plan(tmp_path, {"localism": study({name: ""})})
    write_run(tmp_path, name)
    write_report(tmp_path)
    assert ("The paper’s numbers are shown next to ours." in (tmp_path / "report.html").read_text()) == is_told


def test_the_summary_has_the_effects_of_data_recipe_and_cell(small: Path) -> None:
    page = (small / "report.html").read_text()
    for heading in (
        "In short",
        "Comparison with the paper",
        "What generalises",
        "What does not generalise",
        "Effect of the data",
        "Effect of the recipe",
        "Effect of the cell",
    ):
        assert f"<h3>{heading}</h3>" in page
    mean = {
        (corpus, recipe): fmean(
            fmean(pooled_accuracies(outcomes(small, corpus, model, recipe, (1, 2, 3)), 8, 19))
            for model in ("tree-rnn", "tree-lstm", "tree-smu")
        )
        for corpus in ("paper", "hard")
        for recipe in ("paper", "treesmu")
    }
    change = f"{mean['hard', 'paper'] - mean['paper', 'paper']:+.1f}".replace("-", "−")
    sentence = re.search(
        r"Trained and tested on the hard corpus instead of .*? \(paper&#39;s recipe\): .*?productivity (\S+) points", page
    )
    assert sentence is not None
    assert sentence[1] == change


def test_the_page_needs_no_network(every: Path) -> None:
    page = (every / "report.html").read_text()
    assert not re.search(r"<script|<link|<img|@import|url\((?!#)", page)
    links = set(re.findall(r'\bhref="(?!#)([^"]+)"', page))
    assert {link for link in links if not link.startswith("figures/")} == {"https://arxiv.org/abs/1911.01545"}
    assert all((every / link).is_file() for link in links if link.startswith("figures/"))
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', page)) <= {(i, "") for i in ids} | {("", i) for i in ids}


def test_every_study_has_a_section_with_its_question_tables_and_figures(every: Path) -> None:
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
def test_the_numbers_of_analyses_are_shown(every: Path, table: str, row: str, wanted: list[str]) -> None:
    rows = cells((every / "report.html").read_text(), table)
    assert next(found for found in rows if found[0] == row)[1:] == wanted


# -- in a browser ------------------------------------------------------------------------------------------------------


@contextmanager
def opened(browser: Any, folder: Path, width: int, scheme: str = "light") -> Iterator[Any]:
    """The page in a window of this width, on a system with this colour scheme."""
    window = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    window.goto((folder / "report.html").as_uri())
    yield window
    window.close()


def luminance(window: Any, selector: str, property_: str) -> float:
    """The brightness of a colour that the browser has computed, from 0 to 1."""
    colour = window.eval_on_selector(selector, f"element => getComputedStyle(element)['{property_}']")
    return fmean(int(channel) / 255 for channel in re.findall(r"\d+", colour)[:3])


@pytest.mark.parametrize("width", [390, 800, 1200, 1500])
def test_the_page_fits_into_every_window_and_fetches_nothing(every: Path, browser: Any, width: int) -> None:
    window = browser.new_page(viewport={"width": width, "height": 900})
    fetched: list[str] = []
    window.on("request", lambda request: fetched.append(request.url))
    window.goto((every / "report.html").as_uri())
    assert window.evaluate("document.documentElement.scrollWidth") <= width
    assert fetched == [(every / "report.html").as_uri()]
    window.close()


def test_colours_follow_the_system_unless_the_reader_chooses(every: Path, browser: Any) -> None:
    for scheme in ("light", "dark"):
        with opened(browser, every, 1200, scheme) as window:
            for choice in ("system", "light", "dark"):
                window.click(f"label[for=theme-{choice}]")
                is_dark = (scheme if choice == "system" else choice) == "dark"
                assert (luminance(window, "body", "backgroundColor") < 0.2) == is_dark
                assert (luminance(window, "body", "color") > 0.8) == is_dark
                filters = window.eval_on_selector(".panels svg", "svg => getComputedStyle(svg).filter")
                assert filters.startswith("invert") == is_dark


def test_text_is_beside_figures_where_there_is_room(every: Path, browser: Any) -> None:
    for width, is_beside in ((1500, True), (390, False)):
        with opened(browser, every, width) as window:
            text, panels = (window.locator(f"#figure-summary > {part}").bounding_box() for part in ("figcaption", ".panels"))
            assert (panels["x"] >= text["x"] + text["width"]) == is_beside
            assert (panels["y"] >= text["y"] + text["height"]) != is_beside


def test_a_wide_table_scrolls_in_its_box_and_shows_that_it_goes_on(every: Path, browser: Any) -> None:
    with opened(browser, every, 390) as window:
        box = window.locator("#table-productivity .scroll")
        assert box.evaluate("box => box.scrollWidth > box.clientWidth")
        before = box.screenshot()
        box.evaluate("box => box.scrollLeft = box.scrollWidth")
        shadows = box.evaluate("box => getComputedStyle(box).backgroundAttachment")
        assert shadows == "local, local, scroll, scroll"
        assert box.screenshot() != before
