"""Design: new compounds of given elements in known crystal structures, ranked by predicted distance to the hull."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .predictions import PredictedValues, intervals
from .progress import bar
from .reading import read
from .structures import Crystal
from .transport import Json, Transport

POLL_SECONDS = 2.0
OVER = frozenset({"finished", "failed", "cancelled"})


@dataclass(frozen=True)
class DesignRun:
    """A search for new compounds.

    Attributes:
        status: ``queued``, ``running``, ``finished``, ``failed`` or ``cancelled``.
        progress: share of the work that is done, 0 to 1.
        counts: number of candidates left after each step.
        reason: why the search failed.
        created_at: ISO 8601, like ``finished_at``.
    """

    id: int
    status: str
    progress: float
    request: dict[str, Any]
    counts: dict[str, int]
    model: str
    reason: str
    created_at: str
    finished_at: str | None

    @property
    def is_over(self) -> bool:
        return self.status in OVER


@dataclass(frozen=True)
class Candidate:
    """A compound found by a search.

    Attributes:
        rank: rank among the candidates, from 1.
        density: g/cm³.
        template: struct_id and formula of the crystal whose elements were replaced; ``replaced``: the replacements.
        volume_ratio: volume divided by the volume of the template.
        distance: dissimilarity of the new elements and those that they replace; 0 for the same elements.
        predicted: values predicted by the network of the site.
        energy_above_hull: eV/atom, predicted; negative: below the phases of the catalogue.
        probability_within_25_mev: that the true energy is at most 25 meV/atom above the hull, 0 to 1.
        probability_within_50_mev: the same for 50 meV/atom.
        windows: ion, reduction and oxidation onset in V, for the ions in the filter.
        known_struct_id: the identical material of the catalogue; None if there is none.
        relaxation: how the interatomic potential changed the cell: ``energy_before`` and ``energy_after`` (eV/atom, by the
            potential), ``volume_change`` (%), ``steps``, ``energy_above_hull_before``; None if it was not relaxed.
        relaxation_message: why the relaxation failed.
    """

    rank: int
    formula: str
    elements: list[str]
    nsites: int
    space_group: str
    density: float
    template: dict[str, Any]
    replaced: list[dict[str, str]]
    volume_ratio: float
    distance: float
    predicted: PredictedValues = field(repr=False)
    energy_above_hull: float
    probability_within_25_mev: float
    probability_within_50_mev: float
    windows: list[dict[str, Any]]
    known_struct_id: int | None
    relaxation: dict[str, Any] | None
    relaxation_message: str


class Design:
    """``client.design``."""

    def __init__(self, transport: Transport, *, progress: bool) -> None:
        self._transport = transport
        self._progress = progress

    def start(
        self,
        elements: Sequence[str],
        nelements: int,
        *,
        required: Sequence[str] = (),
        filter: str = "",
        max_atoms: int | None = None,
        candidates: int | None = None,
        include_known: bool = False,
        relax: bool = True,
    ) -> DesignRun:
        """Starts a search, which workers of the site run.

        Args:
            elements: elements that the compounds may contain, at most 12.
            nelements: number of elements in a compound, 2 to 4.
            required: elements that every compound contains.
            filter: conditions for candidates: predicted values, distance to the hull, windows.
            max_atoms: largest number of atoms in the primitive cell, at most 40.
            candidates: largest number of candidates to predict.
            include_known: also show compounds that are already in the catalogue.
            relax: relax the best candidates before the ranking.

        Raises:
            Refused: another search of the account is running, or too many candidates were requested.
        """
        body: Json = {
            "elements": list(elements),
            "nelements": nelements,
            "include_known": include_known,
            "relax": relax,
        }
        given = {"required": list(required), "filter": filter, "max_atoms": max_atoms, "candidates": candidates}
        body |= {name: value for name, value in given.items() if value}
        return self.run(self._transport.call("/api/design/start/", body, again=False)["id"])

    def runs(self) -> list[DesignRun]:
        """The searches of the account, newest first."""
        return [read(DesignRun, run) for run in self._transport.call("/api/design/runs/", {})["runs"]]

    def run(self, run_id: int) -> DesignRun:
        """One search."""
        return read(DesignRun, self._one(run_id)["run"])

    def candidates(self, run_id: int) -> list[Candidate]:
        """The candidates: relaxed ones first, then the others, each sorted by predicted energy above the hull."""
        return [
            read(Candidate, one, predicted=read(PredictedValues, one["predicted"], **intervals(one["predicted"])))
            for one in self._one(run_id)["candidates"]
        ]

    def wait(self, run_id: int, *, timeout: float | None = None, every: float = POLL_SECONDS) -> DesignRun:
        """Waits until a search is over.

        Args:
            timeout: seconds; None waits for as long as it takes.
            every: seconds between two requests for the state.

        Raises:
            TimeoutError: the search did not finish in time; it continues on the site.
        """
        until = None if timeout is None else time.monotonic() + timeout
        shown = bar(f"design {run_id}", 1, shown=self._progress)
        done = 0.0
        try:
            while not (run := self.run(run_id)).is_over:
                shown.update(max(0.0, run.progress - done))
                done = max(done, run.progress)
                if until is not None and time.monotonic() + every > until:
                    raise TimeoutError(f"design {run_id} is {run.status} after {timeout} s")
                time.sleep(every)
            return run
        finally:
            shown.close()

    def cancel(self, run_id: int) -> DesignRun:
        """Cancels a waiting or running search."""
        return read(DesignRun, self._transport.call("/api/design/cancel/", {"id": run_id})["run"])

    def crystal(self, run_id: int, rank: int) -> Crystal:
        """The cell of a candidate; ``.to_pymatgen()`` and ``.to_ase()`` make objects of it."""
        answer = self._transport.call("/api/design/structure/", {"id": run_id, "rank": rank})
        return Crystal(answer["structure"], {"formula": answer["formula"], "design": str(run_id), "rank": str(rank)})

    def _one(self, run_id: int) -> Json:
        return self._transport.call("/api/design/run/", {"id": run_id})
