"""Exports: SVG that needs no other file, PNG, JSON as the service sends it, and a link."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

TEXT = "sin(2x) = 2 sin(x)"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def page(open_page: Any) -> Any:
    opened = open_page(text=TEXT, colour="push")
    expect(opened.locator("#tree-place [role=treeitem]")).to_have_count(9)
    expect(opened.locator(".curves")).to_be_visible()
    return opened


def saved(page: Any, name: str, folder: Path) -> Path:
    """Return the file that a click on a button saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


@pytest.mark.parametrize("name", ["Save the tree as SVG", "Save the plot as SVG"])
def test_an_svg_needs_no_other_file(page: Any, tmp_path: Path, name: str) -> None:
    file = saved(page, name, tmp_path)
    assert file.name.startswith("sin-2-x-2-sin-x")
    text = file.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert "style" not in text.replace("font-style", "")
    assert "class=" not in text
    assert "var(" not in text
    assert all(
        value.startswith("#") or "url" not in value
        for one in root.iter()
        for value in one.attrib.values()
        if "curve-room" not in value
    )
    assert float(root.attrib["width"]) > 300
    colours = {one.attrib.get("fill") for one in root.iter(f"{SVG}rect")} | {
        one.attrib.get("stroke") for one in root.iter(f"{SVG}path")
    }
    assert "rgb(0, 114, 178)" in colours  # the blue of push, and of the left side
    assert any("sin(2*x) = 2*sin(x)" in (one.text or "") for one in root.iter(f"{SVG}text"))


def test_the_svg_of_the_tree_has_every_node_and_the_legend(page: Any, tmp_path: Path, model: Any) -> None:
    root = ElementTree.fromstring(saved(page, "Save the tree as SVG", tmp_path).read_text(encoding="utf-8"))
    texts = [one.text for one in root.iter(f"{SVG}text")]
    assert [texts.count(symbol) for symbol in ("=", "sin", "×", "2", "x")] == [1, 2, 2, 2, 2]
    assert any(text and text.startswith("push: ") for text in texts)
    probability = float(model.verify(["sin(2*x) = 2*sin(x)"])[0])
    assert any(text and f"P(correct) {probability:.1%}" in text for text in texts)


def test_a_png_is_sharp_and_not_empty(page: Any, tmp_path: Path) -> None:
    data = saved(page, "Save the tree as PNG", tmp_path).read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    assert width > 900
    assert height > 500
    assert len(data) > 20_000  # an empty one of this size has a few thousand bytes


def test_the_json_is_the_trace(page: Any, tmp_path: Path, model: Any) -> None:
    found = json.loads(saved(page, "Save all numbers as JSON", tmp_path).read_text(encoding="utf-8"))
    trace = model.trace(TEXT)
    assert found["expression"] == str(trace.expr)
    assert found["probability"] == pytest.approx(trace.probability)
    for node, expected in zip(found["nodes"], trace.nodes, strict=True):
        assert node["state"] == pytest.approx(expected.state.tolist(), abs=1e-6)
        assert node["stack"] == [pytest.approx(row, abs=1e-6) for row in expected.rows.tolist()]


def test_the_link_is_the_address(page: Any) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#copied")).to_have_text("copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    assert "text=sin" in page.url


def test_the_map_is_saved_as_svg(open_page: Any, tmp_path: Path) -> None:
    page = open_page(tab="map", text=TEXT)
    expect(page.locator(".scatter .own text")).to_have_count(2)
    root = ElementTree.fromstring(saved(page, "Save the map as SVG", tmp_path).read_text(encoding="utf-8"))
    assert len(list(root.iter(f"{SVG}path"))) > 100
