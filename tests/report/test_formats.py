"""Tables as Markdown, CSV, LaTeX and HTML."""

from __future__ import annotations

from treesmu.report.formats import comma_separated, latex, markdown, templates
from treesmu.report.numbers import Spread
from treesmu.report.paper import PaperValue
from treesmu.report.table import Column, Compared, Table

TABLE = Table(
    name="small",
    caption="A caption & more",
    columns=(Column("corpus"), Column("model"), Column.percent("accuracy %", has_best=True), Column("rows")),
    rows=(
        ("a", "one_1", Compared(Spread((0.5, 0.6)), PaperValue(54.0, 0.5)), 1000),
        ("a", "two <2>", Spread((0.75,)), None),
        ("b", "three", None, 3),
    ),
    keys=2,
    notes=("A note.",),
)


def test_markdown() -> None:
    assert markdown(TABLE).splitlines() == [
        "**A caption & more**",
        "",
        "| corpus | model | accuracy % | rows |",
        "|---|---|---:|---:|",
        "| a | one_1 | 55.0 ± 7.1 (paper 54.00±0.50, +1.0) | 1,000 |",
        "| a | two <2> | 75.0 | – |",
        "| b | three | – | 3 |",
        "",
        "A note.",
    ]


def test_csv_has_every_number_in_a_column_of_its_own() -> None:
    assert comma_separated(TABLE).splitlines() == [
        "corpus,model,accuracy %,accuracy % sd,accuracy % of the paper,accuracy % difference,rows",
        "a,one_1,55,7.071067812,54,1,1000",
        "a,two <2>,75,,,,",
        "b,three,,,,,3",
    ]


def test_latex_has_groups_the_best_in_bold_and_no_raw_special_characters() -> None:
    lines = latex(TABLE).splitlines()
    assert r"\toprule" in lines
    assert lines[-2:] == [r"\bottomrule", r"\end{tabular}"]
    assert r"\multicolumn{3}{l}{\emph{corpus a}} \\" in lines
    assert r"one\_1 & 55.0\,$\pm$\,7.1 {\footnotesize(54.00$\pm$0.50, $+1.0$)} & 1,000 \\" in lines
    assert r"two <2> & \textbf{75.0} & -- \\" in lines
    assert r"model & accuracy \% & rows \\" in lines


def html(table: Table) -> str:
    return templates().from_string('{% from "table.html" import table %}{{ table(t) }}').render(t=table)


def test_html_is_escaped_and_the_best_is_bold() -> None:
    text = html(TABLE)
    assert "A caption &amp; more" in text
    assert "two &lt;2&gt;" in text
    assert "<b>75.0</b>" in text
    assert '<small>paper 54.00±0.50, <span class="away">+1.0</span></small>' in text


def test_nothing_is_best_if_all_numbers_are_shown_alike() -> None:
    columns = (Column("m"), Column.percent("a", has_best=True))
    same = Table("t", "c", columns, (("x", Spread((0.5,))), ("y", Spread((0.50001,)))))
    assert "<b>" not in html(same)
