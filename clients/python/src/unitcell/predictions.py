"""Predictions: formation energy, gap and moduli by the networks of the site, with 90 % intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .reading import read
from .transport import Json, Transport

if TYPE_CHECKING:
    from pymatgen.core import Structure


@dataclass(frozen=True)
class Interval:
    """A predicted value; in nine of ten unseen chemical systems the true value is within ``low`` and ``high``."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class PredictedValues:
    """Predicted properties of a crystal.

    Attributes:
        formation_energy_per_atom: eV/atom from the elements, in the scheme of the Materials Project of 2018.
        band_gap: PBE gap, eV; smaller than a measured gap.
        insulator_probability: probability that PBE gives a gap, 0 to 1.
        bulk_modulus: GPa, Voigt-Reuss-Hill.
        shear_modulus: GPa, Voigt-Reuss-Hill.
        familiarity: ``near`` the training crystals, at their ``edge``, or ``outside``, where values are not to
            be trusted.
    """

    formation_energy_per_atom: Interval
    band_gap: Interval
    insulator_probability: float
    bulk_modulus: Interval
    shear_modulus: Interval
    familiarity: str


@dataclass(frozen=True)
class PredictedHull:
    """Energy of a predicted crystal relative to the hull of the catalogue.

    Attributes:
        scale: energy scale of the hull.
        energy_above_hull: eV/atom; negative: below the phases of the catalogue.
        probability_within_25_mev: that the true energy is at most 25 meV/atom above the hull, 0 to 1.
        probability_within_50_mev: the same for 50 meV/atom.
        competing_phases: formula, struct_id and atomic fraction of the stable phases with the same total composition.
    """

    scale: str
    energy_above_hull: float
    probability_within_25_mev: float
    probability_within_50_mev: float
    competing_phases: list[dict[str, Any]]


@dataclass(frozen=True)
class RelaxedPrediction(PredictedValues):
    """The crystal relaxed by the interatomic potential, and the predictions for it.

    Attributes:
        potential: name and version of the potential.
        energy_before: eV/atom by the potential, on the raw PBE scale of the Materials Project; no formation energy.
        energy_after: the same after the relaxation.
        volume_change: %.
        hull: of the relaxed crystal.
        cif: the relaxed cell as CIF.
    """

    potential: str
    energy_before: float
    energy_after: float
    volume_change: float
    steps: int
    hull: PredictedHull | None
    cif: str = field(repr=False)


@dataclass(frozen=True)
class Prediction(PredictedValues):
    """A prediction.

    Attributes:
        struct_id: the material of the catalogue with this structure; None for a formula and if there is none.
        nsites: atoms of the cell; None for a formula.
        measured_band_gap: prediction of the measured gap, eV; None for crystals, oxides and halides.
        measured_insulator_probability: probability that a gap is measured; None where the gap is None.
        nearest: the five most similar crystals of the training set.
        hull: None if the catalogue lacks data for a hull; ``hull_message`` states what is missing.
        relaxed: the prediction after a relaxation, if requested; ``relaxed_message`` states why it failed.
        model: name of the model that predicted the values.
    """

    formula: str
    struct_id: int | None
    nsites: int | None
    measured_band_gap: Interval | None
    measured_insulator_probability: float | None
    hull: PredictedHull | None
    hull_message: str
    relaxed: RelaxedPrediction | None
    relaxed_message: str
    model: str
    nearest: list[dict[str, Any]] = field(repr=False)


class Predictions:
    """``client.predictions``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def of(self, structure: str | Path | Structure, *, relax: bool = False) -> Prediction:
        """Predicts a crystal from a file, text or pymatgen structure.

        Args:
            structure: path of a CIF or POSCAR file, the text of one, or a pymatgen ``Structure``.
            relax: predict it also after a relaxation of atoms and cell by the interatomic potential.

        Raises:
            Refused: the file cannot be read, sites are shared, or the network does not know an element.
        """
        if not isinstance(structure, str | Path):
            return self._predict({"structure": structure.to(fmt="cif"), "file_name": "structure.cif", "relax": relax})
        if isinstance(structure, str) and "\n" in structure:
            name = "structure.cif" if "_cell_length_a" in structure else "POSCAR"
            return self._predict({"structure": structure, "file_name": name, "relax": relax})
        file = Path(structure)
        text = file.read_text(encoding="utf-8", errors="replace")
        return self._predict({"structure": text, "file_name": file.name, "relax": relax})

    def of_formula(self, formula: str) -> Prediction:
        """Predicts the most stable crystal of a formula, with wider intervals, and the gap that would be measured."""
        return self._predict({"formula": formula})

    def of_material(self, struct_id: int) -> Prediction:
        """Predicts a material of the catalogue.

        Raises:
            NotFound: there is no material with this id.
        """
        return self._predict({"struct_id": struct_id})

    def model(self) -> Json:
        """The model: its training data, and its errors on chemical systems outside the training set."""
        return self._transport.call("/api/prediction/model/")

    def score(self) -> Json:
        """Predictions for submitted structures, compared with later calculations."""
        return self._transport.call("/api/prediction/score/")

    def _predict(self, body: Json) -> Prediction:
        answer = self._transport.call("/api/prediction/predict/", body)
        measured = answer["measured_band_gap"]
        relaxed = answer["relaxed"]
        return read(
            Prediction,
            answer,
            **intervals(answer),
            measured_band_gap=None if measured is None else read(Interval, measured),
            hull=hull_of(answer),
            relaxed=None
            if relaxed is None
            else read(RelaxedPrediction, relaxed, **intervals(relaxed), hull=hull_of(relaxed)),
        )


def hull_of(answer: Mapping[str, Any]) -> PredictedHull | None:
    """The energy relative to the hull, if the answer contains it."""
    return None if answer["hull"] is None else read(PredictedHull, answer["hull"])


def intervals(answer: Mapping[str, Any]) -> dict[str, Interval]:
    """The four predicted values of an answer."""
    names = ("formation_energy_per_atom", "band_gap", "bulk_modulus", "shear_modulus")
    return {name: read(Interval, answer[name]) for name in names}
