"""Make the pictures of the explorer for the documentation: ``make screenshots``. Needs Chromium, playwright and Pillow.

``python docs/make/screenshots.py --all FOLDER`` makes many more, to be looked at after a change: from a phone to a projector,
light and dark, large trees, long equations, errors, and tabs that have nothing to show.
"""

from __future__ import annotations

import argparse
import io
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import sync_playwright

from treesmu.shipped import shipped_models

ASSETS = Path(__file__).parents[1] / "assets"
COLOURS = 128  # of a picture: flat drawings need few
PATIENCE = 600_000  # milliseconds
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--font-render-hinting=none"]
PYTHAGORAS, SLIP, BLANK = "sin(x)^2 + cos(x)^2 = 1", "sin(2x) = 2 sin(x)", "sin(x)^2 + _ = 1"
SIXTY = "(sin(x)^2 + cos(x)^2) (1 + tan(y)^2) + (x + y)^2 - 2 x y = (x^2 + y^2) (cosh(z)^2 - sinh(z)^2) + sec(y)^2 cos(0 z)"
LONG = " + ".join(f"sin({k} x)^2 / {k}" for k in range(1, 13)) + " = 1"
DRAWN, FOUND = "#tree-place [role=treeitem]", ".neighbours li"


@dataclass(frozen=True)
class Picture:
    """A state of the page, what there is when it is complete, and what is shown of it."""

    state: dict[str, str]
    ready: tuple[str, ...] = (DRAWN, FOUND)
    part: str = ""  # an element; by default the window
    size: tuple[int, int] = (1280, 860)
    scheme: str = "light"
    click: tuple[str, ...] = ()
    is_whole: bool = field(default=False)  # the whole page, also what is below the window


PICTURES = {
    "explorer": Picture({"text": SLIP, "node": "r.1"}, size=(1720, 1000)),
    "explorer-node": Picture({"text": PYTHAGORAS, "node": "r.0"}, part="#node-card", size=(1280, 860)),
    "explorer-compare": Picture({"text": PYTHAGORAS, "tab": "compare"}, ("#second-tree [role=treeitem]",), "#panel-compare"),
    "explorer-map": Picture({"text": PYTHAGORAS, "tab": "map"}, (".scatter .own text",), "#panel-map", (1100, 860)),
}
LOOKS = {
    "start": Picture({}, is_whole=True),
    "empty": Picture({"text": ""}, ("#tree-empty .empty",), is_whole=True),
    "error": Picture({"text": "sin(x + 1 = 2"}, ("#problem:not([hidden])",)),
    "help": Picture({"text": PYTHAGORAS}, click=(".how summary",)),
    "steps": Picture({"text": PYTHAGORAS, "step": "3"}, is_whole=True),
    "sixty": Picture({"text": SIXTY, "colour": "pop"}, is_whole=True),
    "long": Picture({"text": LONG}, is_whole=True),
    "undecided": Picture({"text": "sqrt(x^2) = x"}, size=(1280, 700)),
    "complete": Picture({"text": BLANK, "tab": "complete"}, (".fillers tbody tr",)),
    "complete-empty": Picture({"text": PYTHAGORAS, "tab": "complete"}, ("#complete-place .empty",)),
    "corpus-none": Picture({"text": PYTHAGORAS, "tab": "corpus"}, ("#corpus-place",)),
    "corpus": Picture({"text": PYTHAGORAS, "tab": "corpus"}, ("#corpus-place > *",), is_whole=True),
    "expression": Picture({"text": "sin(x)^2 + 1", "node": "r"}, size=(1280, 800)),
    "dark": Picture({"text": PYTHAGORAS, "node": "r.0"}, scheme="dark", is_whole=True),
    "dark-map": Picture({"text": PYTHAGORAS, "tab": "map"}, (".scatter .own text",), scheme="dark"),
    "phone": Picture({"text": PYTHAGORAS, "node": "r.0"}, size=(360, 740), is_whole=True),
    "phone-dark-compare": Picture(
        {"text": PYTHAGORAS, "tab": "compare"}, ("#second-tree [role=treeitem]",), size=(360, 740), scheme="dark", is_whole=True
    ),
    "phone-complete": Picture({"text": BLANK, "tab": "complete"}, (".fillers tbody tr",), size=(360, 740), is_whole=True),
    "phone-map": Picture({"text": PYTHAGORAS, "tab": "map"}, (".scatter .own text",), size=(360, 740), is_whole=True),
    "projector": Picture({"text": PYTHAGORAS, "node": "r.0"}, size=(1920, 1080)),
    "projector-sixty": Picture({"text": SIXTY}, size=(1920, 1080), is_whole=True),
}


@contextmanager
def running_explorer(*options: str) -> Iterator[str]:
    """Run ``treesmu serve`` at a free port; yield its address."""
    command = [sys.executable, "-m", "treesmu", "serve", "--port", "0", "--seconds", "600", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        if found is None:
            raise SystemExit("the explorer did not start")
        yield found.group()
    finally:
        process.terminate()
        process.wait(60)


def take(browser: Any, address: str, picture: Picture) -> bytes:
    """Return a picture of the page as PNG."""
    width, height = picture.size
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=picture.scheme, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/#{urlencode(picture.state)}")
    for selector in picture.click:
        page.locator(selector).click()
    for selector in ("html[data-ready]", *picture.ready):
        page.locator(selector).first.wait_for()
    page.locator("#panel-tree").and_(page.locator("[aria-busy=true]")).wait_for(state="detached")
    place = page.locator(picture.part) if picture.part else page
    options = {} if picture.part else {"full_page": picture.is_whole}
    found: bytes = place.screenshot(animations="disabled", **options)
    page.close()
    return found


def smaller(png: bytes) -> bytes:
    """Return a PNG with a palette of few colours."""
    with Image.open(io.BytesIO(png)) as image, io.BytesIO() as out:
        image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
        return out.getvalue()


def main() -> None:
    """Write the pictures and say how large they are."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="write many more, to this folder")
    parser.add_argument("--only", metavar="WORD", default="", help="only pictures whose name contains this")
    parser.add_argument("--models", metavar="FOLDER", help="further models")
    parser.add_argument("--corpus", metavar="CORPUS", help="for the tab Corpus; by default the pictures have none")
    options = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("no Chromium: apt-get install chromium")
    folder = options.all or ASSETS
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {name: one for name, one in (PICTURES | LOOKS if options.all else PICTURES).items() if options.only in name}
    given = [part for name in ("models", "corpus") if (value := getattr(options, name)) for part in (f"--{name}", value)]
    with sync_playwright() as playwright, running_explorer(*given) as address:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS, timeout=PATIENCE)
        for name, picture in pictures.items():
            if picture.state.get("tab") == "compare" and len(shipped_models()) < 2 and not options.models:
                print(f"{name}: left out, because there is only one model; give others with --models FOLDER")
                continue
            png = smaller(take(browser, address, picture))
            (folder / f"{name}.png").write_bytes(png)
            print(f"{folder / name}.png: {len(png) / 1000:.0f} kB", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
