"""The service without HTTP: models, maps and the corpus, each in the background and once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpora import equations
from explorer import EQUATION, save_models
from treesmu.models.store import load
from treesmu.web.answers import VerifyAnswer
from treesmu.web.catalogue import ModelFile
from treesmu.web.corpus import Corpus
from treesmu.web.listings import CorpusAnswer, MapAnswer
from treesmu.web.refusal import Refusal
from treesmu.web.requests import CorpusQuery
from treesmu.web.service import Service

pytestmark = pytest.mark.xdist_group("explorer")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, corpus: Corpus) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("models")
    models = save_models(folder, "tree-smu", "tree-lstm")
    (folder / "bad.safetensors").write_bytes(b"nothing")
    found = Service(models | {"bad": ModelFile(folder / "bad.safetensors", False)}, corpus, workers=1, seconds=900)
    found.pool.patience = 900  # only against hanging
    yield found
    found.stop()
    found.join()


async def _finished_map(service: Service) -> MapAnswer:
    while (answer := service.map_of(None)).status == "computing":
        await asyncio.sleep(0.1)
    return answer


async def _finished_rows(service: Service, query: CorpusQuery) -> CorpusAnswer:
    while (answer := await service.rows(query)).status == "computing":
        await asyncio.sleep(0.1)
    return answer


def test_what_the_service_is_and_has(service: Service) -> None:
    about = service.about()
    assert about.corpus is not None
    assert about.corpus.name == "small"
    assert about.limits["seconds"] == 900
    assert about.limits["characters"] == 2000


def test_a_question_is_answered_by_the_chosen_model(service: Service) -> None:
    for name in ("tree-smu", "tree-lstm"):
        answer = VerifyAnswer.model_validate_json(asyncio.run(service.ask("verify", name, text=EQUATION)))
        assert answer.probability == pytest.approx(load(service.models[name].path).verify([EQUATION])[0], abs=1e-6)
    with pytest.raises(Refusal, match="no model of this name"):
        asyncio.run(service.ask("verify", "../tree-smu", text=EQUATION))


def test_a_damaged_model_is_left_out_and_named(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    facts = asyncio.run(service.describe_models())
    assert [fact.name for fact in facts] == list(service.models) == ["tree-smu", "tree-lstm"]
    assert "treesmu: the model bad is left out: not a safetensors file" in capsys.readouterr().err


def test_the_map_is_computed_once_and_kept(service: Service) -> None:
    pytest.importorskip("openTSNE", reason="the map needs openTSNE: pip install 'treesmu[web]'")

    async def ask() -> None:
        with pytest.raises(Refusal) as caught:
            await service.place_on_map(None, EQUATION)
        assert caught.value.status == 409
        first = await _finished_map(service)
        assert (first.status, len(first.points) > 300) == ("ready", True)
        assert await _finished_map(service) is first
        assert b"sin(x)^2 + cos(x)^2" in await service.place_on_map(None, EQUATION)

    asyncio.run(ask())


def test_the_rows_have_the_probabilities_of_the_model(service: Service) -> None:
    answer = asyncio.run(_finished_rows(service, CorpusQuery()))
    expected = load(service.models["tree-smu"].path).verify(equations())
    assert [row.probability for row in answer.equations] == pytest.approx(expected, abs=1e-6)
    other = asyncio.run(_finished_rows(service, CorpusQuery(model="tree-lstm")))
    assert [row.probability for row in other.equations] != [row.probability for row in answer.equations]


def test_without_a_corpus_there_are_no_rows(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "corpus", None)
    assert service.about().corpus is None
    with pytest.raises(Refusal, match="no corpus was given"):
        asyncio.run(service.rows(CorpusQuery()))


def test_a_fault_in_the_background_is_told_and_who_asks_again_tries_again(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    async def fail(name: str, _: object) -> object:
        asked.append(name)
        raise Refusal(503, "no memory")

    async def ask() -> None:
        for answer in (await _finished_map(service), await _finished_rows(service, CorpusQuery())):
            assert (answer.status, answer.message) == ("failed", "no memory")

    monkeypatch.setattr(service, "_maps", {})
    monkeypatch.setattr(service, "_scores", {})
    monkeypatch.setattr(service.background, "ask", fail)
    asyncio.run(ask())
    asyncio.run(ask())
    assert asked == ["map", "score", "map", "score"]
