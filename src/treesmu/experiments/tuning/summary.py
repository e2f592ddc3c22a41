"""Summary: the files sweep.json and best.toml, which say how far a sweep has come and what is best so far."""

from __future__ import annotations

import json
from typing import Any

from treesmu import __version__
from treesmu.files import atomic_write
from treesmu.json_files import write_json

from .space import Values, values_name
from .sweep_plan import SweepPlan
from .trials import Trials


class Summary:
    """Reads the trials and their run folders, and writes the two files."""

    def __init__(self, plan: SweepPlan, trials: Trials) -> None:
        self.plan, self.trials, self.measure = plan, trials, plan.measure

    def best(self) -> Values | None:
        """Return the values of the best trial that was trained to its end; of equally good trials, the first."""
        complete = [trial for trial in self._trials() if trial["state"] == "complete"]
        best = max(complete, key=lambda trial: (trial[self.measure.validation], -trial["number"]), default=None)
        return best and best["values"]

    def write(self) -> None:
        """Write sweep.json and, if a trial is complete, best.toml."""
        best = self.best()
        content = {
            "version": __version__,
            "request": self.plan.request,
            "wanted": self.trials.wanted,
            "trials": [trial | self._facts(trial["values"], trial["values"] == best) for trial in self._trials()],
            "best": best and values_name(best),
        }
        write_json(self.plan.summary_file, content)
        if best:
            with atomic_write(self.plan.out / "best.toml") as temporary:
                temporary.write_text(self._toml(best), encoding="utf-8")

    def best_facts(self, best: Values) -> dict[str, Any]:
        """Return the name, the measures and the number of parameters of the best trial."""
        score = max(trial[self.measure.validation] for trial in self._trials() if trial["values"] == best)
        return {"name": values_name(best), self.measure.validation: score, **self._facts(best, is_best=True)}

    def _trials(self) -> list[dict[str, Any]]:
        return self.trials.to_json(self.measure.validation)

    def _facts(self, values: Values, is_best: bool) -> dict[str, Any]:
        """Return what a run folder says; nothing, if another machine that shares the storage has trained the trial.

        Only the best has a measure of the test: a trial that was the best before more trials were added loses it.
        """
        folder = self.plan.run_folder(values)
        parameters = folder.stored_settings().get("parameters") if folder.settings.exists() else None
        tested = folder.stored_test(self.measure.key) if is_best and folder.test.exists() else None
        return {"parameters": parameters, self.measure.test: tested and tested["overall"][self.measure.key]}

    def _toml(self, values: Values) -> str:
        settings = self.plan.settings_of(values).model_dump(mode="json", exclude_none=True)
        cell = settings.pop("cell")
        lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
        lines += ["", "[cell]", *(f"{name} = {json.dumps(value)}" for name, value in cell.items())]
        return "\n".join(["# treesmu train CORPUS --config best.toml --out RUN", *lines, ""])
