"""Run4U: calculations and predictions for submitted structures."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import Refused
from .progress import bar
from .reading import read
from .transport import Transport

if TYPE_CHECKING:
    from pymatgen.core import Structure

OVER = frozenset({"finished", "existed", "failed", "cancelled"})
POLL_SECONDS = 10.0


@dataclass(frozen=True)
class Submission:
    """A submission.

    Attributes:
        status: ``queued``, ``running``, ``finished``, ``existed`` (the catalogue had it), ``failed`` or ``cancelled``.
        struct_id: the material that was stored, or the same material found in the catalogue.
        reason: why the submission failed, or what it waits for.
        step: step in progress; progress: fraction of the steps that are finished, 0 to 1.
        estimate_seconds: time until the submission is finished, estimated from earlier runs.
    """

    id: int
    formula: str
    space_group: str
    nsites: int
    status: str
    struct_id: int | None
    submit_time: str
    start_time: str | None
    finish_time: str | None
    reason: str
    step: str
    progress: float
    queue_position: int | None
    estimate_seconds: float | None

    @property
    def is_over(self) -> bool:
        return self.status in OVER


PREDICTION_POLL_SECONDS = 1.0


@dataclass(frozen=True)
class Calculated:
    """Predictions of the built-in potential for a crystal. Nothing is calculated from first principles.

    Attributes:
        model: name and version of the potential.
        energy_per_atom: eV/atom of the relaxed crystal, on the scale of the potential.
        max_force: eV/Å; pressure: GPa.
        warnings: known limits of the results.
        relaxed: the relaxed crystal: ``structure`` as pymatgen's ``Structure.from_dict`` reads it, ``lattice``,
            ``symmetry``, ``script`` (CIF).
        course: ``energies`` (eV/atom) and ``forces`` (eV/Å) at each step of the relaxation; ``frames``: the crystal at some steps
            (``step``, ``lattice`` in Å, fractional ``positions``).
        hull: comparison with known phases: ``energy_above_hull`` and ``error`` in eV/atom, ``competing_phases``, on a
            ``scale`` of its own; None: ``hull_message`` says why.
        eos: ``volumes`` (Å³/atom), ``energies`` (eV/atom), ``bulk_modulus`` (GPa), …
        elastic: GPa, 6×6, order xx yy zz yz xz xy, in the axes of the crystal.
        elastic_moduli: GPa.
        phonons: ``bands`` (THz, negative: imaginary), ``dos``, ``thermal``, ``has_imaginary_modes``.
        expansion: ``rows`` by ``temperature`` (K): ``volume`` (Å³/atom), ``expansion`` of the volume (1/K),
            ``gruneisen``, ``bulk_modulus`` (GPa), ``heat_capacity`` (eV/K per atom, constant pressure).
        barrier: hops of an ``ion`` into a vacancy: ``hops`` with ``distance`` (Å), ``multiplicity`` and, for the
            shortest, ``band`` (``barrier_forward``, ``barrier_backward`` in eV, ``path``).
        failed_tasks: ``task`` and ``reason`` of each task without a result.
    """

    model: str
    energy_per_atom: float
    max_force: float
    pressure: float
    warnings: list[str]
    relaxed: dict[str, Any]
    course: dict[str, Any] | None = None
    hull: dict[str, Any] | None = None
    hull_message: str = ""
    eos: dict[str, Any] | None = None
    elastic: list[list[float]] | None = None
    elastic_moduli: dict[str, Any] | None = None
    phonons: dict[str, Any] | None = None
    expansion: dict[str, Any] | None = None
    barrier: dict[str, Any] | None = None
    failed_tasks: list[dict[str, str]] = field(default_factory=list)


class Run4U:
    """``client.run4u``."""

    def __init__(self, transport: Transport, *, progress: bool) -> None:
        self._transport = transport
        self._progress = progress

    def submissions(self) -> list[Submission]:
        """The submissions of the account, newest first."""
        answer = self._transport.call("/api/run4u/dashboard_handle/", {})
        return [read(Submission, row) for row in answer["user_data"]["history"]]

    def quota_left(self) -> int:
        """Number of submissions left today."""
        left: int = self._transport.call("/api/run4u/dashboard_handle/", {})["quota"]["left"]
        return left

    def submission(self, submission_id: int) -> Submission:
        """A submission of the account."""
        return read(Submission, self._transport.call("/api/run4u/run4u_detail/", {"id": submission_id})["row"])

    def submit(self, path: str | Path) -> Submission:
        """Submits a CIF or POSCAR (10 KB, 100 atoms).

        Raises:
            Refused: the file contains no structure that can be calculated, or the daily quota is used up.
        """
        body = {"submit": True, "structure": self._structure(path)}
        return self._submitted(self._transport.call("/api/run4u/run4u_submit/", body, again=False))

    def calculate(
        self,
        structure: str | Path | Mapping[str, Any] | Structure,
        tasks: Sequence[str] = (),
        *,
        ion: str | None = None,
        potential: str | None = None,
        timeout: float | None = None,
        every: float = PREDICTION_POLL_SECONDS,
    ) -> Calculated:
        """Relaxes a crystal with the built-in potential, compares it with known phases and runs ``tasks``.

        Args:
            structure: a CIF or POSCAR file, a pymatgen structure, or its dictionary.
            tasks: any of ``eos``, ``elastic``, ``phonons``, ``expansion``, ``barrier``.
            ion: with ``barrier``, the ion that hops; None takes the first working ion of the crystal.
            potential: ``sevennet-0`` (default), or ``sevennet-l3i5``: closer to PBE, three times as long.
            timeout: seconds; None waits for as long as it takes.
            every: seconds between two requests for the state.

        Raises:
            Refused: the crystal cannot be predicted, or the predictions of the day are used up.
            TimeoutError: the prediction did not finish in time; it continues on the site.
        """
        options = {"ion": ion, "potential": potential}
        given = {name: value for name, value in options.items() if value is not None}
        wish = {"method": "prediction", "tasks": list(tasks), **given}
        body = {"submit": True, "structure": self._structure(structure), **wish}
        sent = self._submitted(self._transport.call("/api/run4u/run4u_submit/", body, again=False))
        over = self.wait(sent.id, timeout=timeout, every=every)
        row = self._transport.call("/api/run4u/run4u_detail/", {"id": sent.id})["row"]
        if row.get("predicted") is None:
            raise Refused(over.reason or over.status, code=f"run4u.{over.status}", status=200)
        return read(Calculated, row["predicted"])

    def resubmit(self, submission_id: int) -> Submission:
        """Submits a failed or cancelled structure again; this counts as one submission."""
        body = {"id": submission_id}
        return self._submitted(self._transport.call("/api/run4u/run4u_resubmit/", body, again=False))

    def cancel(self, submission_id: int) -> None:
        """Cancels a submission that waits or runs."""
        self._transport.call("/api/run4u/run4u_cancel/", {"id": submission_id})

    def wait(self, submission_id: int, *, timeout: float | None = None, every: float = POLL_SECONDS) -> Submission:
        """Waits until a submission is over.

        Args:
            timeout: seconds; None waits for as long as it takes.
            every: seconds between two requests for the state.

        Raises:
            TimeoutError: the submission did not finish in time; it continues on the site.
        """
        until = None if timeout is None else time.monotonic() + timeout
        shown = bar(f"submission {submission_id}", 1, shown=self._progress)
        done = 0.0
        try:
            while True:
                state = self.submission(submission_id)
                shown.update(max(0.0, state.progress - done))
                done = max(done, state.progress)
                if state.is_over:
                    return state
                if until is not None and time.monotonic() + every > until:
                    raise TimeoutError(f"submission {submission_id} is {state.status} after {timeout} s")
                time.sleep(every)
        finally:
            shown.close()

    def _structure(self, given: str | Path | Mapping[str, Any] | Structure) -> Any:
        if isinstance(given, Mapping):
            return dict(given)
        if not isinstance(given, (str, Path)):
            return given.as_dict()
        file = Path(given)
        read_file = self._transport.upload("/api/run4u/run4u_handle/", "cif-file", file.name, file.read_bytes())
        return read_file["structure"]

    def _submitted(self, answer: dict[str, Any]) -> Submission:
        if answer.get("id") is None:
            full = f"{answer.get('limit', 'all')} daily submissions are used up"
            text = full if answer["message"] == "Full" else answer["message"]
            raise Refused(text, code="run4u.full", status=200)
        return self.submission(answer["id"])
