"""Loaders for PyYAML, by the names of the reference's ``torchgen.yaml_utils``. Only this module and
``torchgen_rs.gen.LineLoader`` need PyYAML: the program has its own parser."""

from __future__ import annotations

try:
    from yaml import CSafeDumper as YamlDumper, CSafeLoader as _Loader  # type: ignore[import-untyped, unused-ignore]
except ImportError:
    from yaml import SafeDumper as YamlDumper, SafeLoader as _Loader  # type: ignore[assignment, unused-ignore]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["LineLoader", "YamlDumper", "YamlLoader"]


class YamlLoader(_Loader):  # type: ignore[misc]
    """A loader that refuses a key that occurs twice."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        made: dict[Any, Any] = super().construct_mapping(node, deep=deep)
        if len(made) != len(node.value):
            keys = [self.construct_object(key, deep=deep) for key, _ in node.value]
            twice = next(key for i, key in enumerate(keys) if key in keys[:i])
            raise AssertionError(f"the key `{twice}` occurs twice in the mapping at line {node.start_mark.line + 1}")
        return made


class LineLoader(YamlLoader):
    """A loader that adds to each mapping the line where it begins, as ``__line__``."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        made = super().construct_mapping(node, deep=deep)
        made["__line__"] = node.start_mark.line + 1
        return made
