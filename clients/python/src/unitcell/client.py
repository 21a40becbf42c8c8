"""The client: one object, one attribute per group of calls."""

from __future__ import annotations

import os

import httpx

from .coatings import Coatings
from .collected import Collections
from .design import Design
from .dumps import Dumps
from .electrodes import Electrodes
from .files import Files
from .interfaces import Interfaces
from .materials import MaterialDetail, Materials
from .patterns import Patterns
from .phase_diagrams import PhaseDiagrams
from .predictions import Predictions
from .run4u import Run4U
from .stability import Stability
from .tight_binding import TightBinding
from .transport import Json, Transport
from .windows import Windows


class Client:
    """A Unitcell site.

    >>> from unitcell import Client
    >>> site = Client("https://materials.example.org", key="uck_…")
    >>> site.find('elements HAS ONLY "Ti", "O" AND band_gap > 2').frame()

    Args:
        url: address of the site; the environment's ``UNITCELL_URL`` when None.
        key: API key; the environment's ``UNITCELL_KEY`` when None. Without a key, only public data are available.
        language: ``en`` or ``zh``: language of error messages.
        timeout: time limit of one request in seconds.
        max_wait: seconds that a call may wait in total when the site answers with ``Retry-After``.
        progress: show progress bars for long work, if tqdm is installed and the output is a terminal or notebook.
        transport: a custom httpx transport, for proxies and tests.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        language: str = "en",
        timeout: float = 120,
        max_wait: float = 120,
        progress: bool = True,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        address = url or os.environ.get("UNITCELL_URL")
        if not address:
            raise ValueError("no address: Client('https://…') or the variable UNITCELL_URL")
        self._transport = Transport(
            address,
            key=key or os.environ.get("UNITCELL_KEY"),
            language=language,
            timeout=timeout,
            max_wait=max_wait,
            transport=transport,
        )
        self.materials = Materials(self._transport, progress=progress)
        self.files = Files(self._transport, progress=progress)
        self.patterns = Patterns(self._transport, progress=progress)
        self.phase_diagrams = PhaseDiagrams(self._transport)
        self.windows = Windows(self._transport)
        self.electrodes = Electrodes(self._transport)
        self.interfaces = Interfaces(self._transport)
        self.coatings = Coatings(self._transport)
        self.stability = Stability(self._transport)
        self.tight_binding = TightBinding(self._transport)
        self.run4u = Run4U(self._transport, progress=progress)
        self.predictions = Predictions(self._transport)
        self.design = Design(self._transport, progress=progress)
        self.collections = Collections(self._transport)
        self.dumps = Dumps(self._transport, progress=progress)
        self.find = self.materials.find

    def material(self, struct_id: int | str) -> MaterialDetail:
        """One material: ``client.materials.material``."""
        return self.materials.material(struct_id)

    def call(self, path: str, body: Json | None = None) -> Json:
        """Makes any call of the API by its path and returns the JSON answer. Without a body, the request is a GET.

        Raises:
            UnitcellError: the message and code of the refusal.
        """
        return self._transport.call(path, body)

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
