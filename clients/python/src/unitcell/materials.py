"""Searching, screening and opening materials."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from .errors import NotFound
from .material import FIELDS, UNITS, Material
from .progress import bar
from .reading import read
from .structures import Cell, Crystal
from .transport import Json, Transport

if TYPE_CHECKING:
    from pandas import DataFrame

Filter = str | dict[str, Any]
"""A text in the filter language (``band_gap >= 2 AND elements HAS "O"``), or its tree."""

Row = dict[str, Any]
"""A material as a dict of the columns in ``fields=``."""

R = TypeVar("R", Material, Row)

PAGE_ROWS = 1000

SEPARATORS = re.compile(r"[\s,;，；、–—-]+")
"""Separators between the elements of a search, as the site splits them."""


@dataclass(frozen=True)
class Lattice:
    """The conventional cell: lengths in Å, angles in degrees, volume in Å³."""

    a: float
    b: float
    c: float
    alpha: float
    beta: float
    gamma: float
    volume: float


@dataclass(frozen=True)
class EnergyOnScale:
    """A material on one energy scale; scales are never mixed.

    Attributes:
        formation_energy_per_atom: eV/atom against the elements.
        energy_above_hull: eV/atom above the convex hull; 0 is stable.
        decomposition: what it decomposes into: struct_id, formula, share of the atoms.
        release: number of the catalogue rebuild in which the hull was calculated.
        completeness: whether stable compounds of the system are missing, and how that affects the values.
    """

    scale: str
    formation_energy_per_atom: float | None = None
    energy_above_hull: float | None = None
    decomposition: list[dict[str, Any]] = field(default_factory=list)
    release: int | None = None
    completeness: dict[str, Any] | None = None


@dataclass(frozen=True)
class Phonons:
    """Calculated phonons of one functional.

    Attributes:
        structure: the primitive cell whose reciprocal vectors ``q`` refers to.
        bands: ``q``, ``frequencies`` (THz, negative: imaginary) and, at points of high symmetry, ``label``.
        dos: ``frequencies`` (THz), ``total`` and ``by_atom`` (states per THz and cell), or None.
        thermal: ``temperature`` (K), ``free_energy`` (eV), ``entropy``, ``heat_capacity`` (eV/K), of the cell.
        has_modes: whether ``phonon_modes`` gives the motion of the atoms.
        has_charges: whether longitudinal and transverse modes are split by Born charges.
    """

    functional: str
    structure: dict[str, Any] = field(repr=False)
    bands: list[dict[str, Any]] = field(repr=False)
    has_imaginary_modes: bool
    has_modes: bool
    has_charges: bool
    dos: dict[str, Any] | None = field(default=None, repr=False)
    thermal: list[dict[str, float]] = field(default_factory=list, repr=False)


@dataclass(frozen=True)
class PhononModes:
    """All phonon modes at a wave vector.

    Attributes:
        frequencies: THz; negative: imaginary.
        displacements: per mode and atom, real parts of x, y, z, then imaginary parts; largest amplitude 1.
    """

    frequencies: list[float]
    displacements: list[list[list[float]]] = field(repr=False)


@dataclass(frozen=True)
class MaterialDetail:
    """All data on the page of a material.

    Attributes:
        lattice: of the conventional cell: Å, degrees, Å³.
        band_gap: eV; 0 is a metal.
        density: g/cm³.
        symmetry: space group, point group, Hall symbol, Wyckoff letters, tolerance in Å.
        energy_scales: one entry per scale, eV/atom.
        elastic: stiffness in GPa (Voigt order xx yy zz yz xz xy, frame of the conventional cell) and derived moduli.
        dielectric: electronic and total tensor, refractive index.
        piezoelectric: 3×6, C/m².
        band_structures: energies in eV, ``kDistance`` in 1/Å.
        densities_of_states: energies in eV, states/eV per cell.
        sources: where each part comes from, with its licence.
        address: address of the page.
        raw: the whole answer, as docs/api/index.md and the OpenAPI document describe it.
    """

    struct_id: int
    formula: str
    elements: list[str]
    lattice: Lattice
    symmetry: dict[str, Any] = field(repr=False)
    density: float
    band_gap: float | None
    energy_scales: list[EnergyOnScale] = field(repr=False)
    elastic: dict[str, Any] | None = field(repr=False)
    dielectric: dict[str, Any] | None = field(repr=False)
    piezoelectric: list[list[float]] | None = field(repr=False)
    band_structures: list[dict[str, Any]] = field(repr=False)
    densities_of_states: list[dict[str, Any]] = field(repr=False)
    sources: list[dict[str, Any]] = field(repr=False)
    address: str
    raw: dict[str, Any] = field(repr=False)

    def crystal(self, cell: Cell = "conventional") -> Crystal:
        """One of the cells of the material.

        Raises:
            NotFound: the original cell was not stored.
        """
        data = self.raw["structures"][cell]
        if data is None:
            raise NotFound(f"material {self.struct_id} has no {cell} cell", code="material.no-given-cell", status=404)
        about = {
            "unitcell_id": str(self.struct_id),
            "formula": self.formula,
            "address": self.address,
            "cell": cell,
        }
        return Crystal(data, about)


@dataclass(frozen=True)
class Found(Generic[R]):
    """Found materials, with the release and scale to cite.

    Attributes:
        materials: one :class:`Material` per row, or one dict of the columns named in ``fields=``.
        total: number of materials that pass the filter; may be larger than ``limit``.
        scale: energy scale of the energies.
        release: release of the catalogue; the dump with this number contains the same data.
        filter: the filter as the site parsed it.
        fields: columns.
        units: units of the numeric columns; empty for a ratio.
    """

    materials: list[R] = field(repr=False)
    total: int
    scale: str
    release: int
    filter: str
    fields: tuple[str, ...] = field(default=(*FIELDS, "energy_scale"), repr=False)
    units: dict[str, str] = field(default_factory=lambda: UNITS, repr=False)

    def __iter__(self) -> Iterator[R]:
        return iter(self.materials)

    def __len__(self) -> int:
        return len(self.materials)

    @overload
    def __getitem__(self, place: int) -> R: ...
    @overload
    def __getitem__(self, place: slice) -> list[R]: ...
    def __getitem__(self, place: int | slice) -> R | list[R]:
        return self.materials[place]

    def frame(self) -> DataFrame:
        """A pandas frame, indexed by ``struct_id`` if it is a column; units, scale and release are in its ``attrs``."""
        from pandas import DataFrame

        rows = [row if isinstance(row, dict) else vars(row) for row in self.materials]
        made: DataFrame = DataFrame(rows, columns=list(self.fields))
        if "struct_id" in self.fields:
            made = made.set_index("struct_id")
        made.attrs.update(units=self.units, scale=self.scale, release=self.release, filter=self.filter)
        return made


def quoted(text: str) -> str:
    """A text as a quoted string of the filter language."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def oxygen_of(oxygen: tuple[float, float] | None) -> Json:
    """The request field that selects materials stable at a temperature (K) and O2 pressure (bar)."""
    return {} if oxygen is None else {"stable_in_oxygen": {"temperature": oxygen[0], "pressure": oxygen[1]}}


class Materials:
    """``client.materials``: the catalogue."""

    def __init__(self, transport: Transport, *, progress: bool) -> None:
        self._transport = transport
        self._progress = progress

    @overload
    def find(
        self,
        filter: Filter = "",
        *,
        fields: None = None,
        sort: str = "energy_above_hull",
        scale: str = "",
        stable_in_oxygen: tuple[float, float] | None = None,
        limit: int | None = None,
    ) -> Found[Material]: ...
    @overload
    def find(
        self,
        filter: Filter = "",
        *,
        fields: Sequence[str],
        sort: str = "energy_above_hull",
        scale: str = "",
        stable_in_oxygen: tuple[float, float] | None = None,
        limit: int | None = None,
    ) -> Found[Row]: ...
    def find(
        self,
        filter: Filter = "",
        *,
        fields: Sequence[str] | None = None,
        sort: str = "energy_above_hull",
        scale: str = "",
        stable_in_oxygen: tuple[float, float] | None = None,
        limit: int | None = None,
    ) -> Found[Material] | Found[Row]:
        """All materials a filter finds, page by page.

        Args:
            filter: in the filter language; empty: the whole catalogue.
            fields: columns of the result, whose materials are then dicts. A column is anything that a filter can use
                (``predicted_band_gap``, ``reduction_onset_li``; ``unitcell.FIELDS``, ``unitcell.WINDOW_FIELDS`` and
                ``unitcell.ELECTRODE_FIELDS`` list them) or an expression (``[bulk_modulus / density]``). When None,
                materials are :class:`Material` objects, which have all but the windows and electrodes.
            sort: a column; ``-band_gap`` sorts in descending order.
            scale: energy scale; the site's own when empty.
            stable_in_oxygen: temperature in K and pressure of O2 in bar: ``(1073, 0.21)`` for air at 800 °C. Only
                materials that neither take up nor give off oxygen under these conditions.
            limit: largest number of materials; None: all.

        Raises:
            Refused: the filter cannot be read (the sentence says where), or the catalogue was rebuilt between two
                pages (``screen.cursor-release``): start again.
        """
        if fields is None:
            pages = self.pages(filter, sort=sort, scale=scale, stable_in_oxygen=stable_in_oxygen, limit=limit)
            return self._all(pages, limit)
        rows = self.pages(filter, fields=fields, sort=sort, scale=scale, stable_in_oxygen=stable_in_oxygen, limit=limit)
        return self._all(rows, limit)

    def _all(self, pages: Iterator[Found[R]], limit: int | None) -> Found[R]:
        first = next(pages)
        materials = list(first.materials)
        wanted = first.total if limit is None else min(limit, first.total)
        bar_of_rows = bar("materials", wanted, shown=self._progress and wanted > PAGE_ROWS)
        bar_of_rows.update(len(first))
        for page in pages:
            materials += page.materials
            bar_of_rows.update(len(page))
        bar_of_rows.close()
        return replace(first, materials=materials)

    @overload
    def pages(
        self,
        filter: Filter = "",
        *,
        fields: None = None,
        sort: str = "energy_above_hull",
        scale: str = "",
        stable_in_oxygen: tuple[float, float] | None = None,
        limit: int | None = None,
    ) -> Iterator[Found[Material]]: ...
    @overload
    def pages(
        self,
        filter: Filter = "",
        *,
        fields: Sequence[str],
        sort: str = "energy_above_hull",
        scale: str = "",
        stable_in_oxygen: tuple[float, float] | None = None,
        limit: int | None = None,
    ) -> Iterator[Found[Row]]: ...
    def pages(
        self,
        filter: Filter = "",
        *,
        fields: Sequence[str] | None = None,
        sort: str = "energy_above_hull",
        scale: str = "",
        stable_in_oxygen: tuple[float, float] | None = None,
        limit: int | None = None,
    ) -> Iterator[Found[Material]] | Iterator[Found[Row]]:
        """Like :meth:`find`, but yields pages of at most 1,000 materials, for results that do not fit into memory."""
        if fields is None:
            return map(materials_of, self._answers(filter, FIELDS, sort, scale, stable_in_oxygen, limit))
        return map(rows_of, self._answers(filter, fields, sort, scale, stable_in_oxygen, limit))

    def _answers(
        self,
        filter: Filter,
        fields: Sequence[str],
        sort: str,
        scale: str,
        oxygen: tuple[float, float] | None,
        limit: int | None,
    ) -> Iterator[Json]:
        left = limit
        cursor: str | None = None
        while True:
            asked = PAGE_ROWS if left is None else min(PAGE_ROWS, left)
            body: Json = {"filter": filter, "sort": sort, "fields": list(fields), "limit": asked}
            body |= ({"scale": scale} if scale else {}) | ({"cursor": cursor} if cursor else {}) | oxygen_of(oxygen)
            answer = self._transport.call("/api/matdata/screen/", body)
            yield answer
            cursor = answer["next"]
            left = None if left is None else left - len(answer["rows"])
            if cursor is None or left == 0:
                return

    def count(self, filter: Filter = "") -> int:
        """Number of materials that a filter finds."""
        total: int = self._transport.call("/api/matdata/screen/", {"filter": filter, "limit": 0})["total"]
        return total

    def by_elements(self, elements: str, *, scale: str = "") -> Found[Material]:
        """Materials of exactly these elements (``Ti-O``), or of at least these (``Ti-O-*``)."""
        return self._search("elements", elements, scale)

    def by_formula(self, formula: str, *, scale: str = "") -> Found[Material]:
        """Materials of one formula, however it is written: ``LiCoO2``, ``Li(CoO2)2``."""
        return self._search("formula", formula, scale)

    def by_id(self, struct_id: int | str, *, scale: str = "") -> Found[Material]:
        """The material with this id, or none."""
        return self._search("struct_id", struct_id, scale)

    def _search(self, mode: str, include: int | str, scale: str) -> Found[Material]:
        """Searches like the search page (by elements, formula or id), but with all columns and without a row limit."""
        body = {"include": include} | ({"functional": scale} if scale else {})
        answer = self._transport.call(f"/api/matdata/search_by_{mode}/", body)
        ids = [row[0] for row in answer["results"]]
        if not ids:
            return Found([], 0, answer["functional"], (answer["release"] or {}).get("id", 0), "")
        return self.find(filter_of(mode, include, answer), scale=scale or answer["functional"])

    def material(self, struct_id: int | str) -> MaterialDetail:
        """One material with its cells, energies, tensors, bands and sources.

        Raises:
            NotFound: there is no material with this id.
        """
        raw = self._transport.call("/api/matdata/get_struct_detail/", {"struct_id": struct_id})
        electronic = raw["elec_diagram"]
        tensors = raw["epsilon_piezo"]["epsilon_piezo_data"]
        elastic = raw["elastic_dict"]
        return MaterialDetail(
            struct_id=raw["struct_id"],
            formula=raw["formula"],
            elements=raw["elements"],
            lattice=read(Lattice, raw["lattice"]),
            symmetry=raw["symmetry_data"],
            density=raw["density"],
            band_gap=raw["band_gap"],
            energy_scales=[read(EnergyOnScale, scale) for scale in raw["energy_scales"]],
            elastic={**elastic["elastic_property"], "tensor": elastic["elastic_tensor"]}
            if elastic["elastic_property"]
            else None,
            dielectric=tensors["dielectric_property"],
            piezoelectric=tensors["piezo_total_tensor"],
            band_structures=electronic["band_structures"],
            densities_of_states=electronic["densities_of_states"],
            sources=raw["sources"],
            address=raw["address"],
            raw=raw,
        )

    def phonons(self, struct_id: int | str) -> list[Phonons]:
        """Calculated phonons, one entry per functional; an empty list if the material has none.

        Raises:
            NotFound: there is no material with this id.
        """
        answer = self._transport.call("/api/matdata/get_phonons/", {"struct_id": struct_id})
        return [read(Phonons, phonons) for phonons in answer["phonons"]]

    def phonon_modes(self, struct_id: int | str, functional: str, q: Sequence[float] = (0, 0, 0)) -> PhononModes:
        """Frequencies and motion of the atoms at a wave vector.

        Args:
            q: in fractions of the reciprocal vectors of ``Phonons.structure``.

        Raises:
            NotFound: the material has no force constants of this functional.
        """
        body = {"struct_id": struct_id, "functional": functional, "q": list(q)}
        return read(PhononModes, self._transport.call("/api/matdata/get_phonon_modes/", body))

    def materials(self, struct_ids: Sequence[int]) -> Found[Material]:
        """Rows of many materials at once, in the order of their energy above the hull.

        For a material that was merged into another, the row of that other material is returned.
        """
        ids = [f"struct_id = {int(struct_id)}" for struct_id in struct_ids]
        pages = [self.find(" OR ".join(ids[start : start + 200])) for start in range(0, len(ids), 200)]
        if not pages:
            return Found([], 0, "", 0, "")
        found = {row.struct_id: row for page in pages for row in page}
        for struct_id in {int(one) for one in struct_ids} - found.keys():
            found |= {row.struct_id: row for row in self.by_id(struct_id)}
        unknown = float("inf")
        rows = sorted(
            found.values(),
            key=lambda row: unknown if row.energy_above_hull is None else row.energy_above_hull,
        )
        return Found(rows, len(rows), pages[0].scale, pages[0].release, "")


def materials_of(answer: Json) -> Found[Material]:
    """Converts an answer to :class:`Material` objects."""
    scale = answer["scale"]["functional"]
    rows = [Material(**row, energy_scale=scale) for row in dicts_of(answer)]
    return Found(rows, answer["total"], scale, answer["release"], answer["filter"])


def rows_of(answer: Json) -> Found[Row]:
    """Converts an answer to dicts of the requested columns."""
    fields = tuple(answer["fields"])
    known = {name: UNITS[name] for name in fields if name in UNITS}
    return Found(
        dicts_of(answer),
        answer["total"],
        answer["scale"]["functional"],
        answer["release"],
        answer["filter"],
        fields,
        known | answer.get("units", {}),
    )


def dicts_of(answer: Json) -> list[Row]:
    """The rows of an answer as dicts by column name."""
    return [dict(zip(answer["fields"], row, strict=True)) for row in answer["rows"]]


def filter_of(mode: str, include: int | str, answer: dict[str, Any]) -> str:
    """A filter that finds the same materials as a search of the search page."""
    if mode == "struct_id":
        # For a merged material, the search finds the material into which it was merged.
        return f"struct_id = {answer['results'][0][0]}"
    if mode == "formula":
        return f"formula_reduced = {quoted(answer['formula'])}"
    words = {word for word in SEPARATORS.split(str(include)) if word}
    symbols = ", ".join(quoted(word) for word in sorted(words - {"*"}))
    if "*" in words:
        return f"elements HAS ALL {symbols}"
    return f"elements HAS ALL {symbols} AND elements LENGTH {len(words)}"
