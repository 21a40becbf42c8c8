"""Files of one material, or of all materials that a filter finds."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, get_args

from .errors import Refused
from .materials import Filter, oxygen_of
from .progress import bar
from .structures import Cell, Crystal
from .transport import Transport

CHUNK = 1 << 16
Format = Literal["cif", "csv", "jsonl", "cif.tar.gz", "poscar.tar.gz"]


class Files:
    """``client.files``."""

    def __init__(self, transport: Transport, *, progress: bool) -> None:
        self._transport = transport
        self._progress = progress

    def cif(self, struct_id: int, *, cell: Cell = "conventional", symmetry: bool = True) -> str:
        """CIF with space group, operations and asymmetric unit; without ``symmetry``, all atoms in P 1."""
        return self._text(f"{struct_id}.cif", cell=cell, symmetry="yes" if symmetry else "no")

    def poscar(self, struct_id: int, *, cell: Cell = "conventional") -> str:
        """POSCAR of VASP 5, direct coordinates."""
        return self._text(f"{struct_id}.poscar", cell=cell)

    def xyz(self, struct_id: int, *, cell: Cell = "conventional") -> str:
        """Extended XYZ, Cartesian coordinates in Å."""
        return self._text(f"{struct_id}.xyz", cell=cell)

    def crystal(self, struct_id: int, *, cell: Cell = "conventional") -> Crystal:
        """A cell with its source and licence; ``.to_pymatgen()`` and ``.to_ase()`` make objects of it."""
        data: dict[str, Any] = self._transport.call(f"/api/materials/{struct_id}.json?cell={cell}")
        return Crystal(data, data.pop("properties", {}))

    def download(
        self,
        filter: Filter,
        path: str | Path,
        *,
        format: Format | None = None,
        scale: str = "",
        sort: str = "energy_above_hull",
        stable_in_oxygen: tuple[float, float] | None = None,
    ) -> Path:
        """Writes all materials a filter finds into one file, in one request.

        Args:
            path: path of the file, whose ending selects the format unless ``format`` is given: ``.cif`` holds all
                crystals; ``.cif.tar.gz`` and ``.poscar.tar.gz`` hold one file per crystal and a list of sources.
            stable_in_oxygen: as in :meth:`Materials.find`.

        Returns:
            The path. An interrupted download leaves no file.
        """
        target = Path(path)
        kind = format or next((known for known in get_args(Format) if target.name.endswith(f".{known}")), None)
        if kind not in get_args(Format):
            raise Refused(
                f"{target.name}: the format must be one of {', '.join(get_args(Format))}", code="client.format"
            )
        body = {"filter": filter, "format": kind, "sort": sort} | ({"scale": scale} if scale else {})
        body |= oxygen_of(stable_in_oxygen)
        part = target.with_name(target.name + ".part")
        shown = bar(target.name, None, shown=self._progress, unit="B")
        try:
            with (
                self._transport.stream("POST", "/api/matdata/screen/download/", json=body) as response,
                part.open("wb") as file,
            ):
                for chunk in response.iter_bytes(CHUNK):
                    file.write(chunk)
                    shown.update(len(chunk))
            part.replace(target)
        finally:
            shown.close()
            part.unlink(missing_ok=True)
        return target

    def cifs(self, filter: Filter) -> list[str]:
        """CIF texts of all materials a filter finds, in one request; one data block each."""
        body = {"filter": filter, "format": "cif"}
        with self._transport.stream("POST", "/api/matdata/screen/download/", json=body) as response:
            text = response.read().decode()
        return ["data_" + block for block in ("\n" + text).split("\ndata_")[1:]]

    def _text(self, name: str, **query: str) -> str:
        return self._transport.text(f"/api/materials/{name}", query)
