"""Answers as dataclasses, with one name for each quantity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

T = TypeVar("T")

NAMES = {
    "e_above_hull": "energy_above_hull",
    "ehull": "energy_above_hull",
    "bandgap": "band_gap",
    "spacegroup": "space_group",
    "pointgroup": "point_group",
    "functional": "scale",
}
"""Names on the wire that differ from call to call, and the one name that the client has for them."""


def read(kind: type[T], answer: Mapping[str, Any], **more: Any) -> T:
    """An object of a dataclass from the fields of an answer that it names; what a newer site adds is left out."""
    named = {NAMES.get(name, name): value for name, value in answer.items()}
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    known = {name: named[name] for name in names if name in named}
    return kind(**{**known, **more})
