"""Makes the arguments of one function of what is in scope in another."""

from __future__ import annotations

from .. import _torchgen_rs
from .._patches import watch
from .types.types_base import Binding, Expr, NamedCType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["UnsatError", "translate"]


class UnsatError(RuntimeError):
    """An argument cannot be made of what is in scope."""


def translate(
    bindings: Iterable[Expr | Binding],
    goals: Iterable[NamedCType | Binding],
    *,
    method: bool = False,
    allow_expensive_conversions: bool = False,
) -> list[Expr]:
    """An expression for each goal.

    Args:
        bindings: What is in scope.
        goals: What is to be made.
        method: Whether the code is in a method of ``Tensor``.
        allow_expensive_conversions: Whether expressions may copy.

    Raises:
        UnsatError: a goal cannot be made.
    """
    facts = [(fact.expr, fact.type) if isinstance(fact, Expr) else (fact.name, fact.nctype) for fact in bindings]
    wanted = [goal.nctype if isinstance(goal, Binding) else goal for goal in goals]
    made = _torchgen_rs.translate(facts, wanted, method, allow_expensive_conversions)
    return [Expr(expr, goal) for expr, goal in zip(made, wanted, strict=True)]

watch(__name__)
