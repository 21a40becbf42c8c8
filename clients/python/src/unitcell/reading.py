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
"""Field names that differ between calls of the API, and the name that the client uses for all of them."""


def read(kind: type[T], answer: Mapping[str, Any], **more: Any) -> T:
    """Makes a dataclass object from an answer. Fields that only a newer site has are ignored."""
    named = {NAMES.get(name, name): value for name, value in answer.items()}
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    known = {name: named[name] for name in names if name in named}
    return kind(**{**known, **more})
