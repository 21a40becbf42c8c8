"""Exceptions that calls raise."""

from __future__ import annotations


class UnitcellError(Exception):
    """The site refused or failed; ``str()`` is its message, in the language of the client.

    Attributes:
        code: error code for programs, such as ``search.unknown-elements``.
        status: HTTP status; 200 for errors that the caller can correct, 0 without an answer.
        error_id: id to report to the operator if the site failed.
    """

    def __init__(self, message: str, *, code: str = "", status: int = 0, error_id: str | None = None) -> None:
        super().__init__(message or code or f"HTTP {status}")
        self.code = code
        self.status = status
        self.error_id = error_id


class Refused(UnitcellError):
    """The request is invalid: the message says which value is wrong and what to do."""


class NotSignedIn(UnitcellError):
    """No key; an unknown, revoked or expired key; or a key without the scope that the call needs."""


class NotFound(UnitcellError):
    """The material, submission or file does not exist."""


class TooManyRequests(UnitcellError):
    """The site asks the client to wait longer than ``max_wait``.

    Attributes:
        retry_after: seconds the site asks for.
    """

    def __init__(self, message: str, *, retry_after: float, code: str = "", status: int = 429) -> None:
        super().__init__(message, code=code, status=status)
        self.retry_after = retry_after


class SiteFailed(UnitcellError):
    """An error of the site, or of the network connection to the site."""


class Unreachable(UnitcellError):
    """The site did not answer."""
