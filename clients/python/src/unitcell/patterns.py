"""Powder patterns: calculated patterns, and identification and refinement of measured patterns."""

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
        two_theta: angles of the broadened profile, degrees.
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
        two_theta: degrees, ascending.
        intensity: counts, or strongest point 100 once normalised.
        warnings: how the file was read: skipped lines, averaged angles.
        measurement: what an instrument file states: format, anode, wavelengths (Å), step (degrees) …
        sigmas: standard deviations of the intensities, which weight a refinement; None: counting statistics.
    """

    two_theta: list[float]
    intensity: list[float]
    name: str = "pristine"
    background_removed: bool = False
    warnings: list[str] = field(default_factory=list)
    measurement: dict[str, Any] = field(default_factory=dict)
    sigmas: list[float] | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "x": list(self.two_theta),
            "y": list(self.intensity),
            "name": self.name,
            "background_removed": self.background_removed,
        }


@dataclass(frozen=True)
class Hit:
    """A material whose pattern is similar to the measured pattern.

    Attributes:
        distance: distance of the patterns; smaller is more similar.
        energy_above_hull: eV/atom; None when it is not known.
        strain: change of the cell lengths that fits best: 0.01 means 1 % larger.
        explained_share: fraction of the measured intensity that the lines of the material explain, 0 to 1.
        confirmed_share: fraction of the material's calculated intensity that has measured peaks, 0 to 1.
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
    """The result of a match.

    Attributes:
        hits: nearest first.
        named: struct_id of the material in the verdict; None when nothing fits.
        statement: the verdict in words.
        wavelength: Å.
        crystal_size: nm.
        candidates: number of materials compared.
    """

    hits: list[Hit]
    named: int | None
    confidence: str
    statement: str
    wavelength: float
    crystal_size: float
    candidates: int
    warnings: list[str]


@dataclass(frozen=True)
class RefinedPhase:
    """A phase of a refined pattern. An estimate is ``{"value": …, "esd": …}``; esd is None when it was not refined.

    Attributes:
        struct_id: None for a CIF.
        weight_fraction: estimate, share of the crystalline phases (0 to 1); None for Le Bail.
        absolute_weight_fraction: estimate, share of the whole sample; only with an internal standard.
        cell: estimates of a, b, c (Å), alpha, beta, gamma (degrees) and volume (Å³); ``start``: before the refinement.
        density: g/cm³.
        r_bragg: a share: 0.05 is 5 %.
        texture: axis and March parameter; None when not refined.
        size: estimate in nm by full widths, K = 0.9; None without a visible effect or a calibrated instrument.
        strain: estimate of Δd/d by full widths; None as for the size.
        broadening: size and strain by the integral breadths of single lines (Williamson-Hall): ``status``, ``size``,
            ``size_at_least`` (nm), ``strain``, ``strain_at_most`` and the ``lines`` of the plot.
        two_theta: angles of the reflections in degrees, with ``d`` in Å, ``hkl`` and ``intensity``.
    """

    name: str
    struct_id: int | None
    formula: str
    space_group: str
    weight_fraction: dict[str, Any] | None
    absolute_weight_fraction: dict[str, Any] | None
    cell: dict[str, dict[str, Any]]
    density: float
    r_bragg: float
    texture: dict[str, Any] | None
    size: dict[str, Any] | None
    strain: dict[str, Any] | None
    broadening: dict[str, Any]
    two_theta: list[float]
    d: list[float]
    hkl: list[str]
    intensity: list[float]


@dataclass(frozen=True)
class Refinement:
    """A refined pattern.

    Attributes:
        verdict: ``good``, ``usable`` or ``poor``; ``statement`` says it in words.
        notices: what a reader must know besides the numbers, most important first.
        two_theta: degrees, with ``measured``, ``calculated`` (background included) and ``background``.
        r_wp: a share: 0.1 is 10 %; so are ``r_exp`` and ``r_p``.
        amorphous_fraction: estimate; only with an internal standard.
        instrument: line widths, from which a later refinement may start (``instrument=``).
        parameters: all parameters with value and esd.
    """

    method: str
    verdict: str
    statement: str
    notices: list[str]
    phases: list[RefinedPhase]
    two_theta: list[float]
    measured: list[float]
    calculated: list[float]
    background: list[float]
    r_wp: float
    r_exp: float
    r_p: float
    chi_squared: float
    displacement: dict[str, Any] | None
    zero: dict[str, Any] | None
    amorphous_fraction: dict[str, Any] | None
    instrument: dict[str, Any]
    parameters: list[dict[str, Any]]
    converged: bool


@dataclass(frozen=True)
class IdentifiedPhase:
    """A phase that was found in a pattern.

    Attributes:
        significance: scale factor divided by its standard deviation; at least 10.
        confirmed_share: fraction of the expected lines that the pattern shows, 0 to 1; at least 0.65.
        alternatives: materials that fit about as well, best first: dictionaries with struct_id, formula, space_group.
        doubt: why its elements are not certain; None if they are.
    """

    struct_id: int
    formula: str
    space_group: str
    significance: float
    confirmed_share: float
    alternatives: list[dict[str, Any]]
    doubt: str | None = None


@dataclass(frozen=True)
class Identification:
    """The phases in a sample and their fractions.

    Attributes:
        verdict: ``identified``, ``partly`` (lines are left, or elements are not certain) or ``none``; ``statement`` says it in words.
        phases: in the order of ``refinement.phases``.
        explained_share: fraction of the intensity above the background that the phases explain, 0 to 1.
        refinement: fractions and cells; None without a phase.
        candidates: number of materials searched.
    """

    verdict: str
    statement: str
    phases: list[IdentifiedPhase]
    explained_share: float
    refinement: Refinement | None
    candidates: int


class Patterns:
    """``client.patterns``."""

    def __init__(self, transport: Transport, *, progress: bool) -> None:
        self._transport = transport
        self._progress = progress

    def calculated(
        self,
        struct_id: int,
        *,
        wavelength: float | None = None,
        crystal_size: float = 200,
        probe: Literal["x-ray", "neutron"] = "x-ray",
    ) -> Pattern:
        """The pattern of a material.

        Args:
            wavelength: Å; Cu Kα when None. Neutrons have no default.
            crystal_size: size of the crystallites, nm.
            probe: for ``neutron`` only nuclear scattering, no magnetic scattering.
        """
        if wavelength is None and probe == "neutron":
            raise TypeError("calculated() needs a wavelength (Å) for neutrons")
        if wavelength is None and crystal_size == 200 and probe == "x-ray":
            answer = self._transport.call("/api/matdata/get_xrd_handle/", {"struct_id": struct_id})
        else:
            body = {
                "struct_id": struct_id,
                "wavelength": 1.54184 if wavelength is None else wavelength,
                "crystalSize": crystal_size,
                "probe": probe,
            }
            answer = self._transport.call("/api/matdata/get_xrd_handle2/", body)
        peaks = [peak for part in answer["data"] for peak in zip(part["x"], part["y"], part["text"], strict=True)]
        return Pattern(answer["x"], answer["y"], peaks, answer["wavelength"], answer["crystal_size"])

    def read(self, path: str | Path) -> Measured:
        """Lets the site read an instrument file, or a text with two or three columns; at most 2 MB."""
        file = Path(path)
        answer = self._transport.upload("/api/xrd/xrd_receive/", "xrd-file", file.name, file.read_bytes())
        return read(Measured, answer, two_theta=answer["x"], intensity=answer["y"])

    def match(
        self,
        pattern: str | Path | Measured | tuple[Sequence[float], Sequence[float]] | None = None,
        *,
        lines: Sequence[tuple[float, float]] | None = None,
        elements: str = "",
        radiation: str | float | None = None,
        way: Literal["DTW", "Euclidean"] = "DTW",
        top: int = 20,
        on_progress: Callable[[str, float], None] | None = None,
    ) -> Match:
        """Finds the materials whose patterns are most similar to a measured pattern; waits for the result.

        Args:
            pattern: a file, what :meth:`read` answered, or angles (degrees) and intensities.
            lines: in place of a pattern, spacing (Å) and intensity of each line, as reference cards list them.
            elements: ``only: Al N`` (exactly these), ``include: Al N *`` (at least these); empty: all materials.
            radiation: a source (``CuKa``), a wavelength in Å or ``neutrons 1.594``; default: the file's, else ``CuKa``.
            top: number of hits, at most 100.
            on_progress: called during the wait with the state in words and the finished share (0 to 1).
        """
        if (pattern is None) == (lines is None):
            raise TypeError("match() takes either a pattern or lines=[(d, intensity), …]")
        measured = None if pattern is None else self._measured(pattern)
        source = "CuKa" if measured is None else measured.measurement.get("radiation", "CuKa")
        listed = [list(line) for line in lines or ()]
        body = {
            **({"lines": listed} if measured is None else {"xrd_data": measured.to_json()}),
            "elements": elements,
            "radiation": source if radiation is None else radiation,
            **({} if measured is None else slit_of(measured)),
            "match_way": way,
            "top": top,
        }
        answer = self._followed("/api/xrd/xrd_match/", body, "match", on_progress)
        rows = [Hit(*row, **hit_fields(hit)) for row, hit in zip(answer["results"], answer["hits"], strict=True)]
        return read(Match, answer, hits=rows)

    def identify(
        self,
        pattern: str | Path | Measured | tuple[Sequence[float], Sequence[float]],
        *,
        elements: str = "",
        radiation: str | float | None = None,
        max_phases: int = 4,
        on_progress: Callable[[str, float], None] | None = None,
        **options: Any,
    ) -> Identification:
        """Finds the phases of a measured pattern and refines them; waits until it is done.

        Args:
            pattern: a file, what :meth:`read` answered, or angles (degrees) and counts with their background.
            elements: ``only: Al N O`` (all elements of the sample, of which a phase may have some), ``include: O *``
                (elements that every phase has); empty: all materials.
            radiation: a source (``CuKa``), a wavelength in Å or ``neutrons 1.594``; default: the file's, else ``CuKa``.
            max_phases: 1 to 4.
            on_progress: called during the wait with the state in words and the finished share (0 to 1).
            options: further fields of the call, such as ``monochromator=26.6`` or ``excluded=[[20, 22]]``.
        """
        measured = self._measured(pattern)
        body = {
            "xrd_data": measured.to_json(),
            "elements": elements,
            **radiation_of(measured, radiation),
            **slit_of(measured),
            **sigmas_of(measured),
            "max_phases": max_phases,
            **options,
        }
        answer = self._followed("/api/xrd/identify/", body, "identify", on_progress)
        refined = answer["refinement"]
        return read(
            Identification,
            answer,
            phases=[read(IdentifiedPhase, phase) for phase in answer["phases"]],
            refinement=None if refined is None else refinement_of(refined),
        )

    def refine(
        self,
        pattern: str | Path | Measured | tuple[Sequence[float], Sequence[float]],
        phases: Sequence[int | Hit | str | Path | dict[str, Any]],
        *,
        radiation: str | float | None = None,
        on_progress: Callable[[str, float], None] | None = None,
        **options: Any,
    ) -> Refinement:
        """Weight fractions and cells of known phases, from a measured pattern; waits until it is done.

        Args:
            pattern: a file, what :meth:`read` answered, or angles (degrees) and counts with their background.
            phases: one to five: ids of materials, hits of :meth:`match`, paths of CIFs, or dictionaries as the call
                takes them: ``{"struct_id": 138, "standard_fraction": 0.2}``.
            radiation: a source (``CuKa``), a wavelength in Å or ``neutrons 1.594``; default: the file's, else ``CuKa``.
            on_progress: called during the wait with the state in words and the finished share (0 to 1).
            options: further fields of the call, such as ``method="le-bail"`` or ``excluded=[[20, 22]]``.
        """
        measured = self._measured(pattern)
        body = {
            "xrd_data": measured.to_json(),
            "phases": [phase_fields(phase) for phase in phases],
            **radiation_of(measured, radiation),
            **slit_of(measured),
            **sigmas_of(measured),
            **options,
        }
        return refinement_of(self._followed("/api/xrd/refine/", body, "refine", on_progress))

    def _measured(self, pattern: str | Path | Measured | tuple[Sequence[float], Sequence[float]]) -> Measured:
        if isinstance(pattern, tuple):
            return Measured([float(x) for x in pattern[0]], [float(y) for y in pattern[1]])
        return pattern if isinstance(pattern, Measured) else self.read(pattern)

    def _followed(
        self, path: str, body: dict[str, Any], title: str, on_progress: Callable[[str, float], None] | None
    ) -> dict[str, Any]:
        match_id = uuid.uuid4().hex
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(self._transport.call, path, {**body, "match_id": match_id}, again=False)
            try:
                return self._follow(running, match_id, title, on_progress)
            except BaseException:
                # If the wait is interrupted (Ctrl-C), the work on the site is cancelled too.
                if not running.done():
                    self._cancel(match_id)
                raise

    def _follow(
        self,
        running: Future[dict[str, Any]],
        match_id: str,
        title: str,
        on_progress: Callable[[str, float], None] | None,
    ) -> dict[str, Any]:
        shown = bar(title, 1, shown=self._progress)
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


def radiation_of(measured: Measured, radiation: str | float | None) -> dict[str, Any]:
    """The given radiation, else that of the file. The wavelengths that the file states differ from tabulated ones."""
    if radiation is not None:
        return {"radiation": radiation}
    stated = measured.measurement
    lines = {"wavelengths": stated["wavelengths"]} if "wavelengths" in stated else {}
    return {"radiation": stated.get("radiation", "CuKa"), **lines}


def slit_of(measured: Measured) -> dict[str, bool]:
    """The slit type. With a slit that opens with the angle, the intensities contain a factor sin θ."""
    return {"variable_slit": True} if measured.measurement.get("is_slit_variable") else {}


def sigmas_of(measured: Measured) -> dict[str, list[float]]:
    return {} if measured.sigmas is None else {"sigmas": list(measured.sigmas)}


def refinement_of(answer: dict[str, Any]) -> Refinement:
    return read(
        Refinement,
        answer,
        phases=[read(RefinedPhase, phase) for phase in answer["phases"]],
        notices=[notice["message"] for notice in answer["notices"]],
    )


def phase_fields(phase: int | Hit | str | Path | dict[str, Any]) -> dict[str, Any]:
    """A phase as the fields of a request."""
    if isinstance(phase, Hit):
        return {"struct_id": phase.struct_id, "strain": phase.strain}
    if isinstance(phase, (str, Path)):
        file = Path(phase)
        return {"cif": file.read_text(encoding="utf-8", errors="replace"), "name": file.stem[:60]}
    return phase if isinstance(phase, dict) else {"struct_id": phase}


def hit_fields(hit: dict[str, Any]) -> dict[str, Any]:
    """Fields of a hit that are not in its row."""
    names = ("strain", "explained_share", "confirmed_share", "confidence", "rivals")
    return {name: hit[name] for name in names}
