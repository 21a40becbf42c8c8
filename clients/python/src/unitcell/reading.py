"""Answers as dataclasses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

T = TypeVar("T")


def read(kind: type[T], answer: Mapping[str, Any], **more: Any) -> T:
    """An object of a dataclass from the fields of an answer that it names; what a newer site adds is left out."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    known = {name: answer[name] for name in names if name in answer}
    return kind(**{**known, **more})
