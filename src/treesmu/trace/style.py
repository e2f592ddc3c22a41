"""Colours and fonts of the drawn tree, for light and dark backgrounds; they suit colour-blind readers (Okabe and Ito)."""

from __future__ import annotations

MONOSPACE = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
SANS = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"

# class: (property, light, dark)
_COLOURS = {
    "background": ("fill", "#ffffff", "#16181d"),
    "box": ("fill", "#f6f7f9", "#22262e"),
    "outline": ("stroke", "#b6bcc6", "#4b5362"),
    "line": ("stroke", "#858d9b", "#7d8696"),
    "ink": ("fill", "#16181d", "#eceff4"),
    "faint": ("fill", "#5b6472", "#a4acba"),
    "row": ("fill", "#6a3d9a", "#c9a8f5"),
    "push": ("fill", "#0072b2", "#56b4e9"),
    "no_op": ("fill", "#a8adb5", "#7f8794"),
    "pop": ("fill", "#d55e00", "#f09a4e"),
    "gate-0": ("fill", "#009e73", "#3fc79f"),
    "gate-1": ("fill", "#cc79a7", "#e29cc3"),
    "gate-2": ("fill", "#b58900", "#f0c94a"),
}
GATE_COLOURS = sum(name.startswith("gate-") for name in _COLOURS)


def svg_style() -> str:
    """Return the style sheet of the drawing. Plain classes, because not all programs that show SVG know variables."""
    rules = "".join(f".tt .{name}{{{kind}:{light}}}" for name, (kind, light, _) in _COLOURS.items())
    dark = "".join(f".tt .{name}{{{kind}:{dark}}}" for name, (kind, _, dark) in _COLOURS.items())
    text = f".tt text{{font-family:{SANS};font-size:11px}}.tt .symbol{{font-family:{MONOSPACE};font-size:14px;font-weight:600}}"
    shapes = ".tt .line{fill:none;stroke-linecap:round}.tt .outline{stroke-width:1}.tt .small{font-size:9px}"
    title = ".tt .title{font-size:14px;font-weight:600}"
    return f"{rules}{text}{shapes}{title}@media (prefers-color-scheme:dark){{{dark}}}"
