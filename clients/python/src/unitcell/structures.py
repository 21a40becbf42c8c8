"""Crystals: plain data, and the objects of pymatgen and ASE."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from ase import Atoms
    from pymatgen.core import Structure

Cell = Literal["conventional", "primitive", "given"]
"""``given`` is the cell of the source, reduced to a primitive cell; the other cells are idealised."""


@dataclass(frozen=True)
class Crystal:
    """A cell with its atoms.

    Attributes:
        data: as ``pymatgen.core.Structure.as_dict`` writes it: lattice vectors in Å, fractional coordinates.
        properties: provenance: source, licence, release, address.
    """

    data: dict[str, Any]
    properties: dict[str, Any]

    @property
    def lattice(self) -> list[list[float]]:
        """Rows are lattice vectors, Å."""
        matrix: list[list[float]] = self.data["lattice"]["matrix"]
        return matrix

    @property
    def species(self) -> list[str]:
        """Element of each site; on a shared site the most frequent element."""
        return [max(site["species"], key=lambda s: s["occu"])["element"] for site in self.data["sites"]]

    @property
    def fractional_coordinates(self) -> list[list[float]]:
        """Fractional coordinates of each site."""
        return [site["abc"] for site in self.data["sites"]]

    @property
    def is_ordered(self) -> bool:
        """Whether every site is fully occupied by one element."""
        return all(len(s["species"]) == 1 and s["species"][0]["occu"] == 1 for s in self.data["sites"])

    def to_pymatgen(self) -> Structure:
        """A pymatgen ``Structure``; needs ``pip install unitcell[pymatgen]``."""
        from pymatgen.core import Structure

        made: Structure = Structure.from_dict(self.data)
        return made

    def to_ase(self) -> Atoms:
        """ASE ``Atoms`` of an ordered crystal; needs ``pip install unitcell[ase]``.

        Raises:
            ValueError: when atoms share a site.
        """
        if not self.is_ordered:
            raise ValueError("atoms share a site, which ASE cannot represent")
        from ase import Atoms

        return Atoms(
            symbols=self.species,
            scaled_positions=self.fractional_coordinates,
            cell=self.lattice,
            pbc=True,
            info={key: value for key, value in self.properties.items() if isinstance(value, str)},
        )
