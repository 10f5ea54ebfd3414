"""An operator of a selection, by the names of the reference's ``torchgen.selective_build.operator``."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "SelectiveBuildOperator",
    "combine_operators",
    "merge_debug_info",
    "merge_operator_dicts",
    "strip_operator_overload_name",
]


@dataclass(frozen=True)
class SelectiveBuildOperator:
    """How a build has an operator."""

    name: str
    """Its full name, such as ``aten::add.Tensor``, or that of all its overloads."""
    is_root_operator: bool
    """Whether a model calls it directly."""
    is_used_for_training: bool
    """Whether it is used in training on the device."""
    include_all_overloads: bool
    """Whether a name without an overload selects all of them."""
    _debug_info: tuple[str, ...] | None

    @staticmethod
    def from_yaml_dict(op_name: str, op_info: dict[str, object]) -> SelectiveBuildOperator:
        """Reads the settings that a YAML parser read.

        Raises:
            SchemaError: they have errors.
        """
        from .selector import SelectiveBuilder

        return SelectiveBuilder.from_yaml_dict({"operators": {op_name: op_info}}).operators[op_name]

    @staticmethod
    def from_legacy_operator_name_without_overload(name: str) -> SelectiveBuildOperator:
        """All overloads, for models and for training."""
        return SelectiveBuildOperator(name, True, True, True, None)

    def to_dict(self) -> dict[str, object]:
        """The settings, as YAML has them."""
        debug_info = {} if self._debug_info is None else {"debug_info": self._debug_info}
        return {
            "is_root_operator": self.is_root_operator,
            "is_used_for_training": self.is_used_for_training,
            "include_all_overloads": self.include_all_overloads,
            **debug_info,
        }


def merge_debug_info(lhs: tuple[str, ...] | None, rhs: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """What either says of its origin, each once."""
    if lhs is None and rhs is None:
        return None
    return tuple(dict.fromkeys((lhs or ()) + (rhs or ())))


def combine_operators(lhs: SelectiveBuildOperator, rhs: SelectiveBuildOperator) -> SelectiveBuildOperator:
    """The operator of a build for both.

    Raises:
        ValueError: they are different operators.
    """
    if lhs.name != rhs.name:
        raise ValueError(f"`{lhs.name}` and `{rhs.name}` are different operators")
    return SelectiveBuildOperator(
        name=lhs.name,
        is_root_operator=lhs.is_root_operator or rhs.is_root_operator,
        is_used_for_training=lhs.is_used_for_training or rhs.is_used_for_training,
        include_all_overloads=lhs.include_all_overloads or rhs.include_all_overloads,
        _debug_info=merge_debug_info(lhs._debug_info, rhs._debug_info),
    )


def merge_operator_dicts(
    lhs: Mapping[str, SelectiveBuildOperator], rhs: Mapping[str, SelectiveBuildOperator]
) -> dict[str, SelectiveBuildOperator]:
    """The operators of a build for both."""
    both = dict(lhs)
    for name, operator in rhs.items():
        both[name] = combine_operators(both[name], operator) if name in both else operator
    return both


def strip_operator_overload_name(op_name: str) -> str:
    """The name without its overload."""
    return op_name.partition(".")[0]
