"""Coatings and electrolytes between two phases, and matrices of interface reactions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .reading import read
from .transport import Transport


@dataclass(frozen=True)
class Coating:
    """A material that may separate two phases.

    Attributes:
        struct_id, formula, space_group: the most stable material of its formula that passes the filters.
        observed: "observed" or "computed only"; None if unknown.
        energy_above_hull: eV/atom.
        band_gap: eV; None if unknown.
        reduction_onset, oxidation_onset: limits of the electrochemical window, V; None: no upper limit.
        price: price of the elements, USD/kg; None if an element has no known price (see price_unknown).
        conductivity: measured lithium conductivities, S/cm, with space group and DOI.
        literature: published findings on the compound as a coating: text, reference and DOI.
        with_a, with_b: energy (eV/atom), equation, probability and missing compounds of each reaction; with a
            predicted partner also the interval of the energy.
        worst: the lower of the two energies, eV/atom.
        worst_side: "a" or "b".
        probability: that both reactions are weaker than the limit; None without measurements to compare with.
    """

    struct_id: int
    formula: str
    space_group: str
    observed: str | None
    energy_above_hull: float | None
    band_gap: float | None
    reduction_onset: float
    oxidation_onset: float | None
    price: float | None
    price_unknown: list[str]
    conductivity: list[dict[str, Any]]
    literature: list[dict[str, Any]]
    with_a: dict[str, Any]
    with_b: dict[str, Any]
    worst: float
    worst_side: str
    probability: float | None


@dataclass(frozen=True)
class FoundCoatings:
    """The answer of a search for coatings.

    Attributes:
        coatings: found coatings, the best first.
        direct: the reaction of A with B without a coating.
        counts: number of materials left after each step; ``left``: formulas that passed but were not calculated.
        a, b: the two phases as read; ``predicted`` if a crystal has a predicted energy.
        message: which filters to relax if no material passes.
        scale: energy scale.
    """

    coatings: list[Coating]
    direct: dict[str, Any]
    counts: dict[str, int]
    a: dict[str, Any]
    b: dict[str, Any]
    message: str
    scale: str


@dataclass(frozen=True)
class ReactionMatrix:
    """Reaction energies of pairs.

    Attributes:
        materials: formula, struct_id and energy above the hull of each.
        against: the material that reacts with each of ``materials``; None if all pairs are calculated.
        cells: row, column, energy (eV/atom), equation and number of missing compounds of each pair.
        scale: energy scale.
    """

    materials: list[dict[str, Any]]
    against: dict[str, Any] | None
    cells: list[dict[str, Any]]
    scale: str


class Coatings:
    """``client.coatings``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def find(self, a: str | int, b: str | int, *, scale: str = "", **filters: Any) -> FoundCoatings:
        """Materials that react little with both phases.

        Args:
            a, b: formula, struct_id, or the text of a CIF or POSCAR, whose energy is predicted.
            filters: window_min, window_max (V), min_band_gap (eV), max_energy_above_hull (eV/atom), exclude_elements,
                include_elements ("Li-O"), observed_only, max_elements, max_price (USD/kg), working_ion, potential (V),
                reaction_limit (eV/atom), limit (rows), a_energy, b_energy (value, low and high of a formation energy
                of your own, eV/atom).
        """
        body = {"a": a, "b": b, **filters, **({"functional": scale} if scale else {})}
        answer = self._transport.call("/api/coatings/search/", body)
        return read(FoundCoatings, answer, coatings=[read(Coating, row) for row in answer["results"]])

    def matrix(
        self,
        materials: Sequence[str | int],
        *,
        against: str | int | None = None,
        potential: float | None = None,
        working_ion: str = "",
        scale: str = "",
    ) -> ReactionMatrix:
        """Reaction energies of all pairs of up to 40 materials, or of up to 200 with one other material.

        Args:
            against: one material to react with each of them.
            potential: V against the working ion, which the interfaces then exchange with a reservoir.
        """
        body: dict[str, Any] = {"materials": list(materials)}
        if against is not None:
            body["against"] = against
        if potential is not None:
            body["potential"] = potential
        if working_ion:
            body["working_ion"] = working_ion
        if scale:
            body["functional"] = scale
        return read(ReactionMatrix, self._transport.call("/api/coatings/matrix/", body))
