"""Sends requests to the site and waits when the site asks to, up to a limit."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx

from .errors import NotFound, NotSignedIn, Refused, SiteFailed, TooManyRequests, UnitcellError, Unreachable

Json = dict[str, Any]
T = TypeVar("T")

LIMIT = re.compile(r'"(?P<name>[^"]*)"\s*;\s*r=(?P<left>\d+)(?:\s*;\s*t=(?P<seconds>\d+))?')
"""One budget of a ``RateLimit`` header (draft-ietf-httpapi-ratelimit-headers)."""

BUSY = frozenset({429, 502, 503, 504})
BACK_OFF = (1.0, 3.0, 9.0)
"""Seconds before the second, third and fourth attempt if the site does not state a time to wait."""


def seconds_of(headers: Mapping[str, str]) -> float | None:
    """``Retry-After`` in seconds; None when it is absent or a date."""
    text = headers.get("Retry-After", "").strip()
    return float(text) if text.isdigit() else None


def error_of(response: httpx.Response, body: object) -> UnitcellError:
    """The exception for an error answer."""
    fields: Mapping[str, Any] = body if isinstance(body, dict) else {}
    code = str(fields.get("code") or "")
    # The site's message asks users to sign in, which a program cannot do.
    no_key = "no API key: Client(url, key='uck_…') or the variable UNITCELL_KEY" if code == "auth.missing" else ""
    message = no_key or str(fields.get("message") or fields.get("detail") or "")
    status = response.status_code
    if status == 429:
        return TooManyRequests(message, code=code, retry_after=seconds_of(response.headers) or 0)
    if status in (401, 403):
        return NotSignedIn(message, code=code, status=status)
    if status == 404:
        return NotFound(message, code=code, status=status)
    if status >= 500:
        return SiteFailed(message, code=code, status=status, error_id=fields.get("error_id"))
    return Refused(message, code=code, status=status)


def body_of(response: httpx.Response) -> object:
    """The JSON of an answer, or its text."""
    try:
        return response.json()
    except ValueError:
        return response.text


class Transport:
    """Sends requests with the key. Not for use by several threads at once, apart from ``call``.

    Args:
        url: address of the site, without ``/api``.
        key: API key (``uck_…``); None for public data only.
        language: language of messages, ``en`` or ``zh``.
        timeout: seconds one request may take.
        max_wait: seconds that one call may wait in total before it raises :class:`TooManyRequests`.
        sleep: function that waits, for programs that wait in another way.
    """

    def __init__(
        self,
        url: str,
        *,
        key: str | None,
        language: str,
        timeout: float,
        max_wait: float,
        sleep: Callable[[float], None] = time.sleep,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        headers = {"Accept-Language": language, "User-Agent": "unitcell-python/0.2"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        self.http = httpx.Client(
            base_url=url.rstrip("/"),
            headers=headers,
            timeout=timeout,
            transport=transport,
            follow_redirects=True,
        )
        self.max_wait = max_wait
        self.sleep = sleep
        # By path: the time until which the rate limit of the path is used up.
        self._spent_until: dict[str, float] = {}

    def call(self, path: str, body: Json | None = None, *, again: bool = True) -> Json:
        """Makes a call; the answer is its JSON.

        Args:
            again: whether the request may be sent twice; if so, it is retried after a broken connection.

        Raises:
            UnitcellError: one of its subclasses, by the kind of error.
        """
        if body is None:
            return self._answer(path, lambda: self.http.get(path), again)
        return self._answer(path, lambda: self.http.post(path, json=body), again)

    def upload(self, path: str, field: str, name: str, content: bytes) -> Json:
        """Sends one file."""
        files = {field: (name, content)}
        return self._answer(path, lambda: self.http.post(path, files=files), again=True)

    @contextmanager
    def stream(
        self, method: str, path: str, *, json: Json | None = None, headers: Mapping[str, str] | None = None
    ) -> Iterator[httpx.Response]:
        """Streams a file. Raises the same exceptions as :meth:`call`."""
        response = self._send_with_retries(path, lambda: self._open(method, path, json, headers), again=True)
        try:
            yield response
        except httpx.TransportError as cause:
            raise Unreachable(f"the connection broke: {cause}") from cause
        finally:
            response.close()

    def text(self, path: str, params: Mapping[str, Any] | None = None) -> str:
        """A small file as text."""
        response = self._send_with_retries(path, lambda: self.http.get(path, params=params), again=True)
        if response.headers.get("Content-Disposition") is None:
            refuse(body_of(response), response)
        return response.text

    def close(self) -> None:
        self.http.close()

    def _open(self, method: str, path: str, json: Json | None, headers: Mapping[str, str] | None) -> httpx.Response:
        request = self.http.build_request(method, path, json=json, headers=headers)
        response = self.http.send(request, stream=True)
        if response.status_code >= 400 or response.headers.get("Content-Disposition") is None:
            response.read()
            if response.status_code < 400:
                refuse(body_of(response), response)
        return response

    def _answer(self, path: str, send: Callable[[], httpx.Response], again: bool) -> Json:
        response = self._send_with_retries(path, send, again)
        body = body_of(response)
        refuse(body, response)
        if not isinstance(body, dict):
            raise SiteFailed(f"{path} did not return JSON: is this the address of a Unitcell site?", status=200)
        return body

    def _send_with_retries(self, path: str, send: Callable[[], httpx.Response], again: bool) -> httpx.Response:
        """Sends a request; retries after the time that the site states, at most ``max_wait`` seconds in total."""
        waited = self._wait(max(0.0, self._spent_until.get(path, 0) - time.monotonic()), 0, path)
        for attempt in range(len(BACK_OFF) + 1):
            last = attempt == len(BACK_OFF)
            try:
                response = send()
            except httpx.TransportError as cause:
                if last or not again:
                    raise Unreachable(f"{self.http.base_url} does not answer: {cause}") from cause
                waited = self._wait(BACK_OFF[attempt], waited, path)
                continue
            self._remember(path, response)
            if response.status_code < 400:
                return response
            if not response.is_closed:
                response.read()
            error = error_of(response, body_of(response))
            asked = seconds_of(response.headers)
            # An answer without a time to wait comes from a proxy, so the site may have received the call.
            if last or response.status_code not in BUSY or (asked is None and not again):
                raise error
            waited = self._wait(BACK_OFF[attempt] if asked is None else asked, waited, path, error)
        raise AssertionError("unreachable")

    def _wait(self, seconds: float, waited: float, path: str, error: UnitcellError | None = None) -> float:
        if seconds <= 0:
            return waited
        if waited + seconds > self.max_wait:
            raise error or TooManyRequests(f"rate limit of {path} reached for {seconds:.0f} s", retry_after=seconds)
        self.sleep(seconds)
        return waited + seconds

    def _remember(self, path: str, response: httpx.Response) -> None:
        """Remembers until when the calls of a path are used up: the longest wait of its limits."""
        limits = list(LIMIT.finditer(response.headers.get("RateLimit", "")))
        waits = [float(limit["seconds"]) for limit in limits if limit["left"] == "0" and limit["seconds"]]
        if waits:
            self._spent_until[path] = time.monotonic() + max(waits)
        elif limits:
            self._spent_until.pop(path, None)


def refuse(body: object, response: httpx.Response) -> None:
    """Raises Refused if the answer contains only an error message."""
    if isinstance(body, dict) and body.get("error") == "true":
        raise error_of(response, body)
