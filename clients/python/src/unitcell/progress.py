"""Bars of progress: tqdm's when it is installed, none otherwise."""

from __future__ import annotations

from typing import Any, Protocol


class Bar(Protocol):
    """What a bar can do."""

    def update(self, n: float = 1) -> Any: ...
    def close(self) -> Any: ...


class NoBar:
    """Shows nothing."""

    def update(self, n: float = 1) -> None:
        return None

    def close(self) -> None:
        return None


def bar(title: str, total: float | None, *, shown: bool, unit: str = "") -> Bar:
    """A bar on standard error. Shown on a terminal or in a notebook only, as tqdm decides."""
    if not shown:
        return NoBar()
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return NoBar()
    made: Bar = tqdm(total=total, desc=title, unit=unit, disable=None, unit_scale=unit == "B", leave=False)
    return made
