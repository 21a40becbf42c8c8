"""Powder patterns: calculated ones, and which materials a measured one is."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from .errors import UnitcellError
from .progress import bar
from .reading import read
from .transport import Transport

POLL_SECONDS = 0.5


@dataclass(frozen=True)
class Pattern:
    """A calculated pattern.

    Attributes:
        two_theta: degrees; of the broadened profile.
        intensity: strongest point 100.
        peaks: Bragg peaks: 2θ in degrees, integrated intensity (strongest 100), reflections with d in Å.
        wavelength: Å.
        crystal_size: nm.
    """

    two_theta: list[float]
    intensity: list[float]
    peaks: list[tuple[float, float, str]]
    wavelength: float
    crystal_size: float


@dataclass(frozen=True)
class Measured:
    """A measured pattern as the site has read it.

    Attributes:
        two_theta: degrees, rising.
        intensity: counts, or strongest point 100 once normalised.
        warnings: how the file was read: skipped lines, averaged angles.
        measurement: what the file of an instrument says: format, anode, wavelengths (Å), step (degrees) …
    """

    two_theta: list[float]
    intensity: list[float]
    name: str = "pristine"
    background_removed: bool = False
    warnings: list[str] = field(default_factory=list)
    measurement: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "x": list(self.two_theta),
            "y": list(self.intensity),
            "name": self.name,
            "background_removed": self.background_removed,
        }


@dataclass(frozen=True)
class Hit:
    """A material that may be the measured one.

    Attributes:
        distance: of the patterns, smaller is nearer.
        energy_above_hull: eV/atom; None when it is not known.
        strain: change of the cell that fits best: 0.01 is 1 % larger.
        explained_share: of the measured intensity that its lines explain, 0 to 1.
        confirmed_share: of its own intensity that measured peaks confirm, 0 to 1.
        confidence: ``confident``, ``possible`` or ``none``.
        rivals: struct_ids that fit about as well.
    """

    distance: float
    struct_id: int
    formula: str
    space_group: str
    nsites: int
    energy_above_hull: float | None
    strain: float
    explained_share: float
    confirmed_share: float
    confidence: str
    rivals: list[int]


@dataclass(frozen=True)
class Match:
    """What a measured pattern is.

    Attributes:
        hits: nearest first.
        named: struct_id the verdict is of; None when nothing fits.
        statement: the verdict in words.
        wavelength: Å.
        crystal_size: nm.
        candidates: materials compared.
    """

    hits: list[Hit]
    named: int | None
    confidence: str
    statement: str
    wavelength: float
    crystal_size: float
    candidates: int
    warnings: list[str]


class Patterns:
    """``client.patterns``."""

    def __init__(self, transport: Transport, *, progress: bool) -> None:
        self._transport = transport
        self._progress = progress

    def calculated(self, struct_id: int, *, wavelength: float | None = None, crystal_size: float = 200) -> Pattern:
        """The pattern of a material.

        Args:
            wavelength: Å; Cu Kα when None.
            crystal_size: of the crystallites, nm.
        """
        if wavelength is None and crystal_size == 200:
            answer = self._transport.call("/api/matdata/get_xrd_handle/", {"struct_id": struct_id})
        else:
            body = {"struct_id": struct_id, "wavelength": wavelength or 1.5418, "crystalSize": crystal_size}
            answer = self._transport.call("/api/matdata/get_xrd_handle2/", body)
        peaks = [peak for part in answer["data"] for peak in zip(part["x"], part["y"], part["text"], strict=True)]
        return Pattern(answer["x"], answer["y"], peaks, answer["wavelength"], answer["crystal_size"])

    def read(self, path: str | Path) -> Measured:
        """Has the site read the file of an instrument, or one of two or three columns; at most 2 MB."""
        file = Path(path)
        answer = self._transport.upload("/api/xrd/xrd_receive/", "xrd-file", file.name, file.read_bytes())
        return read(Measured, answer, two_theta=answer["x"], intensity=answer["y"])

    def match(
        self,
        pattern: str | Path | Measured | tuple[Sequence[float], Sequence[float]],
        *,
        elements: str = "",
        radiation: str | float | None = None,
        way: Literal["DTW", "Euclidean"] = "DTW",
        top: int = 20,
        on_progress: Callable[[str, float], None] | None = None,
    ) -> Match:
        """The materials whose patterns are nearest to a measured one; waits until the match is done.

        Args:
            pattern: a file, what :meth:`read` answered, or angles (degrees) and intensities.
            elements: ``only: Al N`` (exactly these), ``include: Al N`` (at least these); empty: all materials.
            radiation: a source (``CuKa``, ``Cu Ka1``) or a wavelength in Å; default: that of the file, else ``CuKa``.
            top: hits wanted, at most 100.
            on_progress: called with the state in words and its share (0 to 1) while it waits.
        """
        if isinstance(pattern, tuple):
            measured = Measured([float(x) for x in pattern[0]], [float(y) for y in pattern[1]])
        else:
            measured = pattern if isinstance(pattern, Measured) else self.read(pattern)
        match_id = uuid.uuid4().hex
        body = {
            "xrd_data": measured.to_json(),
            "elements": elements,
            "radiation": measured.measurement.get("radiation", "CuKa") if radiation is None else radiation,
            "match_way": way,
            "top": top,
            "match_id": match_id,
        }
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(self._transport.call, "/api/xrd/xrd_match/", body, again=False)
            try:
                answer = self._follow(running, match_id, on_progress)
            except BaseException:
                # Whoever stops waiting (Ctrl-C) stops the match, too.
                if not running.done():
                    self._cancel(match_id)
                raise
        rows = [Hit(*row, **hit_fields(hit)) for row, hit in zip(answer["results"], answer["hits"], strict=True)]
        return read(Match, answer, hits=rows)

    def _follow(
        self, running: Future[dict[str, Any]], match_id: str, on_progress: Callable[[str, float], None] | None
    ) -> dict[str, Any]:
        shown = bar("match", 1, shown=self._progress)
        done = 0.0
        try:
            while True:
                try:
                    return running.result(timeout=POLL_SECONDS)
                except NotYet:
                    if running.done():
                        raise
                state = self._transport.call("/api/xrd/xrd_progress/", {"match_id": match_id})
                shown.update(max(0.0, state["progress"] - done))
                done = max(done, state["progress"])
                if on_progress:
                    on_progress(state["message"] or state["state"], state["progress"])
        finally:
            shown.close()

    def _cancel(self, match_id: str) -> None:
        try:
            self._transport.call("/api/xrd/xrd_cancel/", {"match_id": match_id}, again=False)
        except UnitcellError:
            return


def hit_fields(hit: dict[str, Any]) -> dict[str, Any]:
    """What is known of a hit beyond its row."""
    names = ("strain", "explained_share", "confirmed_share", "confidence", "rivals")
    return {name: hit[name] for name in names}
