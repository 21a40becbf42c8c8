"""Convex hulls of two to four elements or compounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .transport import Transport

if TYPE_CHECKING:
    from pandas import DataFrame
    from pymatgen.analysis.phase_diagram import PDEntry
    from pymatgen.analysis.phase_diagram import PhaseDiagram as PymatgenDiagram


#: Gas, temperature in K and pressure in bar; optionally a second gas and its pressure.
OpenGas = tuple[str, float, float] | tuple[str, float, float, str, float]


def reservoir_of(open_to: OpenGas | None) -> dict[str, Any]:
    """The fields of a request that open a diagram to a gas."""
    if open_to is None:
        return {}
    gas, temperature, pressure, *second = open_to
    reservoir: dict[str, Any] = {"gas": gas, "temperature": temperature, "pressure": pressure}
    if second:
        reservoir["second"] = {"gas": second[0], "pressure": second[1]}
    return {"reservoir": reservoir}


@dataclass(frozen=True)
class Phase:
    """A phase of a diagram.

    Attributes:
        struct_id: None for an element known only as the zero of a published scale.
        formation_energy: eV/atom, relative to the corners of the diagram.
        energy_above_hull: eV/atom; 0 for stable phases.
        decomposition: products of an unstable phase, as fractions of the atoms: ``0.6 Fe2O3 + 0.4 Li2O``.
        gibbs_source: at a temperature, the source of the Gibbs energy (``measured``, ``descriptor``, ``gas``, ``element``).
        undecided: at a temperature, whether the phase differs from its competitors by less than the expected error.
        probability: at a temperature, the probability that it is stable; None if unknown.
    """

    struct_id: int | None
    formula: str
    space_group: str
    formation_energy: float
    energy_above_hull: float
    is_stable: bool
    decomposition: str
    gibbs_source: str | None = None
    undecided: bool | None = None
    probability: float | None = None


@dataclass(frozen=True)
class PhaseDiagram:
    """A diagram.

    Attributes:
        components: corners, in the order of the coordinates.
        phases: stable ones first.
        scale: energy scale of all energies.
        completeness: whether stable compounds are missing from the catalogue, and which.
        raw: the whole answer, with the coordinates of the drawing.
    """

    components: list[str]
    phases: list[Phase]
    scale: str
    completeness: dict[str, Any] | None
    raw: dict[str, Any]

    @property
    def stable(self) -> list[Phase]:
        return [phase for phase in self.phases if phase.is_stable]

    def frame(self) -> DataFrame:
        """The phases as a pandas frame, energies in eV/atom."""
        from pandas import DataFrame

        return DataFrame(self.phases)

    def entries(self) -> list[PDEntry]:
        """The phases as entries of pymatgen, to which you can add others; needs ``pip install unitcell[pymatgen]``.

        Their energies are formation energies (eV per formula), which give the same hull as total energies do.
        ``attribute`` is the struct_id, ``name`` the formula.

        Raises:
            ValueError: the diagram is open to a gas, so its energies are grand potentials.
        """
        if self.raw.get("reservoir"):
            raise ValueError("entries need formation energies: take the diagram without open_to")
        from pymatgen.analysis.phase_diagram import PDEntry
        from pymatgen.core import Composition

        compositions = [(phase, Composition(phase.formula)) for phase in self.phases]
        return [
            PDEntry(made, phase.formation_energy * made.num_atoms, name=phase.formula, attribute=phase.struct_id)
            for phase, made in compositions
        ]

    def to_pymatgen(self) -> PymatgenDiagram:
        """pymatgen's ``PhaseDiagram`` of the entries; a ``CompoundPhaseDiagram`` if a corner is a compound."""
        from pymatgen.analysis.phase_diagram import CompoundPhaseDiagram
        from pymatgen.analysis.phase_diagram import PhaseDiagram as PymatgenDiagram
        from pymatgen.core import Composition

        corners = [Composition(name) for name in self.components]
        if all(corner.is_element for corner in corners):
            return PymatgenDiagram(self.entries())
        return CompoundPhaseDiagram(self.entries(), corners)


@dataclass(frozen=True)
class PotentialCorner:
    """A corner of a region of chemical potentials.

    Attributes:
        potentials: eV/atom of each element, relative to the element itself.
        beside: formulas of the phases in equilibrium with the compound at this corner.
    """

    potentials: dict[str, float]
    beside: list[str]


@dataclass(frozen=True)
class ChemicalPotentials:
    """The chemical potentials at which a compound is stable.

    Attributes:
        formation_energy: eV per formula.
        corners: corners of the region, which extends to minus infinity for elements that the
            compound lacks.
        scale: energy scale of all energies.
        completeness: whether stable compounds are missing from the catalogue, which could make the region smaller.
        raw: the whole answer, with the limits that the other phases set.
    """

    formula: str
    struct_id: int | None
    formation_energy: float
    corners: list[PotentialCorner]
    scale: str
    completeness: dict[str, Any] | None
    raw: dict[str, Any]


class PhaseDiagrams:
    """``client.phase_diagrams``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def of(
        self,
        components: str,
        *,
        open_to: OpenGas | None = None,
        temperature: float | None = None,
        scale: str = "",
    ) -> PhaseDiagram:
        """The diagram of two to four elements or compounds: ``Li-Fe-O``, ``Li2O MnO2``.

        Args:
            open_to: gas, temperature in K and pressure in bar: ``("O2", 1073, 0.21)``. A compound needs a second gas with
                its pressure: ``("H2O", 1073, 0.03, "H2", 0.97)``. Energies are then grand potentials per atom of the
                other elements.
            temperature: K, up to 2,000. From 300 K the phases have Gibbs energies; a gas has the same temperature.
        """
        body: dict[str, Any] = {"include": components} | reservoir_of(open_to)
        if scale:
            body["functional"] = scale
        if temperature is not None:
            body["temperature"] = temperature
        answer = self._transport.call("/api/phase_diagram/phase_diagram_handle/", body)
        phases = [phase for part in answer["data"] if part["name"] != "Hull" for phase in phases_of(part)]
        return PhaseDiagram(
            components=answer["components"],
            phases=sorted(phases, key=lambda phase: not phase.is_stable),
            scale=answer["functional"],
            completeness=answer.get("completeness"),
            raw=answer,
        )

    def chemical_potentials(self, elements: str, formula: str, *, scale: str = "") -> ChemicalPotentials:
        """The chemical potentials at which a compound on the hull is stable: ``Li-Fe-O``, ``LiFeO2``."""
        body = {"include": elements, "formula": formula} | ({"functional": scale} if scale else {})
        answer = self._transport.call("/api/phase_diagram/chemical_potentials/", body)
        limits = [limit["formula"] for limit in answer["limits"]]
        compound = answer["compound"]
        return ChemicalPotentials(
            formula=compound["formula"],
            struct_id=compound["id"],
            formation_energy=compound["formation_energy"],
            corners=[
                PotentialCorner(
                    potentials=dict(zip(answer["elements"], corner["potentials"], strict=True)),
                    beside=[limits[limit] for limit in corner["limits"]],
                )
                for corner in answer["corners"]
            ],
            scale=answer["functional"],
            completeness=answer.get("completeness"),
            raw=answer,
        )

    def scales(self) -> list[dict[str, Any]]:
        """The energy scales of the site, the default scale first."""
        scales: list[dict[str, Any]] = self._transport.call("/api/phase_diagram/energy_scales/")["scales"]
        return scales


def phases_of(part: dict[str, Any]) -> list[Phase]:
    """The phases of one group of points."""
    stable = part["name"] == "Stable"
    ids = part["id"] if stable else part["tid"]
    into = [""] * len(ids) if stable else part["decomposition"]
    columns = zip(ids, part["formula"], part["space_group"], part["fEnergy"], part["eAboveHull"], into, strict=True)
    at = [part.get(name, [None] * len(ids)) for name in ("gibbs_source", "undecided", "probability")]
    return [
        Phase(i, formula, group, energy, above, stable, text, *extra)
        for (i, formula, group, energy, above, text), extra in zip(columns, zip(*at, strict=True), strict=True)
    ]
