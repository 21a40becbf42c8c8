"""Reactions at temperature and gas pressures, Ellingham diagrams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .reading import read
from .transport import Transport


@dataclass(frozen=True)
class Curve:
    """Energies of a reaction over temperature, kJ per mole of the equation.

    Attributes:
        temperatures: K.
        enthalpy: of reaction, at each temperature.
        gibbs: Gibbs energy of reaction at the pressures asked for.
        turning: temperatures at which the Gibbs energy changes its sign, K.
        at: ``enthalpy``, ``gibbs``, ``log_k`` and ``error`` at the temperature asked for; None outside the data.
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
        coefficients: of the substances, in their order.
        measured: from measured tables; None if a substance is not in them.
        computed: from energies of the catalogue; None if a compound is not in it.
    """

    equation: str
    coefficients: list[float]
    measured: Curve | None
    computed: Curve | None


@dataclass(frozen=True)
class BalancedReaction:
    """A reaction with all its balances.

    Attributes:
        balances: those with the fewest substances; every other balance is a sum of them.
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
        computed: the line from energies of the catalogue with its error; None if it lacks a compound.
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
        gas: of which every reaction takes one mole.
        without: elements without a measured compound.
        couples: standard Gibbs energies of 2 CO + O2 and 2 H2 + O2 for the scales; None except for oxides.
        scale: energy scale of the computed lines.
    """

    kind: str
    gas: str
    lines: list[EllinghamLine]
    without: list[str]
    couples: dict[str, Any] | None
    scale: str


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
