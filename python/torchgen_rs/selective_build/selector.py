"""What a build selects, by the names of the reference's ``torchgen.selective_build.selector``. The
program reads the files."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

from .. import _torchgen_rs
from .operator import (
    SelectiveBuildOperator,
    merge_debug_info,
    merge_operator_dicts,
    strip_operator_overload_name,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .._torchgen_rs import _Selection
    from ..model import NativeFunction

__all__ = [
    "SelectiveBuilder",
    "combine_selective_builders",
    "merge_et_kernel_metadata",
    "merge_kernel_metadata",
    "op_name_from_native_function",
]

_NOTHING = SelectiveBuildOperator("", False, False, False, None)


@dataclass(frozen=True)
class SelectiveBuilder:
    """A selection. Names of operators are full names, such as ``aten::add.Tensor``."""

    include_all_operators: bool
    _debug_info: tuple[str, ...] | None
    operators: dict[str, SelectiveBuildOperator]
    kernel_metadata: dict[str, list[str]]
    """The types that a kernel is built for."""
    et_kernel_metadata: dict[str, list[str]]
    """The kernels of an operator that a build for ExecuTorch has."""
    custom_classes: set[str]
    build_features: set[str]
    include_all_non_op_selectives: bool
    """Whether all types, classes and features are selected."""

    @staticmethod
    def get_nop_selector() -> SelectiveBuilder:
        """The selection of everything."""
        return SelectiveBuilder.from_yaml_dict({"include_all_operators": True})

    @staticmethod
    def from_yaml_dict(data: dict[str, object]) -> SelectiveBuilder:
        """Reads what a YAML parser read.

        Raises:
            SchemaError: it has errors.
        """
        # JSON is YAML.
        return SelectiveBuilder.from_yaml_str(json.dumps(data, ensure_ascii=False, default=list))

    @staticmethod
    def from_yaml_str(config_contents: str) -> SelectiveBuilder:
        """Reads a text in YAML.

        Raises:
            SchemaError: it has errors.
        """
        return _selected(_torchgen_rs.parse_selection_text("selection", config_contents))

    @staticmethod
    def from_yaml_path(config_path: str | os.PathLike[str]) -> SelectiveBuilder:
        """Reads a file.

        Raises:
            SchemaError: it cannot be read, or has errors.
        """
        return _selected(_torchgen_rs.parse_selection(config_path))

    @staticmethod
    def from_legacy_op_registration_allow_list(
        allow_list: Iterable[str], is_root_operator: bool, is_used_for_training: bool
    ) -> SelectiveBuilder:
        """The operators of a list, each with all overloads."""
        settings = {"is_root_operator": is_root_operator, "is_used_for_training": is_used_for_training}
        operators = {name: {"name": name, **settings, "include_all_overloads": True} for name in allow_list}
        return SelectiveBuilder.from_yaml_dict({"operators": operators, "include_all_non_op_selectives": True})

    def _settings(self, name: str) -> tuple[SelectiveBuildOperator | None, SelectiveBuildOperator | None]:
        """Those of the operator by its own name, and those of all overloads."""
        of_all = self.operators.get(strip_operator_overload_name(name))
        return self.operators.get(name), of_all if of_all and of_all.include_all_overloads else None

    def is_operator_selected(self, name: str) -> bool:
        """Whether the build has an operator."""
        return self.include_all_operators or any(settings is not None for settings in self._settings(name))

    def is_operator_selected_for_training(self, name: str) -> bool:
        """Whether the build has an operator for training."""
        used = (settings is not None and settings.is_used_for_training for settings in self._settings(name))
        return self.include_all_operators or any(used)

    def is_root_operator(self, name: str) -> bool:
        """Whether a model calls an operator directly."""
        own, of_all = self._settings(name)
        return self.include_all_operators or (own or of_all or _NOTHING).is_root_operator

    def is_native_function_selected(self, func: NativeFunction) -> bool:
        """Whether the build has an operator."""
        return self.is_operator_selected(op_name_from_native_function(func))

    def is_native_function_selected_for_training(self, func: NativeFunction) -> bool:
        """Whether the build has an operator for training."""
        return self.is_operator_selected_for_training(op_name_from_native_function(func))

    def is_kernel_dtype_selected(self, kernel_tag: str, dtype: str) -> bool:
        """Whether a kernel is built for a type."""
        if self.include_all_operators or self.include_all_non_op_selectives:
            return True
        return dtype in self.kernel_metadata.get(kernel_tag, ())

    def et_get_selected_kernels(self, op_name: str, kernel_key: list[str]) -> list[str]:
        """The kernels of an operator that a build for ExecuTorch needs, of those that there are.

        Raises:
            ValueError: a kernel is missing.
        """
        if op_name not in self.et_kernel_metadata:
            return kernel_key if self.include_all_operators else []

        def types(key: str) -> str | None:
            return key.split("/")[1] if key != "default" else None

        found: dict[str, None] = {}
        for wanted in self.et_kernel_metadata[op_name]:
            fitting = next((key for key in kernel_key if types(key) == types(wanted)), "default")
            if fitting not in kernel_key:
                raise ValueError(f"`{op_name}` has no kernel for `{wanted}`")
            found[fitting] = None
        return list(found)

    def to_dict(self) -> dict[str, object]:
        """The selection, as YAML has it."""
        debug_info = {} if self._debug_info is None else {"debug_info": sorted(self._debug_info)}
        return {
            "include_all_non_op_selectives": self.include_all_non_op_selectives,
            "include_all_operators": self.include_all_operators,
            "operators": {name: operator.to_dict() for name, operator in self.operators.items()},
            **debug_info,
            "kernel_metadata": {name: sorted(types) for name, types in self.kernel_metadata.items()},
            "et_kernel_metadata": self.et_kernel_metadata,
            "custom_classes": sorted(self.custom_classes),
            "build_features": sorted(self.build_features),
        }


def _selected(read: _Selection) -> SelectiveBuilder:
    def info(lines: list[str] | None) -> tuple[str, ...] | None:
        return None if lines is None else tuple(lines)

    return SelectiveBuilder(
        include_all_operators=read["include_all_operators"],
        _debug_info=info(read["debug_info"]),
        operators={
            name: SelectiveBuildOperator(name, root, training, overloads, info(lines))
            for name, root, training, overloads, lines in read["operators"]
        },
        kernel_metadata=dict(read["kernel_metadata"]),
        et_kernel_metadata=dict(read["et_kernel_metadata"]),
        custom_classes=set(read["custom_classes"]),
        build_features=set(read["build_features"]),
        include_all_non_op_selectives=read["include_all_non_op_selectives"],
    )


def merge_kernel_metadata(lhs: dict[str, list[str]], rhs: dict[str, list[str]]) -> dict[str, list[str]]:
    """The types of each kernel of a build for both."""
    return {name: list(dict.fromkeys(lhs.get(name, []) + rhs.get(name, []))) for name in {**lhs, **rhs}}


def merge_et_kernel_metadata(lhs: dict[str, list[str]], rhs: dict[str, list[str]]) -> dict[str, list[str]]:
    """The kernels of each operator of a build for both, in order."""
    return {name: sorted(types) for name, types in merge_kernel_metadata(lhs, rhs).items()}


def combine_selective_builders(lhs: SelectiveBuilder, rhs: SelectiveBuilder) -> SelectiveBuilder:
    """The selection of a build for both."""
    return SelectiveBuilder(
        include_all_operators=lhs.include_all_operators or rhs.include_all_operators,
        _debug_info=merge_debug_info(lhs._debug_info, rhs._debug_info),
        operators=merge_operator_dicts(lhs.operators, rhs.operators),
        kernel_metadata=merge_kernel_metadata(lhs.kernel_metadata, rhs.kernel_metadata),
        et_kernel_metadata=merge_et_kernel_metadata(lhs.et_kernel_metadata, rhs.et_kernel_metadata),
        custom_classes=lhs.custom_classes | rhs.custom_classes,
        build_features=lhs.build_features | rhs.build_features,
        include_all_non_op_selectives=lhs.include_all_non_op_selectives or rhs.include_all_non_op_selectives,
    )


def op_name_from_native_function(f: NativeFunction) -> str:
    """The name by which selections name an operator."""
    return f"{f.namespace}::{f.func.name}"
