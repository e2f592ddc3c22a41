"""Presets: every run that they plan is possible; a preset that is not is refused before anything is done."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest

from tiny_presets import TINY
from treesmu.data import DataError
from treesmu.experiments.preset import STUDIES, Preset

LOCALISM = '[studies.localism]\ncorpora = ["c"]\nmodels = ["tree-rnn"]\n'
CORPUS = '[corpora.c]\npreset = "hard"\n'


def preset(studies: str, before: str = CORPUS) -> Preset:
    return Preset("test", before + studies, "test")


@pytest.mark.parametrize("name", ["quick", "paper"])
def test_our_presets_have_every_study_but_those_with_corpora_or_variants_of_their_own(name: str) -> None:
    assert list(Preset.read(name).studies) == [
        study for study in STUDIES if study not in ("published", "elsewhere", "variants")
    ]


@pytest.mark.parametrize("name", ["quick", "paper", "generalisation"])
def test_no_two_runs_have_one_name_and_the_same_run_has_one(name: str) -> None:
    mine = Preset.read(name)
    asked = [run for study in mine.studies.values() for run in study.runs(mine.setup)]
    settings: dict[str, Any] = {}
    for run in asked:
        own = run.settings.model_dump_json()
        assert settings.setdefault(run.name, own) == own
    assert len({(run.corpus, run.settings.model_dump_json()) for run in asked}) == len(settings) <= len(asked)


def test_names_of_runs_contain_changes_to_the_preset_and_stay_as_they_are() -> None:
    """Folders of runs that were trained earlier are found under these names."""
    mine = Preset.read("paper")
    names = {study: [run.name for run in mine.studies[study].runs(mine.setup)] for study in mine.studies}
    assert names["productivity"][:2] == [f"paper/depth-1-7/{m}/paper/seed-12093" for m in ("majority", "lstm")]
    assert "hard/depth-5-13/tree-smu/treesmu-1,epochs=40/seed-45678" in names["localism"]
    assert "hard/depth-1-7/tree-smu/treesmu-1,epochs=20,stack=14/seed-12093" in names["stack_size"]
    assert "paper/depth-1-7/tree-lstm/paper,epochs=8,rows=2449/seed-12093" in names["sample_efficiency"]
    assert "large/depth-1-7/tree-smu/treesmu-1,epochs=3/seed-12093" in names["data_size"]
    assert "hard+Pow-in-Pow-0.01/depth-1-7/tree-rnn/paper,epochs=8/seed-12093" in names["overgeneralisation"]


def test_the_long_preset_differs_from_the_paper_preset_in_epochs_alone() -> None:
    """Its results are compared with those of the paper preset, so corpus, seeds and other settings must be the same."""
    ours, long = Preset.read("paper"), Preset.read("long")
    assert long.corpora == {"paper": ours.corpora["paper"]}
    short = {run.name: run.settings for run in ours.studies["productivity"].runs(ours.setup)}
    for run in long.studies["productivity"].runs(long.setup):
        assert run.settings.epochs == 100
        assert run.settings.model_copy(update={"epochs": 15}) == short[run.name]


def test_all_five_tests_of_hupkes_are_there_by_name() -> None:
    said = " ".join(f"{kind.title} {inspect.cleandoc(kind.__doc__ or '')}".lower() for kind in STUDIES.values())
    for test in ("systematicity", "productivity", "substitutivity", "localism", "overgeneralisation"):
        assert test in said


def test_the_paper_preset_has_three_seeds_where_the_paper_has() -> None:
    mine = Preset.read("paper")
    for study in ("productivity", "localism", "substitutivity"):
        of_smu = {run.settings.seed for run in mine.studies[study].runs(mine.setup) if run.settings.model == "tree-smu"}
        assert of_smu == {12093, 12345, 45678}


def test_the_preset_of_generalisation_has_three_seeds_of_our_recipe_and_one_without_points() -> None:
    mine = Preset.read("generalisation")
    assert list(mine.studies) == ["productivity"]
    found = [(run.settings.recipe, run.settings.seed) for run in mine.studies["productivity"].runs(mine.setup)]
    assert {each: found.count(each) for each in found} == {  # Tree-RNN has one seed
        ("treesmu", 12093): 3, ("treesmu", 12345): 2, ("treesmu", 45678): 2, ("treesmu-symbols", 12093): 3,
    }  # fmt: skip


@pytest.mark.parametrize("study", ["completion", "model_size"])
def test_in_the_preset_of_generalisation_models_are_trained_once_for_several_studies(study: str) -> None:
    mine = Preset.read("generalisation-details")
    others = {run.name for name in ("productivity", "ablation") for run in mine.studies[name].runs(mine.setup)}
    shared = [run.variant for run in mine.studies[study].runs(mine.setup) if run.name in others]
    assert shared == {"completion": [""] * 2, "model_size": ["50"]}[study]


def test_defaults_hold_for_all_studies_that_do_not_set_them() -> None:
    defaults = '[defaults]\nrecipes = ["treesmu"]\ncorpora = ["c"]\n'
    mine = preset('[studies.localism]\n[studies.productivity]\nrecipes = ["paper"]\n', CORPUS + defaults)
    assert {name: study.recipes for name, study in mine.studies.items()} == {
        "localism": ("treesmu",),
        "productivity": ("paper",),
    }
    assert mine.content["defaults"] == {"recipes": ["treesmu"], "corpora": ["c"]}


# -- files -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[studies.alchemy]\n", "unknown study 'alchemy'; known: published, productivity, "),
        ('[studies.localism]\ncolour = "red"\n', "study localism: colour: Extra inputs are not permitted"),
        ("[studies.localism]\nseeds = 3\n", "seeds: "),
        ("[studies.localism]\n", "study localism: no corpus 'paper'; there are: c"),
        ('[defaults]\nmodels = ["lstm"]\n[studies.localism]\n', "defaults: unknown setting 'models'; known: seeds, seeds_of"),
        ('[defaults]\nrecipes = ["magic"]\n[studies.localism]\n', "study localism: recipes: unknown recipe 'magic'"),
        ("[training.magic]\nepochs = 1\n[studies.localism]\n", "unknown recipe 'magic'; known: paper, treesmu"),
        ("[training.paper]\nepoch = 1\n[studies.localism]\n", "unknown setting 'epoch'; known: "),
        ('[studies.localism]\ncorpora = ["c"]\nrecipes = ["magic"]\n', "unknown recipe 'magic'"),
        ('[studies.localism]\ncorpora = ["c"]\nepochs = {magic = 1}\n', "unknown recipe 'magic'"),
        ('[studies.localism]\ncorpora = ["c"]\nmodels = ["magic"]\n', "unknown model 'magic'"),
        ('[studies.localism]\ncorpora = ["c"]\nseeds_of = {tree_smu = [12093]}\n', "seeds_of: unknown model 'tree_smu'"),
        ('[studies.localism]\ncorpora = ["c"]\nseeds_of = {lstm = [7]}\n', "seeds_of: lstm: 7 is not among the seeds 12093"),
        ('[studies.ablation]\ncorpora = ["c"]\nparts = ["luck"]\n', "unknown part 'luck'; known: head, unit"),
        ('[studies.stack_operations]\ncorpora = ["c"]\nvariants = ["heap"]\n', "unknown variant 'heap'; known: push, pop"),
        ('[studies.overgeneralisation]\ncorpora = ["c"]\nouter = "Power"\n', "outer: unknown function 'Power'; known: "),
        (
            '[studies.overgeneralisation]\ncorpora = ["c"]\nshares = [1.5]\n',
            "shares.0: Input should be less than",
        ),
        ('[studies.sample_efficiency]\ncorpora = ["c"]\nshares = [0]\n', "shares.0: Input should be greater than 0"),
        ('[studies.data_size]\ncorpora = ["c"]\nepochs = {treesmu = 7}\n', "epochs: this study computes its epochs"),
        ('[studies.data_size]\ncorpora = ["c"]\n', "study data_size: 30,000 equations, but corpus 'c' has 24,487"),
        (
            '[training.treesmu]\nhead = "dot"\n[studies.ablation]\ncorpora = ["c"]\n',
            "study ablation: 'whole' and 'head' are the same run; leave one out",
        ),
        ("[corpora.d]\nseed = 1\n[studies.localism]\n", "corpus d: name the preset that generates it"),
        (
            '[corpora.d]\npreset = "hard"\nsize = 1\n[studies.localism]\n',
            "corpus d: unknown setting 'size'; known: ",
        ),
        ('[corpora.d]\npreset = "hard"\ntrain_size = 0\n[studies.localism]\n', "corpus d: train_size: Input should be greater"),
        ('[corpora.d]\npreset = "hard"\nname = "x"\n[studies.localism]\n', "corpus d: unknown setting 'name'"),
        ('[corpora.d]\npreset = ["hard"]\n[studies.localism]\n', "corpus d: name the preset that generates it"),
        (
            '[corpora.d]\npreset = "hard"\naxiom_files = ["no.txt"]\n[studies.localism]\n',
            "corpus d: axioms",
        ),
        (
            '[corpora.d]\npreset = "hard"\nweights = [["no", 2.0]]\n[studies.localism]\n',
            "corpus d: weights: unknown family 'no'",
        ),
        ('[corpora.d]\npreset = "hard"\nweights = [["algebra", nan]]\n[studies.localism]\n', "corpus d: weights.0.1: "),
        *(
            (f'[corpora."{name}"]\npreset = "hard"\n[studies.localism]\n', "a name consists of letters, digits, - _ and .")
            for name in ("", "..", "a/b", "a+b", "/abs", "n" * 300)
        ),
        *(
            (f"[training.paper]\n{name} = 1\n[studies.localism]\n", f"training.paper: {name} is set by the studies")
            for name in ("recipe", "model", "depths", "rows", "seed")
        ),
        ("[training.paper]\ncell = { hiden = 5 }\n" + LOCALISM, "unknown setting cell.hiden of tree-"),
        ("[training.paper]\ncell = { hidden = 0 }\n" + LOCALISM, "hidden"),
        ('[studies.stack_size]\ncorpora = ["c"]\nsizes = [0]\n', "stack"),
        ('[studies.stack_size]\ncorpora = ["c"]\nsizes = []\n', "study stack_size: nothing to train"),
        ('[studies.localism]\ncorpora = ["c"]\nseeds = []\n', "study localism: nothing to train"),
        (LOCALISM + "seeds = [99999999999999999999]\n", "setting seed: Input should be less than"),
        ("[studies]\n", "no study; known: published, productivity, "),
        ("[corpora\n", "test: "),
        ("colour = 1\n[studies.localism]\n", "colour: Extra inputs are not permitted"),
    ],
)
def test_an_invalid_preset_is_an_error_of_one_line(text: str, message: str) -> None:
    with pytest.raises(DataError) as error:
        Preset("test", text + CORPUS, "test")
    assert message in str(error.value)
    assert str(error.value).startswith("test: ")


def test_a_preset_can_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(TINY)
    mine = Preset.read(str(tmp_path / "mine.toml"))
    assert (mine.name, list(mine.studies)) == ("mine", list(STUDIES))
    with pytest.raises(DataError, match="cannot be read"):
        Preset.read(str(tmp_path / "other.toml"))
    with pytest.raises(DataError, match=r"unknown preset 'fast'; known: .*paper, published, quick, or a file of your own"):
        Preset.read("fast")
