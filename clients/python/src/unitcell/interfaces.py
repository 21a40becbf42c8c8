"""Reactions between two materials in contact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .reading import read
from .transport import Transport


@dataclass(frozen=True)
class Mixture:
    """The products of two reactants mixed in one proportion.

    Attributes:
        atomic_fraction: fraction of the atoms that come from the first reactant.
        molar_fraction: fraction of the formula units that are the first reactant.
        reaction: balanced equation; the coefficients of the reactants add up to 1.
        reaction_energy: eV/atom: the part that needs both reactants.
        reaction_energy_total: eV/atom: including the decomposition of the reactants themselves.
        reaction_energy_kj: kJ per mole of ``reaction``.
        phases: formula, struct_id and coefficient of each product; at a temperature also ``gibbs_source``.
        expected_error: at a temperature, expected error of the energy, eV/atom; None if unknown.
    """

    atomic_fraction: float
    molar_fraction: float
    reaction: str
    reaction_energy: float
    reaction_energy_total: float
    reaction_energy_kj: float
    phases: list[dict[str, Any]]
    expected_error: float | None = None


@dataclass(frozen=True)
class Reaction:
    """All mixtures of two reactants.

    Attributes:
        mixtures: in the order of the table on the web page.
        most_exothermic: the mixture with the lowest reaction energy.
        reactants: formula, struct_id and eV/atom above the hull of each.
        scale: energy scale.
        completeness: whether stable compounds are missing from the catalogue, which makes reactions too weak.
        gibbs: at a temperature, that temperature and the compounds left out.
    """

    mixtures: list[Mixture]
    most_exothermic: Mixture
    reactants: list[dict[str, Any]]
    scale: str
    completeness: dict[str, Any] | None = None
    gibbs: dict[str, Any] | None = None


class Interfaces:
    """``client.interfaces``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def react(
        self,
        first: str | int,
        second: str | int,
        *,
        open_element: str = "",
        chemical_potential: float | None = None,
        use_hull_energy: bool = False,
        temperature: float | None = None,
        scale: str = "",
    ) -> Reaction:
        """The reactions of two materials in contact.

        Args:
            first, second: formula or struct_id.
            open_element: an element exchanged with a reservoir; empty: a closed interface.
            chemical_potential: of ``open_element``, eV/atom relative to the pure element, -10 to 0.
            use_hull_energy: use the energy of the hull for the reactants, as if they had decomposed already.
            temperature: K, up to 2,000. From 300 K the phases have Gibbs energies, and the chemical potential is
                relative to the element at that temperature and 1 bar.
        """
        body: dict[str, Any] = {"reactant1": first, "reactant2": second, "use_hull_energy": use_hull_energy}
        if open_element:
            body |= {"open_element": open_element, "chemical_potential": chemical_potential or 0}
        if temperature is not None:
            body["temperature"] = temperature
        if scale:
            body["functional"] = scale
        answer = self._transport.call("/api/interface_reaction/interface_receive/", body)
        rows = [read(Mixture, row, reaction=row["reaction_function"]) for row in answer["interface_table_data"]]
        lowest = min(rows, key=lambda row: row.reaction_energy)
        return read(Reaction, answer, mixtures=rows, most_exothermic=lowest)
