"""Write the generated pages of docs/reference: modules, commands and settings. Run by ``make docs``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import commands_page
import modules_page
import settings_page

REFERENCE = Path(__file__).parents[1] / "reference"
PAGES: dict[str, Callable[[], str]] = {
    "modules.md": modules_page.page,
    "commands.md": commands_page.page,
    "settings.md": settings_page.page,
}


def main() -> None:
    """Write the pages."""
    for name, page in PAGES.items():
        (REFERENCE / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
