"""The addresses: every answer over HTTP is that of the Python API, and every error is JSON."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

import treesmu
from explorer import EQUATION
from treesmu.experiments.probes.exchange import find_exchange
from treesmu.expr import check, parse
from treesmu.models import Model
from treesmu.web import limits
from treesmu.web.catalogue import ModelFile

pytest.importorskip("fastapi", reason="the service needs FastAPI: pip install 'treesmu[web]'")
if TYPE_CHECKING:
    from starlette.testclient import TestClient

pytestmark = pytest.mark.xdist_group("explorer")


@pytest.fixture(scope="module")
def smu(models: dict[str, ModelFile]) -> Model:
    return treesmu.load(models["tree-smu"].path)


def _post(client: TestClient, address: str, **fields: Any) -> Any:
    answer = client.post(f"/api/{address}", json=fields)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    return answer.json()


def _error(client: TestClient, status: int, address: str, **fields: Any) -> Any:
    answer = client.post(f"/api/{address}", json=fields)
    assert answer.status_code == status, answer.text
    return answer.json()["error"]


def test_health_and_about(client: TestClient) -> None:
    assert client.get("/api/health").json() == {"status": "ok", "version": treesmu.__version__}
    about = client.get("/api/about").json()
    assert about["limits"]["nodes"] == limits.NODES
    assert about["corpus"]["rows"] == 8


def test_the_first_model_is_the_default(client: TestClient) -> None:
    found = client.get("/api/models").json()
    assert [(m["name"], m["has_trace"]) for m in found] == [("tree-smu", True), ("tree-lstm", True), ("lstm", False)]
    assert _post(client, "verify", text=EQUATION)["model"] == "tree-smu"


def test_read(client: TestClient) -> None:
    answer, e = _post(client, "read", text=r"\sin^2 x + \cos^2 x = 1"), parse(EQUATION)
    assert (answer["expression"], answer["mathml"], answer["latex"]) == (str(e), e.mathml(), e.latex())


def test_verify(client: TestClient, smu: Model) -> None:
    for text in (EQUATION, "sin(2x) = 2 sin(x)"):
        answer = _post(client, "verify", text=text)
        assert answer["probability"] == pytest.approx(smu.verify([text])[0], abs=1e-6)
        assert answer["check"]["label"] == check(text).label
        assert len(answer["curve"]["x"]) == len(answer["curve"]["left"]) == 401


def test_trace(client: TestClient, smu: Model) -> None:
    answer, trace = _post(client, "trace", text=EQUATION), smu.trace(EQUATION)
    assert [node["path"] for node in answer["nodes"]] == [list(node.path) for node in trace.nodes]
    for node, traced in zip(answer["nodes"], trace.nodes, strict=True):
        assert node["state"] == pytest.approx(traced.state.tolist(), abs=1e-6)
        assert node["stack"] == [pytest.approx(row, abs=1e-6) for row in traced.rows.tolist()]


def test_neighbours_explain_and_complete(client: TestClient, smu: Model) -> None:
    assert len(_post(client, "neighbours", text=EQUATION, path=[0, 1], count=3)["neighbours"]) == 3
    answer = _post(client, "explain", text=EQUATION)
    exchange, _ = find_exchange(smu, parse(EQUATION))
    assert answer["found"] == (answer["disagrees"] and exchange is not None)
    fillers = _post(client, "complete", text="sin(x)^2 + _ = 1", top=2)["answers"]
    assert [a["filler"] for a in fillers] == [str(c[0]) for c in smu.complete("sin(x)^2 + _ = 1", top=2)]


def test_two_models_are_compared_by_asking_twice(client: TestClient) -> None:
    answers = [_post(client, "verify", text=EQUATION, model=name) for name in ("tree-smu", "tree-lstm")]
    assert answers[0]["probability"] != answers[1]["probability"]
    assert answers[0]["check"] == answers[1]["check"]


def test_the_map_and_a_place_on_it(client: TestClient) -> None:
    pytest.importorskip("openTSNE", reason="the map needs openTSNE: pip install 'treesmu[web]'")
    while (answer := client.get("/api/map?model=tree-smu").json())["status"] == "computing":
        time.sleep(0.2)
    assert answer["status"] == "ready"
    assert answer["points"][0].keys() == {"expression", "x", "y", "class"}
    assert len(_post(client, "map/place", text=EQUATION)["places"]) == 2


def test_the_corpus(client: TestClient) -> None:
    while (answer := client.get("/api/corpus", params={"label": 0, "limit": 2}).json())["status"] == "computing":
        time.sleep(0.2)
    assert (answer["matching"], len(answer["equations"])) == (4, 2)
    assert {row["label"] for row in answer["equations"]} == {0}


# -- errors ------------------------------------------------------------------------------------------------------------


def test_text_that_cannot_be_read_has_a_place(client: TestClient) -> None:
    problem = _post(client, "read", text="sin(x + 1 = 2")["problem"]  # half-typed text is no error: 200
    assert (problem["message"], problem["position"], problem["length"]) == ("expected ')' before '='", 10, 1)
    for address in ("verify", "trace", "neighbours", "explain", "complete", "map/place"):
        error = _error(client, 400, address, text="sin(x + 1 = 2")
        assert (error["message"], error["position"], error["length"]) == ("expected ')' before '='", 10, 1)


@pytest.mark.parametrize(
    ("status", "address", "fields"),
    [
        (400, "verify", {"text": "x"}),
        (400, "verify", {"text": "x = _"}),
        (400, "complete", {"text": "x = x"}),
        (400, "trace", {"text": "x", "model": "lstm"}),
        (400, "neighbours", {"text": "x", "model": "lstm", "path": [], "count": 0 + 1} | {"text": "x ="}),
        (404, "neighbours", {"text": "x", "path": [0]}),
        (404, "verify", {"text": "x = x", "model": "missing"}),
        (404, "verify", {"text": "x = x", "model": "../../../etc/passwd"}),
        (404, "nothing", {"text": "x"}),
        (422, "verify", {}),
        (422, "verify", {"text": 5}),
        (422, "read", {"text": "x" * (limits.CHARACTERS + 1)}),
        (422, "read", {"text": "x", "path": "/etc/passwd"}),
        (422, "complete", {"text": "x = _", "top": limits.TOP + 1}),
        (413, "read", {"text": "x" * (limits.BODY + 1)}),
    ],
)
def test_errors_are_json_with_a_message(client: TestClient, status: int, address: str, fields: dict[str, Any]) -> None:
    error = _error(client, status, address, **fields)
    assert error["message"]
    assert error.keys() == {"message", "position", "length", "remedy"}


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"null", b"[]", b'"x"', b"\xff\xfe", b"[" * 20_000, b'{"text": "\\ud800"}', b'{"text": ' + b"9" * 9_000 + b"}"],
)
def test_bodies_that_are_no_requests_are_refused(client: TestClient, body: bytes) -> None:
    answer = client.post("/api/read", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("body", "message", "remedy"),
    [
        (b'{"text": ', "this is not JSON: Expecting value at character 9", "see /api/openapi.json"),
        (b'{"text": "\xff"}', "the request cannot be read", "send JSON in UTF-8"),
        (b"[" * 30_000, "the request cannot be read", "send JSON in UTF-8"),
    ],
)
def test_what_is_not_json_is_said_in_words(client: TestClient, body: bytes, message: str, remedy: str) -> None:
    answer = client.post("/api/read", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert (answer.json()["error"]["message"], answer.json()["error"]["remedy"]) == (message, remedy)


def test_only_json_is_read(client: TestClient) -> None:
    answer = client.post("/api/read", content=b'{"text": "x"}', headers={"content-type": "text/plain"})
    assert (answer.status_code, answer.json()["error"]["message"]) == (415, "the request is not JSON")


def test_other_methods_are_refused(client: TestClient) -> None:
    for answer in (client.get("/api/read"), client.post("/api/health", json={}), client.delete("/api/models")):
        assert (answer.status_code, "allow" in answer.headers) == (405, True)
        assert answer.json()["error"]["message"] == "Method Not Allowed"


# -- files -------------------------------------------------------------------------------------------------------------


def test_the_page_and_its_files(client: TestClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in page.headers["content-security-policy"]


@pytest.mark.parametrize(
    "address",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc/passwd",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/....//app.py",
        "/static/..%5capp.py",
        "/static/%00",
        "/static/",
        "/app.py",
        "/etc/passwd",
        "/api/openapi.json/../../app.py",
    ],
)
def test_no_other_file_can_be_read(client: TestClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert answer.json()["error"]["message"]


def test_a_foreign_host_reads_nothing(client: TestClient) -> None:
    for address in ("/", "/api/health", "/static/index.html"):
        assert client.get(address, headers={"host": "evil.example"}).status_code == 400
