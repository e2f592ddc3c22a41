"""Model: verifies, embeds and completes equations; ``treesmu.load`` and ``build`` return one."""

from __future__ import annotations

from typing import Any

from treesmu.expr import Expr, Verdict

from .completion.completions import complete
from .verifier import Verifier, as_expr


class Model(Verifier):
    """A verifier that also completes equations. All models have this interface."""

    def complete(self, question: Expr | str, top: int = 5, **options: Any) -> list[tuple[Expr, float, Verdict]]:
        """Return the best fillers of the blank in ``"sin(x)^2 + _ = 1"``, at most ``top``.

        Each is (filler, probability, numeric verdict); of fillers with equal values only the best one is returned.
        options: ``candidates``, ``height``, ``any_variable``, ``all_leaves`` and ``verified``, as in
        :func:`treesmu.models.completion.completions.complete`, which returns logits and equal fillers too.
        """
        found = complete(self, as_expr(question), top, **options)
        return [(completion.filler, completion.probability, completion.verdict) for completion in found]
