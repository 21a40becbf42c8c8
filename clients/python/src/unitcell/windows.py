"""Electrochemical windows: voltages between which a material is stable against a working ion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .phase_diagrams import OpenGas, reservoir_of
from .reading import read
from .transport import Transport

Range = tuple[float, float]


@dataclass(frozen=True)
class WindowRow:
    """A window in a list. Onsets in V against the metal of the working ion, ``energy_above_hull`` in eV/atom, ``band_gap`` in eV.

    ``oxidation_onset`` is None if the material does not contain the ion: no upper limit.
    """

    struct_id: int
    formula: str
    reduction_onset: float
    oxidation_onset: float | None
    work_ion: str
    energy_above_hull: float | None
    band_gap: float | None
    nsites: int
    space_group: str
    crystal_system: str
    point_group: str
    hall: str


@dataclass(frozen=True)
class Equilibrium:
    """The equilibrium products of a material between two voltages.

    Attributes:
        min_voltage: V against the working ion.
        max_voltage: V; None: no upper limit.
        ion_uptake: ions taken up (positive) or given up per formula unit.
        reaction: ``LiFePO4 → FePO4 + Li``.
        phases: formula, struct_id and moles of each product; at a temperature also ``gibbs_source``.
        expected_error: at a temperature, expected error of the energy, eV/atom.
    """

    min_voltage: float
    max_voltage: float | None
    ion_uptake: float
    reaction: str
    phases: list[dict[str, Any]]
    expected_error: float | None = None


@dataclass(frozen=True)
class Window:
    """The window of a material.

    Attributes:
        reduction_onset: V against the working ion.
        oxidation_onset: V; None: no upper bound.
        voltage: V, at the corners of the curve.
        rxn_energy: decomposition energy at each ``voltage``, eV per atom of the material.
        energy_above_hull: eV/atom.
        equilibria: from 0 V upwards.
        scale: energy scale.
        completeness: whether stable compounds are missing from the catalogue, which makes the window too wide.
        gibbs: at a temperature, that temperature and the compounds left out.
    """

    struct_id: int
    formula: str
    work_ion: str
    reduction_onset: float
    oxidation_onset: float | None
    voltage: list[float]
    rxn_energy: list[float]
    energy_above_hull: float
    equilibria: list[Equilibrium]
    scale: str
    completeness: dict[str, Any] | None = None
    gibbs: dict[str, Any] | None = None


class Windows:
    """``client.windows``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def of(
        self,
        struct_id: int | str,
        ion: str = "Li",
        *,
        open_to: OpenGas | None = None,
        temperature: float | None = None,
        scale: str = "",
    ) -> Window:
        """The window of a material against Li, Na, K, Mg, Ca, Zn or Al.

        Args:
            open_to: a gas with which the phases exchange elements, as in :meth:`PhaseDiagrams.of`.
            temperature: K, up to 2,000. From 300 K the phases have Gibbs energies; a gas has the same temperature.
        """
        body = (
            {"struct_id": struct_id, "work_ion": ion} | reservoir_of(open_to) | ({"functional": scale} if scale else {})
        )
        if temperature is not None:
            body["temperature"] = temperature
        answer = self._transport.call("/api/ecwindow/get_ecw_detail/", body)
        rows = [read(Equilibrium, row, reaction=row["Reaction"]) for row in answer["decomposition_table_data"]]
        return read(Window, answer, equilibria=rows)

    def by_elements(self, elements: str, **conditions: Any) -> list[WindowRow]:
        """Windows of materials of exactly these elements (``Li-P-S``) or at least these (``Li-P-S-*``).

        Conditions (all optional): see :func:`conditions_of`.
        """
        return self._search("elements", elements, conditions)

    def by_formula(self, formula: str, **conditions: Any) -> list[WindowRow]:
        """Windows of materials of one formula."""
        return self._search("formula", formula, conditions)

    def by_id(self, struct_id: int, **conditions: Any) -> list[WindowRow]:
        """Windows of one material."""
        return self._search("id", struct_id, conditions)

    def _search(self, mode: str, include: int | str, conditions: dict[str, Any]) -> list[WindowRow]:
        body = {"include": include} | conditions_of(**conditions)
        answer = self._transport.call(f"/api/ecwindow/search_by_{mode}/", body)
        return [WindowRow(*row) for row in answer["results"]]


def conditions_of(
    *,
    ions: str = "Li",
    without: str = "",
    including: str = "",
    reduction: Range | None = None,
    oxidation: Range | None = None,
    energy_above_hull: Range | None = None,
    band_gap: Range | None = None,
    scale: str = "",
) -> dict[str, Any]:
    """Conditions of a search for windows.

    Args:
        ions: working ions, joined by hyphens.
        without: elements that no material may contain; ``including``: elements that each must contain.
        reduction, oxidation: lowest and highest onset, V against the ion.
        energy_above_hull: eV/atom.
        band_gap: eV.
    """
    given = {
        "collapse_work_ion": ions,
        "collapse_excluded_elements": without,
        "collapse_included_elements": including,
        "collapse_Reduction": reduction,
        "collapse_Oxidation": oxidation,
        "collapse_ehull": energy_above_hull,
        "collapse_bandgap": band_gap,
        "functional": scale,
    }
    return {name: value for name, value in given.items() if value}
