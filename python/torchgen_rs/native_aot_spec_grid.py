"""The points of a grid of specializations, by the name of the reference's
``torchgen.native_aot_spec_grid``."""

from __future__ import annotations

import itertools

__all__ = ["expand_specs"]


def expand_specs(specs: list[dict[str, object]]) -> list[dict[str, object]]:
    """The points of all blocks, in order. A block has a point for each choice of one item from each of
    its lists; a value that is no list is in all of them."""
    points: list[dict[str, object]] = []
    for spec in specs:
        choices = (value if isinstance(value, list) else [value] for value in spec.values())
        points += (dict(zip(spec, chosen)) for chosen in itertools.product(*choices))
    return points
