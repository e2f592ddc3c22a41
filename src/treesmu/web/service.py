"""Service: what the explorer knows and computes, without HTTP: models, workers, the corpus and the maps."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from treesmu import __version__
from treesmu.engine import default_jobs
from treesmu.engine.user_models import user_models
from treesmu.errors import printable

from . import limits
from .catalogue import ModelFile, chosen_name
from .corpus import Corpus, Scores
from .listings import AboutAnswer, CorpusAnswer, MapAnswer, ModelFacts
from .refusal import Refusal
from .requests import CorpusQuery
from .work.pool import EncodedRefusal, Pool
from .work.process import WorkerSetup
from .work.remembered import Remembered

MOST_WORKERS = 4  # by default; each needs 300 to 500 MB
SHOWN_LIMITS = {
    "characters": limits.CHARACTERS,
    "nodes": limits.NODES,
    "depth": limits.DEPTH,
    "top": limits.TOP,
    "neighbours": limits.NEIGHBOURS,
    "rows": limits.ROWS,
}


@dataclass
class _MapState:
    """A map, or how far it is."""

    answer: MapAnswer
    started: float


class Service:
    """Answers questions about models. Its methods are called in the event loop, and none of them computes for long."""

    def __init__(
        self,
        models: Mapping[str, ModelFile],
        corpus: Corpus | None = None,
        workers: int | None = None,
        seconds: float = limits.SECONDS,
    ) -> None:
        """Start the worker processes, without waiting for them. seconds: of processor time that one answer may take."""
        self.models, self.corpus, self.seconds = dict(models), corpus, seconds
        setup = WorkerSetup(self.models, user_models())
        self.pool = Pool(setup, workers or min(MOST_WORKERS, max(2, default_jobs())), seconds)
        self._remembered = Remembered(limits.REMEMBERED)
        self._background: Pool | None = None
        self._maps: dict[str, _MapState] = {}
        self._scores: dict[str, Scores] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._facts: asyncio.Task[list[ModelFacts]] | None = None

    def stop(self) -> None:
        """End all processes at once."""
        for pool in (self.pool, self._background):
            if pool is not None:
                pool.stop()

    def join(self) -> None:
        """Wait until a stopped service has freed its processes."""
        for pool in (self.pool, self._background):
            if pool is not None:
                pool.join()

    async def ask(self, name: str, model: str | None, **arguments: Any) -> bytes:
        """Return the JSON text of a worker's answer about a model, by default the first; from memory if it was asked before."""
        return await self._asked(self.pool, name, {"model": chosen_name(model, self.models), **arguments})

    async def explain(self, model: str | None, text: str) -> bytes:
        """Return the JSON text that says why a model is wrong. Only if it is, the question is a slow one."""
        found = await self.pool.ask("agreement", {"model": chosen_name(model, self.models), "text": text})
        return await self.ask("explain", model, text=text) if found is None else found

    async def _asked(self, pool: Pool, name: str, arguments: Mapping[str, Any]) -> bytes:
        question = (name, *((key, tuple(x) if isinstance(x, list) else x) for key, x in sorted(arguments.items())))
        found = self._remembered.get(question)
        if found is None:
            found = await pool.ask(name, arguments)
            self._remembered.put(question, found)
        return found

    # -- what there is -------------------------------------------------------------------------------------------------

    def about(self) -> AboutAnswer:
        """Return the version, the limits and the corpus."""
        return AboutAnswer(
            version=__version__,
            limits={**SHOWN_LIMITS, "seconds": self.seconds},
            corpus=None if self.corpus is None else self.corpus.facts(),
            has_map=find_spec("openTSNE") is not None,
        )

    async def describe_models(self) -> list[ModelFacts]:
        """Return facts about the models whose files can be used; the others are named on standard error, once."""
        if self._facts is None or (self._facts.done() and self._facts.exception()):
            self._facts = asyncio.ensure_future(self._read_models())
        return await asyncio.shield(self._facts)

    async def _read_models(self) -> list[ModelFacts]:
        facts, faults = await self.pool.ask("describe", {})
        for name, fault in faults.items():
            print(printable(f"treesmu: the model {name} is left out: {fault}"), file=sys.stderr)
            self.models.pop(name, None)
        found: list[ModelFacts] = facts
        return found

    # -- the map -------------------------------------------------------------------------------------------------------

    def map_of(self, model: str | None) -> MapAnswer:
        """Return the map of a model, or how far it is; its computation begins when it is first asked for."""
        name = chosen_name(model, self.models)
        state = self._maps.get(name)
        if state is None:
            state = self._maps[name] = _MapState(MapAnswer(status="computing", seconds=0.0), time.monotonic())
            self._start(self._compute_map(name, state))
        if state.answer.status == "computing":
            state.answer.seconds = round(time.monotonic() - state.started, 1)
        elif state.answer.status == "failed":
            del self._maps[name]  # who asks again tries again
        return state.answer

    async def _compute_map(self, name: str, state: _MapState) -> None:
        found, fault = await self._in_background("map", {"model": name})
        seconds = round(time.monotonic() - state.started, 1)
        if fault is not None:
            state.answer = MapAnswer(status="failed", seconds=seconds, message=fault)
        else:
            points, classes = found
            state.answer = MapAnswer(status="ready", seconds=seconds, points=points, classes=classes)

    async def place_on_map(self, model: str | None, text: str) -> bytes:
        """Return the JSON text with the place of an expression on the map."""
        name = chosen_name(model, self.models)
        if self.map_of(name).status != "ready":
            raise Refusal(409, "the map is being computed", "ask again in a few seconds")
        return await self._asked(self.background, "place", {"model": name, "text": text})

    # -- the corpus ----------------------------------------------------------------------------------------------------

    async def rows(self, query: CorpusQuery) -> CorpusAnswer:
        """Return rows of the corpus; a model reads it in the background when it is first asked for."""
        if self.corpus is None:
            raise Refusal(404, "no corpus was given", "start the service with --corpus CORPUS_OR_FILE")
        name = chosen_name(query.model, self.models)
        scores = self._scores.get(name)
        if scores is None:
            scores = self._scores[name] = Scores(len(self.corpus.data))
            self._start(self._score(self.corpus, name, scores))
        answer = await asyncio.to_thread(self.corpus.select, query, scores)
        if answer.status == "failed":
            self._scores.pop(name, None)  # who asks again tries again
        return answer

    async def _score(self, corpus: Corpus, name: str, scores: Scores) -> None:
        while scores.status == "computing":
            found, scores.fault = await self._in_background("score", {"model": name, "prefixes": corpus.chunk(scores.scored)})
            if scores.fault is None:
                scores.add(found)

    # -- work in the background ----------------------------------------------------------------------------------------

    @property
    def background(self) -> Pool:
        """One further process, for work that takes long; it is started when it is first needed."""
        if self._background is None:
            setup = WorkerSetup(self.models, user_models(), may_compile=True)
            self._background = Pool(setup, 1, limits.BACKGROUND_SECONDS, patience=limits.BACKGROUND_SECONDS)
        return self._background

    async def _in_background(self, name: str, arguments: Mapping[str, Any]) -> tuple[Any, str | None]:
        """Return what a worker has found, or why it has not."""
        try:
            return await self.background.ask(name, arguments), None
        except Refusal as refusal:
            return None, str(refusal)
        except EncodedRefusal as refusal:
            return None, refusal.message

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)  # the event loop keeps only a weak reference
        task.add_done_callback(self._tasks.discard)
