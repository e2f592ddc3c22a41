"""A stream makes equations as its corpus does, unless a mixture says otherwise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corpora import write_small_corpus
from streams import write_generated
from treesmu.data import DataError
from treesmu.generate.axioms import FAMILIES
from treesmu.generate.settings import corpus_settings
from treesmu.generate.stream.settings import SOURCES, stream_settings


def with_manifest(folder: Path, **settings: object) -> Path:
    """Write a folder with nothing but the manifest of a corpus with these settings."""
    folder.mkdir()
    content = corpus_settings(**settings).model_dump(mode="json")  # type: ignore[arg-type]
    (folder / "manifest.json").write_text(json.dumps({"settings": content}))
    return folder


@pytest.mark.parametrize(
    ("preset", "changes", "mixture"),
    [
        ("quick", {}, {"near-miss": 1.0}),
        ("paper", {}, {"mutation": 1.0}),
        ("published", {}, {"published": 1.0}),
        ("quick", {"negatives": ("near-miss", "slip"), "numeric": 0.2}, {"numeric": 0.5, "slip": 1.0, "near-miss": 1.0}),
    ],
)
def test_by_default_sources_and_depths_are_those_of_the_corpus(tmp_path, preset, changes, mixture):
    settings = stream_settings(with_manifest(tmp_path / "c", name=preset, **changes), 0, 100)
    assert dict(settings.mixture) == mixture
    assert settings.depths == (1, 13)


def test_a_corpus_of_pools_gives_the_other_sources_all_families(tmp_path):
    settings = stream_settings(with_manifest(tmp_path / "c", name="published"), 0, 100, None, {"near-miss": 1})
    assert settings.corpus.families == FAMILIES


def test_sources_are_filled_in_a_fixed_order_whatever_the_order_of_the_mixture(folder):
    one, other = (
        stream_settings(folder, 0, 100, (2, 4), m) for m in ({"textbook": 1, "filler": 2}, {"filler": 2, "textbook": 1})
    )
    assert one == other
    assert [name for name, _ in one.mixture] == ["textbook", "filler"]
    assert {name for name, _ in stream_settings(folder, 0, 100, None, dict.fromkeys(SOURCES, 1.0)).mixture} == set(SOURCES)


def test_the_identity_is_json_and_has_everything_that_equations_depend_on(folder, tmp_path):
    plain = stream_settings(folder, 3, 100, (1, 4), {"textbook": 1})
    found = json.loads(json.dumps(plain.identity()))
    assert found == plain.identity()
    assert (found["rows"], found["depths"], found["mixture"]) == (100, [1, 4], {"textbook": 1})
    own = tmp_path / "mine.txt"
    own.write_text("x + x = 2*x\n")
    with_own = stream_settings(write_generated(tmp_path / "own", axiom_files=(own,)), 3, 100)
    assert list(with_own.identity()["own_axioms"]) == ["mine"]
    assert len(with_own.axioms()) == len(plain.axioms()) + 1
    own.unlink()
    with pytest.raises(DataError, match=r"axioms .*mine\.txt: cannot be read"):
        stream_settings(tmp_path / "own", 3, 100)


@pytest.mark.parametrize(
    ("mixture", "depths", "said"),
    [
        (
            {"gossip": 1.0},
            None,
            "mixture: unknown source 'gossip'; known: numeric, textbook, published, filler, mutation, slip, near-miss",
        ),
        ({"slip": 0.0}, None, "mixture: the weight of slip must be above 0"),
        ({"slip": 1e308}, None, r"mixture: the weight of slip must be above 0 and at most 1e\+09"),
        ({"textbook": 1.0}, (5, 7), "mixture: textbook has equations of depth 1-4, none of depth 5-7"),
    ],
)
def test_a_wrong_mixture_is_refused(folder, mixture, depths, said):
    with pytest.raises(DataError, match=said):
        stream_settings(folder, 0, 100, depths, mixture)


def test_a_corpus_without_a_generator_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"manifest\.json: has no settings of a generator; a stream needs"):
        stream_settings(write_small_corpus(tmp_path / "imported"), 0, 100)
    with pytest.raises(DataError, match=r"manifest\.json: cannot be read: No such file .*; a stream needs"):
        stream_settings(tmp_path, 0, 100)
    (tmp_path / "manifest.json").write_text("[" * 100_000)
    with pytest.raises(DataError, match=r"manifest\.json: damaged, not a JSON object; a stream needs"):
        stream_settings(tmp_path, 0, 100)


def test_a_part_has_two_equations_at_least(folder):
    with pytest.raises(DataError, match="rows 1: a part of a stream has at least 2 equations"):
        stream_settings(folder, 0, 1)
