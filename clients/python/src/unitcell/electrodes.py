"""Insertion electrodes, and conversion reactions of a material with the metal of an ion."""

from __future__ import annotations

from typing import Any

from .transport import Json, Transport


class Electrodes:
    """``client.electrodes``. Voltages in V against the metal of the ion, capacities in mAh per g of the discharged material."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def find(self, ion: str = "Li", *, scale: str = "", **conditions: Any) -> list[dict[str, Any]]:
        """Electrodes of one working ion, at most 500 per request.

        Args:
            conditions: ``voltage``, ``capacity``, ``volume_change`` as ``(min, max)`` with None for an open end; ``above_hull``,
                ``elements``, ``without``, ``framework``, ``sort``, ``ascending``, ``offset``, ``limit``.
        """
        body = {"ion": ion, "limit": 500} | conditions | ({"functional": scale} if scale else {})
        return list(self._transport.call("/api/electrodes/search/", body)["results"])

    def of(self, struct_id: int | str, ion: str = "Li", *, scale: str = "") -> Json:
        """The electrode that has the material as one of its states: values, ``steps`` (plateaus) and ``states``."""
        body = {"electrodes": [{"struct_id": struct_id, "ion": ion}]} | ({"functional": scale} if scale else {})
        return dict(self._transport.call("/api/electrodes/get/", body)["electrodes"][0])

    def conversion(self, struct_id: int | str, ion: str = "Li", *, scale: str = "") -> Json:
        """The voltage plateaus of the conversion reaction of the material with the metal of the ion."""
        body = {"struct_id": struct_id, "ion": ion} | ({"functional": scale} if scale else {})
        return self._transport.call("/api/electrodes/conversion/", body)
