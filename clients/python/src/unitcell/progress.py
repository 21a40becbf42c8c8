"""Progress bars by tqdm; none if tqdm is not installed."""

from __future__ import annotations

from typing import Any, Protocol


class Bar(Protocol):
    """Interface of a progress bar."""

    def update(self, n: float = 1) -> Any: ...
    def close(self) -> Any: ...


class NoBar:
    """A progress bar that shows nothing."""

    def update(self, n: float = 1) -> None:
        return None

    def close(self) -> None:
        return None


def bar(title: str, total: float | None, *, shown: bool, unit: str = "") -> Bar:
    """A progress bar on standard error. tqdm shows it only on a terminal or in a notebook."""
    if not shown:
        return NoBar()
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return NoBar()
    made: Bar = tqdm(total=total, desc=title, unit=unit, disable=None, unit_scale=unit == "B", leave=False)
    return made
