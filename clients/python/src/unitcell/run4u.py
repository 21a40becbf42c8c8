"""Run4U: first-principles calculations on structures of one's own."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import Refused
from .progress import bar
from .reading import read
from .transport import Transport

OVER = frozenset({"finished", "existed", "failed", "cancelled"})
POLL_SECONDS = 10.0


@dataclass(frozen=True)
class Submission:
    """A submission.

    Attributes:
        status: ``queued``, ``running``, ``finished``, ``existed`` (the catalogue had it), ``failed`` or ``cancelled``.
        struct_id: the material it became, or was found to be.
        reason: why it failed, or what it waits for.
        step: under way; progress: share of the steps that are finished, 0 to 1.
        estimate_seconds: until it is finished, as far as earlier runs tell.
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


class Run4U:
    """``client.run4u``."""

    def __init__(self, transport: Transport, *, progress: bool) -> None:
        self._transport = transport
        self._progress = progress

    def submissions(self) -> list[Submission]:
        """Those of the account, newest first."""
        answer = self._transport.call("/api/run4u/dashboard_handle/", {})
        return [read(Submission, row) for row in answer["user_data"]["history"]]

    def quota_left(self) -> int:
        """Submissions left today."""
        left: int = self._transport.call("/api/run4u/dashboard_handle/", {})["quota"]["left"]
        return left

    def submission(self, submission_id: int) -> Submission:
        """One of the account."""
        return read(Submission, self._transport.call("/api/run4u/run4u_detail/", {"id": submission_id})["row"])

    def submit(self, path: str | Path) -> Submission:
        """Submits a CIF or POSCAR (10 KB, 100 atoms).

        Raises:
            Refused: the file contains no structure that can be calculated, or the daily quota is used up.
        """
        file = Path(path)
        read_file = self._transport.upload("/api/run4u/run4u_handle/", "cif-file", file.name, file.read_bytes())
        body = {"submit": True, "structure": read_file["structure"]}
        return self._submitted(self._transport.call("/api/run4u/run4u_submit/", body, again=False))

    def resubmit(self, submission_id: int) -> Submission:
        """Submits a failed or cancelled structure again; counts as one."""
        body = {"id": submission_id}
        return self._submitted(self._transport.call("/api/run4u/run4u_resubmit/", body, again=False))

    def cancel(self, submission_id: int) -> None:
        """Cancels a submission that waits or runs."""
        self._transport.call("/api/run4u/run4u_cancel/", {"id": submission_id})

    def wait(self, submission_id: int, *, timeout: float | None = None, every: float = POLL_SECONDS) -> Submission:
        """Waits until a submission is over.

        Args:
            timeout: seconds; None waits for as long as it takes.
            every: seconds between two looks.

        Raises:
            TimeoutError: it did not finish in time; it continues on the site.
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

    def _submitted(self, answer: dict[str, Any]) -> Submission:
        if answer.get("id") is None:
            full = f"{answer.get('limit', 'all')} daily submissions are used up"
            text = full if answer["message"] == "Full" else answer["message"]
            raise Refused(text, code="run4u.full", status=200)
        return self.submission(answer["id"])
