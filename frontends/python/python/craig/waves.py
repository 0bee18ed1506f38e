"""Runs of circuits as waves."""

from __future__ import annotations

import html
from typing import Any, Sequence

_WIDTH, _HEIGHT, _GAP = 44, 18, 8
#: The width of a letter, in the font of the names.
_LETTER = 7


def draw(steps: Sequence[dict[str, Any]]) -> str:
    """A drawing (SVG) with a row for each signal of a run: a line that is high or low, or boxes with the values of a word.

    >>> draw([]), draw([{"line": 3}])
    ('', '')
    """
    rows = _rows(steps)
    if not rows:
        return ""
    left = _LETTER * max(len(name) for name in rows) + 16
    width = left + _WIDTH * len(steps) + 8
    parts = []
    for number, step in enumerate(steps):
        x = left + _WIDTH * number
        parts.append(f'<text x="{x + _WIDTH // 2}" y="12" text-anchor="middle" fill="#777">{step.get("step", number)}</text>')
        parts.append(f'<path d="M{x} 18V{26 + (_HEIGHT + _GAP) * len(rows)}" stroke="#ddd"/>')
    for number, (name, values) in enumerate(rows.items()):
        top = 24 + (_HEIGHT + _GAP) * number
        parts.append(f'<text x="{left - 8}" y="{top + 14}" text-anchor="end">{html.escape(name)}</text>')
        is_bit = all(value in (None, 0, 1) for value in values)
        parts.append(_bit(values, left, top) if is_bit else _word(values, left, top))
    style = 'font-family="monospace" font-size="12" style="background:#fff"'
    size = f'width="{width}" height="{34 + (_HEIGHT + _GAP) * len(rows)}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>{"".join(parts)}</svg>'


def _rows(steps: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """The values of each signal, in each step."""
    rows: dict[str, list[Any]] = {}
    for kind in ("inputs", "state"):
        for name in dict.fromkeys(name for step in steps for name in step.get(kind) or {}):
            rows[name] = [(step.get(kind) or {}).get(name) for step in steps]
    for bad in dict.fromkeys(bad for step in steps for bad in step.get("bads") or ()):
        rows[str(bad)] = [int(bad in (step.get("bads") or ())) for step in steps]
    return rows


def _bit(values: list[Any], left: int, top: int) -> str:
    """A line; where there is no value, none."""
    path, before = "", None
    for number, value in enumerate(values):
        x, y = left + _WIDTH * number, top + (0 if value else _HEIGHT)
        if value is not None:
            path += f"V{y}" if before is not None else f"M{x} {y}"
            path += f"H{x + _WIDTH}"
        before = value
    return f'<path d="{path}" fill="none" stroke="#1b6ca8" stroke-width="1.5"/>' if path else ""


def _word(values: list[Any], left: int, top: int) -> str:
    """Boxes, as wide as a value stays."""
    parts, begin = [], 0
    for end in range(1, len(values) + 1):
        if end < len(values) and values[end] == values[begin]:
            continue
        x, width = left + _WIDTH * begin, _WIDTH * (end - begin)
        if values[begin] is not None:
            text = html.escape(str(values[begin]))
            shown = text if len(str(values[begin])) * _LETTER < width else "&#8230;"
            parts.append(
                f'<rect x="{x + 1}" y="{top}" width="{width - 2}" height="{_HEIGHT}" rx="4" fill="#eef4fa" stroke="#1b6ca8">'
                f"<title>{text}</title></rect>"
                f'<text x="{x + width // 2}" y="{top + 13}" text-anchor="middle">{shown}</text>'
            )
        begin = end
    return "".join(parts)
