"""Tight-binding bands of plane nets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .reading import read
from .transport import Transport


@dataclass(frozen=True)
class Net:
    """A plane net.

    Attributes:
        grid_id: code of the net.
        script: CIF text in P 1, one element per kind of site.
        sites: symbol and energy of each kind of site, in the order of ``onsite``.
    """

    grid_id: str
    script: str
    sites: list[dict[str, Any]]


@dataclass(frozen=True)
class Bands:
    """Bands along the path of the plane group.

    Attributes:
        k: distance along the path, in units of one over the mean edge, with the factor 2π.
        energies: one list per band, in the unit of the hoppings.
        corners: name of each corner of the path and its ``k``.
    """

    grid_id: str
    k: list[float]
    energies: list[list[float]]
    corners: list[tuple[str, float]]


class TightBinding:
    """``client.tight_binding``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def net(self, grid_id: str) -> Net:
        """A plane net by its code or another name: ``hcb``, ``kagome``."""
        answer = self._transport.call("/api/tight_binding/get_lattice_structure/", {"grid_id": grid_id})
        return read(Net, answer, sites=answer["wyckoeffs"])

    def bands(
        self,
        grid_id: str,
        *,
        t1: float = -1,
        t2: float = -1,
        onsite: Sequence[float] = (0,),
        t2_rule: Literal["graph", "distance"] = "graph",
        haldane_flux: float = 0,
        points: int = 200,
    ) -> Bands:
        """Bands of a net.

        Args:
            t1, t2: hoppings to first and second neighbours, -1 to 1.
            onsite: one energy per kind of site; ``(0,)``: 0 everywhere.
            t2_rule: second neighbours are two links apart, or at the second shortest distance.
            haldane_flux: Haldane flux of second-neighbour paths, radians.
            points: number of points along the path.
        """
        body = {
            "grid_id": grid_id,
            "t1_ratio": t1,
            "t2_ratio": t2,
            "onsites_symbol": list(onsite),
            "t2_rule": t2_rule,
            "haldane_flux": haldane_flux,
            "k_points": points,
        }
        answer = self._transport.call("/api/tight_binding/get_band_data/", body)
        corners = list(zip(answer["hsp_labels"], answer["hsp_nodes"], strict=True))
        return Bands(answer["grid_id"], answer["k_dist"], [band["y"] for band in answer["plotly_data"]], corners)
