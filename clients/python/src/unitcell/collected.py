"""Collections of materials, and saved searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .reading import read
from .transport import Json, Transport


@dataclass(frozen=True)
class Collection:
    """A collection of materials.

    Attributes:
        share_key: key with which any signed-in user may read the collection; None: it is not shared.
        release: release of the catalogue when a material was last added.
        count: number of materials in the collection.
        created_at: ISO 8601, like ``updated_at``.
        struct_ids: materials in the order in which they were added; empty in a list of collections.
    """

    id: int
    name: str
    note: str
    share_key: str | None
    release: int | None
    count: int
    created_at: str
    updated_at: str
    struct_ids: list[int] = field(default_factory=list, repr=False)


@dataclass(frozen=True)
class SavedSearch:
    """A filter saved under a name.

    Attributes:
        scale: energy scale; empty: the site's own.
        seen_at: ISO 8601, when it was saved or last marked as seen; the filter ``added > "…"`` finds materials
            added since.
    """

    id: int
    name: str
    filter: str
    scale: str
    seen_at: str
    seen_release: int | None


class Collections:
    """``client.collections``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def all(self) -> list[Collection]:
        """The collections of the account, most recently changed first."""
        return [read(Collection, one) for one in self._call("list", {})["collections"]]

    def get(self, collection_id: int) -> Collection:
        """A collection of the account, with its materials."""
        return self._collection("get", {"id": collection_id})

    def shared(self, share_key: str) -> Collection:
        """A collection that another account shared."""
        return self._collection("get", {"key": share_key})

    def create(self, name: str, struct_ids: Sequence[int] = (), *, note: str = "") -> Collection:
        """Makes a collection."""
        return self._collection("save", {"name": name, "note": note, "add": list(struct_ids)})

    def add(self, collection_id: int, struct_ids: Sequence[int]) -> Collection:
        """Adds materials to a collection, all or none."""
        return self._collection("change", {"id": collection_id, "add": [*struct_ids]})

    def remove(self, collection_id: int, struct_ids: Sequence[int]) -> Collection:
        """Removes materials from a collection."""
        return self._collection("change", {"id": collection_id, "remove": [*struct_ids]})

    def share(self, collection_id: int, *, is_shared: bool = True) -> str | None:
        """Shares a collection and returns its key. With ``is_shared=False`` the key becomes invalid for good."""
        key: str | None = self._call("share", {"id": collection_id, "is_shared": is_shared})["share_key"]
        return key

    def delete(self, collection_id: int) -> None:
        """Deletes a collection."""
        self._call("remove", {"id": collection_id})

    def searches(self) -> list[SavedSearch]:
        """The saved searches of the account, newest first."""
        return [read(SavedSearch, one) for one in self._call("list", {})["searches"]]

    def save_search(self, name: str, filter: str, *, scale: str = "") -> SavedSearch:
        """Saves a filter under a name."""
        body = {"name": name, "filter": filter} | ({"scale": scale} if scale else {})
        return read(SavedSearch, self._call("save_search", body)["search"])

    def delete_search(self, search_id: int) -> None:
        """Deletes a saved search."""
        self._call("remove_search", {"id": search_id})

    def _collection(self, call: str, body: Json) -> Collection:
        return read(Collection, self._call(call, body)["collection"])

    def _call(self, call: str, body: Json) -> Json:
        return self._transport.call(f"/api/collections/{call}/", body, again=call in {"list", "get"})
