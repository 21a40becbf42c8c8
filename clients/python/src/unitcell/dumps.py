"""Dumps: the whole catalogue, its hulls and its windows as dated files with checksums."""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import dataclass
from pathlib import Path

from .errors import NotFound, SiteFailed
from .progress import bar
from .reading import read
from .transport import Transport

CHUNK = 1 << 20
NOT_PUBLISHED = "the site has not published a release; its operator does this with `unitcell release publish`"


@dataclass(frozen=True)
class DumpFile:
    """A file of a dump.

    Attributes:
        bytes: size of the file; sha256: checksum of the file, hexadecimal.
        rows: number of lines or rows in the file.
        address: path on the site.
    """

    name: str
    bytes: int
    sha256: str
    rows: int
    media_type: str
    address: str
    about: str = ""


@dataclass(frozen=True)
class Dump:
    """A release of the catalogue.

    Attributes:
        published_at: ISO 8601.
        licences: number of catalogue rows under each licence.
        cite: how to cite this release.
    """

    release: int
    published_at: str
    materials: int
    licences: dict[str, int]
    cite: str
    files: list[DumpFile]

    def file(self, name: str) -> DumpFile:
        """The file with this name, such as ``materials.parquet``.

        Raises:
            NotFound: there is no such file.
        """
        for file in self.files:
            if file.name == name:
                return file
        raise NotFound(f"release {self.release} has {', '.join(file.name for file in self.files)}")


def _published(transport: Transport) -> list[Dump]:
    answer = transport.call("/api/releases/")
    return [read(Dump, one, files=[read(DumpFile, file) for file in one["files"]]) for one in answer["releases"]]


class Dumps:
    """``client.dumps``."""

    def __init__(self, transport: Transport, *, progress: bool) -> None:
        self._transport = transport
        self._progress = progress

    def list(self) -> list[Dump]:
        """The dumps that the site keeps, newest first; empty, with a warning, until the operator has published one."""
        dumps = _published(self._transport)
        if not dumps:
            warnings.warn(NOT_PUBLISHED, stacklevel=2)
        return dumps

    def latest(self) -> Dump:
        """The newest dump.

        Raises:
            NotFound: the operator has published no dump.
        """
        for dump in _published(self._transport):
            return dump
        raise NotFound(NOT_PUBLISHED, code="client.no-release")

    def download(self, file: DumpFile, path: str | Path) -> Path:
        """Downloads a file of a dump and checks its SHA-256; resumes an interrupted download.

        Raises:
            SiteFailed: the checksum is not the one that the site stated; nothing is kept.
        """
        target = Path(path)
        if target.is_dir():
            target /= file.name
        part = target.with_name(f"{target.name}.{file.sha256[:12]}.part")
        have = part.stat().st_size if part.exists() else 0
        shown = bar(file.name, file.bytes, shown=self._progress, unit="B")
        shown.update(have)
        if have < file.bytes:
            # Ranges refer to the uncompressed bytes, so no compression may be used.
            headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
            with (
                self._transport.stream("GET", file.address, headers=headers) as response,
                part.open("ab" if response.status_code == 206 else "wb") as out,
            ):
                for chunk in response.iter_bytes(CHUNK):
                    out.write(chunk)
                    shown.update(len(chunk))
        shown.close()
        if sha256_of(part) != file.sha256:
            part.unlink()
            raise SiteFailed(f"{file.name}: the SHA-256 is not that of the manifest", code="client.checksum")
        part.replace(target)
        return target


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, hexadecimal; the file is read in parts."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
