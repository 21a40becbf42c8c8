"""Reactions at temperature and gas pressures, Ellingham and Pourbaix diagrams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .reading import read
from .transport import Transport


@dataclass(frozen=True)
class Curve:
    """Energies of a reaction as functions of temperature, kJ per mole of the equation.

    Attributes:
        temperatures: K.
        enthalpy: reaction enthalpy at each temperature.
        gibbs: reaction Gibbs energy at the requested pressures.
        turning: temperatures at which the Gibbs energy changes sign, K.
        at: ``enthalpy``, ``gibbs``, ``log_k`` and ``error`` at the requested temperature; None outside the range of the data.
    """

    temperatures: list[float]
    enthalpy: list[float]
    gibbs: list[float]
    turning: list[float]
    at: dict[str, Any] | None


@dataclass(frozen=True)
class Balance:
    """One balanced equation.

    Attributes:
        equation: in whole numbers.
        coefficients: coefficients of the substances, in the order of ``species``.
        measured: energies from measured tables; None if a substance is not in the tables.
        computed: energies from the catalogue; None if the catalogue lacks a compound.
    """

    equation: str
    coefficients: list[float]
    measured: Curve | None
    computed: Curve | None


@dataclass(frozen=True)
class BalancedReaction:
    """A reaction with all its balances.

    Attributes:
        balances: the balances with the fewest substances, at most 12. If there are not more, every other balance is a
            combination of them.
        independent: number of linearly independent balances.
        species: reactants, then products: state, pressure, sources.
        temperature: K.
        scale: energy scale of the computed energies.
    """

    balances: list[Balance]
    independent: int
    species: list[dict[str, Any]]
    temperature: float
    scale: str


@dataclass(frozen=True)
class EllinghamLine:
    """The reaction of an element or compound with one mole of gas.

    Attributes:
        equation: with one mole of the gas.
        temperatures: K.
        gibbs: measured standard Gibbs energy, kJ per mole of gas.
        transitions: phase changes on the line.
        computed: line and error from energies of the catalogue; None if the catalogue lacks a compound.
        sources: tables of the measured energies.
    """

    element: str
    reactant: str
    product: str
    equation: str
    temperatures: list[float]
    gibbs: list[float]
    transitions: list[dict[str, Any]]
    computed: dict[str, Any] | None
    sources: list[str]


@dataclass(frozen=True)
class Ellingham:
    """Lines of an Ellingham diagram.

    Attributes:
        gas: the gas of which every reaction consumes one mole.
        without: elements without a measured compound.
        couples: standard Gibbs energies of 2 CO + O2 and 2 H2 + O2, for the scales CO/CO2 and H2/H2O; None except
            for oxides.
        scale: energy scale of the computed lines.
    """

    kind: str
    gas: str
    lines: list[EllinghamLine]
    without: list[str]
    couples: dict[str, Any] | None
    scale: str


def _energy(plane: Mapping[str, float], ph: float, potential: float) -> float:
    return plane["constant"] + plane["ph"] * ph + plane["potential"] * potential


@dataclass(frozen=True)
class Pourbaix:
    """Regions of solids and ions in water by pH and potential, 25 °C.

    Attributes:
        elements: elements other than O and H.
        ratio: share of each element.
        species: solids and ions that take part, with Gibbs energy (eV) and source.
        regions: ``species`` (index and amount), ``kind``, ``corners`` and the energy ``plane`` of each region.
        compound: the compound that was placed; None without one.
        missing: elements without ions, ions without reference solid, measured solids that the catalogue lacks.
        scale: energy scale of computed solids.
    """

    elements: list[str]
    ratio: list[float]
    species: list[dict[str, Any]]
    regions: list[dict[str, Any]]
    compound: dict[str, Any] | None
    missing: dict[str, Any]
    scale: str

    def stable(self, ph: float, potential: float) -> list[str]:
        """The stable species at a pH and potential (V against the standard hydrogen electrode)."""
        region = min(self.regions, key=lambda one: _energy(one["plane"], ph, potential))
        return [self.species[part["index"]]["formula"] for part in region["species"]]

    def decomposition_energy(self, ph: float, potential: float) -> float:
        """Energy of the compound above the stable species with the same composition, eV/atom.

        Raises:
            ValueError: no compound was placed.
        """
        if self.compound is None:
            raise ValueError("no compound was placed on this diagram")
        lowest = min(_energy(region["plane"], ph, potential) for region in self.compound["regions"])
        return _energy(self.compound["plane"], ph, potential) - lowest


class Stability:
    """``client.stability``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def reaction(
        self,
        reactants: str,
        products: str,
        *,
        temperature: float = 298.15,
        pressures: Mapping[str, float] | None = None,
        scale: str = "",
    ) -> BalancedReaction:
        """Balances a reaction and gives its energies.

        Args:
            reactants, products: formulas joined by ``+``; ``Zn(g)`` for a gas that is usually condensed.
            temperature: K, 0 to 3,000.
            pressures: partial pressures of gases by formula, bar; 1 where absent.
        """
        body: dict[str, Any] = {"reactants": reactants, "products": products, "temperature": temperature}
        if pressures:
            body["pressures"] = dict(pressures)
        if scale:
            body["functional"] = scale
        answer = self._transport.call("/api/stability/reaction/", body)
        balances = [
            read(Balance, row, **{kind: row[kind] and read(Curve, row[kind]) for kind in ("measured", "computed")})
            for row in answer["balances"]
        ]
        return read(BalancedReaction, answer, balances=balances)

    def ellingham(
        self,
        elements: str,
        *,
        kind: str = "oxide",
        temperatures: tuple[float, float] = (298.15, 2400),
        scale: str = "",
    ) -> Ellingham:
        """Lines of an Ellingham diagram.

        Args:
            elements: symbols separated by spaces: ``"Fe Ti Al C"``.
            kind: ``oxide``, ``sulfide``, ``nitride``, ``chloride`` or ``carbonate``.
            temperatures: lowest and highest, K.
        """
        low, high = temperatures
        body: dict[str, Any] = {"elements": elements, "kind": kind, "temperature_min": low, "temperature_max": high}
        if scale:
            body["functional"] = scale
        answer = self._transport.call("/api/stability/ellingham/", body)
        return read(Ellingham, answer, lines=[read(EllinghamLine, row) for row in answer["lines"]])

    def pourbaix(
        self,
        elements: str = "",
        *,
        energies: str = "computed",
        ratio: Mapping[str, float] | None = None,
        concentrations: Mapping[str, float] | None = None,
        potentials: tuple[float, float] = (-2, 2),
        ions: Mapping[str, float] | None = None,
        compound: int | tuple[str, float] | None = None,
        scale: str = "",
    ) -> Pourbaix:
        """A Pourbaix diagram of one to three elements.

        Args:
            elements: symbols separated by spaces: ``"Fe Cr"``; default: those of the compound.
            energies: ``computed``, with ions shifted to the solids of the scale, or ``measured``.
            ratio: amounts of the elements; default: those of the compound, else equal.
            concentrations: of dissolved species, mol/l by element; 1e-6 where absent.
            potentials: lowest and highest, V against the standard hydrogen electrode.
            ions: additional ions and their Gibbs energies of formation, kJ/mol: ``{"Fe(OH)4[-]": -842}``.
            compound: id of a material, or formula and formation energy in eV/atom.
        """
        low, high = potentials
        body: dict[str, Any] = {"energies": energies, "potential_min": low, "potential_max": high}
        optional = {"elements": elements, "ratio": ratio, "concentrations": concentrations, "functional": scale}
        body.update({key: value for key, value in optional.items() if value})
        if ions:
            body["ions"] = [{"formula": formula, "gibbs": gibbs} for formula, gibbs in ions.items()]
        if isinstance(compound, int):
            body["struct_id"] = compound
        elif compound is not None:
            body["compound"], body["compound_energy"] = compound
        answer = self._transport.call("/api/stability/pourbaix/", body)
        return read(Pourbaix, answer)
