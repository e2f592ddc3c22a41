"""The application: addresses, the page, errors as JSON, and the OpenAPI document."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from treesmu import __version__

from .answers import (
    CompleteAnswer,
    ExplainAnswer,
    FaultAnswer,
    NeighboursAnswer,
    ReadAnswer,
    TraceAnswer,
    UnreadAnswer,
    VerifyAnswer,
)
from .guard import Guard
from .listings import AboutAnswer, CorpusAnswer, HealthAnswer, MapAnswer, ModelFacts, PlaceAnswer
from .reading import describe, read_complete, read_equation, read_question, read_text
from .refusal import Refusal
from .requests import CompleteRequest, CorpusQuery, MapQuery, ModelRequest, NeighboursRequest, ReadRequest
from .service import Service
from .work.pool import EncodedRefusal

STATIC = Path(__file__).parent / "static"
PAGE = "index.html"
_FAULTS = {
    400: "The text cannot be read, or the model cannot do this with it.",
    404: "There is no such address, model, node or corpus.",
    409: "The map is still being computed.",
    413: "The request is too long.",
    415: "The request is not JSON.",
    422: "A field is missing, has the wrong type or is out of range.",
    429: "Too many requests are waiting.",
    503: "The answer took too long, or a model is still being loaded.",
}
_FAULT_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": FaultAnswer, "description": text} for status, text in _FAULTS.items()
}


def _require_json(request: Request) -> None:
    """Refuse other types than JSON: a browser sends text to other sites without asking them first, but not JSON."""
    given = request.headers.get("content-type", "")
    if given.partition(";")[0].strip().lower() != "application/json":
        raise Refusal(415, "the request is not JSON", "send it with Content-Type: application/json")


JSON_ONLY = [Depends(_require_json)]


def create_app(service: Service, host_names: Iterable[str] = (), static: Path = STATIC) -> ASGIApp:
    """Return the application, guarded. host_names: names of this machine by which it may be called."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        service.stop()

    app = FastAPI(
        title="treesmu explorer",
        version=__version__,
        description="What a model does with an equation.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # pages of FastAPI that load scripts from other hosts
        redoc_url=None,
        lifespan=lifespan,
        responses=_FAULT_RESPONSES,
    )
    _answer_faults(app)
    _add_facts(app, service)
    _add_questions(app, service)
    _add_map_and_corpus(app, service)
    _add_page(app, static)
    return Guard(app, host_names)


# -- addresses ---------------------------------------------------------------------------------------------------------


def _add_facts(app: FastAPI, service: Service) -> None:
    @app.get("/api/health", response_model=HealthAnswer)
    async def health() -> HealthAnswer:
        """Say that the service runs, and its version."""
        return HealthAnswer(status="ok", version=__version__)

    @app.get("/api/about", response_model=AboutAnswer)
    async def about() -> AboutAnswer:
        """Return the limits, and what is in the corpus."""
        return service.about()

    @app.get("/api/models", response_model=list[ModelFacts])
    async def models() -> list[ModelFacts]:
        """Return the models; the first is the default."""
        return await service.describe_models()

    @app.post("/api/read", response_model=ReadAnswer | UnreadAnswer, dependencies=JSON_ONLY)
    async def read(request: ReadRequest) -> ReadAnswer | UnreadAnswer:
        """Read an equation or an expression. Needs no model. Half-typed text is no error of the request."""
        try:
            return describe(read_text(request.text))
        except Refusal as refusal:
            return UnreadAnswer(problem=refusal.answer.error)


def _add_questions(app: FastAPI, service: Service) -> None:
    """Add the questions that worker processes answer. Text that cannot be read is refused here, without waiting for one."""

    @app.post("/api/verify", response_model=VerifyAnswer, dependencies=JSON_ONLY)
    async def verify(request: ModelRequest) -> Response:
        """Return what the model and the numeric check say about an equation."""
        read_equation(request.text)
        return _json(await service.ask("verify", request.model, text=request.text))

    @app.post("/api/trace", response_model=TraceAnswer, dependencies=JSON_ONLY)
    async def trace(request: ModelRequest) -> Response:
        """Return what the model computes at every node."""
        read_complete(request.text)
        return _json(await service.ask("trace", request.model, text=request.text))

    @app.post("/api/neighbours", response_model=NeighboursAnswer, dependencies=JSON_ONLY)
    async def neighbours(request: NeighboursRequest) -> Response:
        """Return the stored expressions with the states nearest to that of a sub-expression."""
        read_complete(request.text)
        asked = {"text": request.text, "path": request.path, "count": request.count}
        return _json(await service.ask("neighbours", request.model, **asked))

    @app.post("/api/explain", response_model=ExplainAnswer, dependencies=JSON_ONLY)
    async def explain(request: ModelRequest) -> Response:
        """Return why the model is wrong: what would have to be written differently."""
        read_equation(request.text)
        return _json(await service.explain(request.model, request.text))

    @app.post("/api/complete", response_model=CompleteAnswer, dependencies=JSON_ONLY)
    async def complete(request: CompleteRequest) -> Response:
        """Return ranked fillers of a blank."""
        read_question(request.text)
        return _json(await service.ask("complete", request.model, text=request.text, top=request.top))


def _add_map_and_corpus(app: FastAPI, service: Service) -> None:
    @app.get("/api/map", response_model=MapAnswer)
    async def map_of_states(query: Annotated[MapQuery, Query()]) -> MapAnswer:
        """Return the map of the stored expressions, or how far it is."""
        return service.map_of(query.model)

    @app.post("/api/map/place", response_model=PlaceAnswer, dependencies=JSON_ONLY)
    async def place(request: ModelRequest) -> Response:
        """Return where an expression is on the map."""
        read_complete(request.text)
        return _json(await service.place_on_map(request.model, request.text))

    @app.get("/api/corpus", response_model=CorpusAnswer)
    async def corpus(query: Annotated[CorpusQuery, Query()]) -> CorpusAnswer:
        """Return rows of the corpus."""
        return await service.rows(query)


def _add_page(app: FastAPI, static: Path) -> None:
    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(static / PAGE)

    app.mount("/static", StaticFiles(directory=static), name="static")


def _json(text: bytes) -> Response:
    return Response(text, media_type="application/json")


# -- errors ------------------------------------------------------------------------------------------------------------


def _answer_faults(app: FastAPI) -> None:
    @app.exception_handler(Refusal)
    async def refuse(_: Request, refusal: Refusal) -> Response:
        return JSONResponse(refusal.answer.model_dump(), refusal.status)

    @app.exception_handler(EncodedRefusal)
    async def pass_on(_: Request, refusal: EncodedRefusal) -> Response:
        return Response(refusal.text, refusal.status, media_type="application/json")

    @app.exception_handler(RequestValidationError)
    async def refuse_fields(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"][1:])
        if first["type"] == "json_invalid":  # then the field is a number of characters
            message = f"this is not JSON: {first['ctx']['error']} at character {field}"
        else:
            message = f"{field}: {first['msg']}" if field else str(first["msg"])
        return JSONResponse(Refusal(422, message, "see /api/openapi.json").answer.model_dump(), 422)

    @app.exception_handler(HTTPException)
    async def refuse_address(_: Request, error: HTTPException) -> Response:
        if error.status_code == 400:  # of FastAPI, for bytes that are no text, and for a thousand brackets
            return JSONResponse(Refusal(400, "the request cannot be read", "send JSON in UTF-8").answer.model_dump(), 400)
        return JSONResponse(Refusal(error.status_code, str(error.detail)).answer.model_dump(), error.status_code, error.headers)
