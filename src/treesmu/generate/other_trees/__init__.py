"""Trees that are no equations, with exact labels: ListOps, propositional logic and arithmetic; for examples and a study."""
