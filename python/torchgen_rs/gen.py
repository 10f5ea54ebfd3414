"""The command ``generate``, which takes the arguments of the reference's
``torchgen.gen``; and the functions of that module that read and group operators."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._operators import (
        ParsedYaml as ParsedYaml,
        cpp_string as cpp_string,
        error_check_native_functions as error_check_native_functions,
        get_grouped_by_view_native_functions as get_grouped_by_view_native_functions,
        get_grouped_native_functions as get_grouped_native_functions,
        parse_native_yaml as parse_native_yaml,
        parse_native_yaml_struct as parse_native_yaml_struct,
        parse_tags_yaml as parse_tags_yaml,
        parse_tags_yaml_struct as parse_tags_yaml_struct,
    )
    from .yaml_utils import LineLoader as LineLoader

from ._program import command

_ELSEWHERE = {
    "add_generated_native_functions": "`parse_native_yaml` adds them",
    "compute_declaration_yaml": "`torchgen_rs.generate` with `generate=\"declarations_yaml\"` writes them",
    "compute_meta_function_declaration": "`torchgen_rs.generate` writes NativeMetaFunctions.h",
    "compute_registration_declarations": "`torchgen_rs.generate` writes RegistrationDeclarations.h",
    "get_custom_build_selector": "use `torchgen_rs.selective_build.selector.SelectiveBuilder`",
    "get_native_function_declarations": "`torchgen_rs.generate` writes NativeFunctions.h",
    "get_native_function_schema_registrations": "`torchgen_rs.generate` writes RegisterSchema.cpp",
    "pre_group_native_functions": "use `get_grouped_native_functions`",
    "run": "use `torchgen_rs.generate` or `main`",
    "static_dispatch": "`torchgen_rs.generate` with `static_dispatch_backend` writes the calls",
}


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Runs the command with these arguments, or those of the process. Returns the exit status."""
    return command("generate", arguments)


# The program needs none of them, and is started often.
def __getattr__(name: str) -> object:
    if name == "LineLoader":
        from .yaml_utils import LineLoader

        return LineLoader
    from . import _operators

    if name in _operators.__all__:
        return getattr(_operators, name)
    from ._missing import missing

    raise missing(__name__, name, _ELSEWHERE)


if __name__ == "__main__":
    sys.exit(main())
