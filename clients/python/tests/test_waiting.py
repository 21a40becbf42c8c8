"""Tests how the client waits, against a small server that refuses for a while. Sleeps are recorded, not executed."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import unitcell
from unitcell.dumps import Dumps
from unitcell.patterns import Measured
from unitcell.transport import Transport

Answer = tuple[int, dict[str, str], dict[str, object]]
GOOD: Answer = (200, {}, {"error": "false", "value": 1})


class Site:
    """Answers with the given responses in order, and repeats the last one."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.asked = 0
        self.bodies: list[bytes] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                site.bodies.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
                self.do_GET()

            def do_GET(self) -> None:
                status, headers, body = site.answers[min(site.asked, len(site.answers) - 1)]
                site.asked += 1
                data = json.dumps(body).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(data))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    yield made
    made.server.shutdown()
    made.server.server_close()


def client(site: Site, slept: list[float], max_wait: float = 100) -> Transport:
    return Transport(site.url, key=None, language="en", timeout=10, max_wait=max_wait, sleep=slept.append)


def busy(seconds: str) -> Answer:
    return (429, {"Retry-After": seconds}, {"error": "true", "message": "Too many.", "code": "request.too-many"})


def test_waits_as_long_as_retry_after_states(site: Site) -> None:
    site.answers = [busy("7"), busy("2"), GOOD]
    slept: list[float] = []
    assert client(site, slept).call("/x", {})["value"] == 1
    assert slept == [7, 2]


def test_does_not_wait_longer_than_max_wait(site: Site) -> None:
    site.answers = [busy("60"), busy("60"), GOOD]
    slept: list[float] = []
    with pytest.raises(unitcell.TooManyRequests, match="Too many") as caught:
        client(site, slept).call("/x", {})
    assert slept == [60]
    assert caught.value.retry_after == 60
    assert caught.value.code == "request.too-many"


def test_gives_up_after_the_last_attempt(site: Site) -> None:
    site.answers = [busy("1")]
    slept: list[float] = []
    with pytest.raises(unitcell.TooManyRequests):
        client(site, slept).call("/x", {})
    assert site.asked == 4
    assert slept == [1, 1, 1]


@pytest.mark.parametrize(
    "limits",
    ['"calculations";r=0;t=30', '"calculations";r=0;t=30, "key";r=7;t=1', '"key";r=0;t=7, "calculations";r=0;t=30'],
)
def test_waits_before_a_call_if_a_rate_limit_is_used_up(site: Site, limits: str) -> None:
    site.answers = [(200, {"RateLimit": limits}, {"error": "false"}), GOOD]
    slept: list[float] = []
    transport = client(site, slept)
    transport.call("/x", {})
    transport.call("/y", {})
    assert slept == []
    transport.call("/x", {})
    assert slept == [pytest.approx(30, abs=1)]


def test_a_proxy_error_is_retried_unless_the_call_must_not_be_sent_twice(site: Site) -> None:
    site.answers = [(502, {}, {}), GOOD]
    slept: list[float] = []
    assert client(site, slept).call("/x", {})["value"] == 1
    assert slept == [1]
    site.asked = 0
    with pytest.raises(unitcell.SiteFailed):
        client(site, slept).call("/x", {}, again=False)
    assert site.asked == 1


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, unitcell.Refused),
        (401, unitcell.NotSignedIn),
        (403, unitcell.NotSignedIn),
        (404, unitcell.NotFound),
        (500, unitcell.SiteFailed),
    ],
)
def test_each_status_raises_its_kind_of_error(site: Site, status: int, kind: type[unitcell.UnitcellError]) -> None:
    site.answers = [(status, {}, {"error": "true", "message": "No.", "code": "a.b", "error_id": "E7"})]
    with pytest.raises(kind, match="No") as caught:
        client(site, []).call("/x", {})
    assert (caught.value.code, caught.value.status) == ("a.b", status)
    assert caught.value.error_id == ("E7" if status == 500 else None)


def test_an_exceeded_quota_raises_an_error_with_the_limit(site: Site, tmp_path: Path) -> None:
    site.answers = [
        (200, {}, {"error": "false", "structure": {}}),
        (200, {}, {"error": "false", "message": "Full", "limit": 10}),
    ]
    file = tmp_path / "own.cif"
    file.write_text("data_own")
    client = unitcell.Client(site.url, "uck_key", progress=False)
    with client, pytest.raises(unitcell.Refused, match="10 daily submissions") as caught:
        client.run4u.submit(file)
    assert caught.value.code == "run4u.full"


ROW = {
    "id": 7,
    "formula": "NaCl",
    "spacegroup": "Fm-3m",
    "nsites": 2,
    "struct_id": None,
    "submit_time": "",
    "start_time": None,
    "finish_time": None,
    "reason": "",
    "step": "",
    "progress": 0,
    "queue_position": None,
    "estimate_seconds": None,
}


@pytest.mark.parametrize("status", ["finished", "failed"])
def test_a_calculation_is_sent_followed_and_read(site: Site, status: str) -> None:
    values = {"model": "M", "energy_per_atom": -3.4, "max_force": 0, "pressure": 0, "warnings": [], "relaxed": {}}
    predicted = {**values, "elastic": [[49.0]], "barrier": {"ion": "Na", "hops": []}}
    over = {**ROW, "status": status, "reason": "Overlap.", **({"predicted": predicted} if status == "finished" else {})}
    site.answers = [
        (200, {}, {"error": "false", "message": "Success", "id": 7}),
        (200, {}, {"row": {**ROW, "status": "queued"}}),
        (200, {}, {"row": {**ROW, "status": "running"}}),
        (200, {}, {"row": over}),
    ]
    with unitcell.Client(site.url, "uck_key", progress=False) as client:
        if status == "failed":
            with pytest.raises(unitcell.Refused, match="Overlap"):
                client.run4u.calculate({"lattice": {}}, ["elastic"], every=0.01)
            return
        found = client.run4u.calculate(
            {"lattice": {}}, ["elastic", "barrier"], ion="Na", potential="sevennet-l3i5", every=0.01
        )
    assert (found.energy_per_atom, found.elastic, found.hull) == (-3.4, [[49.0]], None)
    assert found.barrier == {"ion": "Na", "hops": []}


def test_many_materials_follow_a_merge(site: Site) -> None:
    def rows(*found: tuple[int, float]) -> Answer:
        page = {"scale": {"functional": "PBE"}, "release": 1, "filter": "", "total": len(found), "next": None}
        known = [dict(zip(("struct_id", "energy_above_hull"), one, strict=True)) for one in found]
        cells = [[row.get(name) for name in unitcell.FIELDS] for row in known]
        return (200, {}, {"fields": unitcell.FIELDS, "rows": cells, **page})

    searched: Answer = (200, {}, {"results": [[5]], "functional": "PBE", "release": {"id": 1}})
    site.answers = [rows((4, 0.2)), searched, rows((5, 0.1))]
    with unitcell.Client(site.url, "uck_key", progress=False) as client:
        found = client.materials.materials([4, 9])
    assert [row.struct_id for row in found] == [5, 4]
    assert found.total == 2


def test_a_refinement_takes_the_wavelengths_of_the_file_only_with_its_radiation(site: Site) -> None:
    site.answers = [(200, {}, {"error": "true", "message": "Not today.", "code": "xrd.cancelled"})]
    wavelengths = [{"wavelength": 1.540598, "weight": 1}]
    measured = Measured([10, 11], [1, 2], measurement={"radiation": "CuKa1", "wavelengths": wavelengths})
    with unitcell.Client(site.url, "uck_key", progress=False) as client:
        for radiation in (None, "CuKa"):
            with pytest.raises(unitcell.Refused):
                client.patterns.refine(measured, [138], radiation=radiation)
        with pytest.raises(unitcell.Refused):
            client.patterns.identify(measured)
    sent = [json.loads(body) for body in site.bodies if b"xrd_data" in body]
    assert [body["radiation"] for body in sent] == ["CuKa1", "CuKa", "CuKa1"]
    assert [body.get("wavelengths") for body in sent] == [wavelengths, None, wavelengths]


def test_a_neutron_pattern_without_a_wavelength_is_refused_before_it_is_sent(site: Site) -> None:
    site.answers = [GOOD]
    client = unitcell.Client(site.url, "uck_key", progress=False)
    with client, pytest.raises(TypeError, match="wavelength"):
        client.patterns.calculated(7, probe="neutron")
    assert site.asked == 0


def test_a_crystal_file_is_read_in_any_encoding(site: Site, tmp_path: Path) -> None:
    site.answers = [(200, {}, {"error": "true", "message": "Not today.", "code": "xrd.cancelled"})]
    file = tmp_path / "old.cif"
    file.write_bytes("# by A. Ångström\ndata_own".encode("latin-1"))
    with unitcell.Client(site.url, "uck_key", progress=False) as client:
        with pytest.raises(unitcell.Refused):
            client.predictions.of(file)
        with pytest.raises(unitcell.Refused):
            client.patterns.refine(([10.0, 11.0], [1.0, 2.0]), [file])
    assert sum(b"data_own" in body for body in site.bodies) == 2


def test_the_list_of_dumps_warns_while_there_is_none(site: Site) -> None:
    site.answers = [(200, {}, {"error": "false", "releases": []})]
    with pytest.warns(UserWarning, match="unitcell release publish"):
        assert Dumps(client(site, []), progress=False).list() == []


def test_a_refusal_with_status_200_raises_refused(site: Site) -> None:
    site.answers = [(200, {}, {"error": "true", "message": "No such element.", "code": "search.unknown-elements"})]
    with pytest.raises(unitcell.Refused, match="No such element"):
        client(site, []).call("/x", {})
