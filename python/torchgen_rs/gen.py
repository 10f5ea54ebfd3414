"""The command ``generate``, which takes the arguments of the reference's
``torchgen.gen``; and the functions of that module that read and group operators."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._declarations import (
        compute_meta_function_declaration as compute_meta_function_declaration,
        get_native_function_declarations as get_native_function_declarations,
        get_native_function_declarations_from_ns_grouped_kernels as get_native_function_declarations_from_ns_grouped_kernels,
        get_native_function_schema_registrations as get_native_function_schema_registrations,
        get_ns_grouped_kernels as get_ns_grouped_kernels,
        static_dispatch as static_dispatch,
    )
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
    from ._static_calls import (
        RegisterSchema as RegisterSchema,
        generate_static_dispatch_backend_call as generate_static_dispatch_backend_call,
        get_custom_build_selector as get_custom_build_selector,
        translate_args as translate_args,
    )
    from .native_function_generation import (
        add_generated_native_functions as add_generated_native_functions,
        pre_group_native_functions as pre_group_native_functions,
    )
    from .utils import FileManager as FileManager
    from .yaml_utils import LineLoader as LineLoader

from ._patches import watch
from ._program import command

_ELSEWHERE = {
    "compute_declaration_yaml": "`torchgen_rs.generate` with `generate=\"declarations_yaml\"` writes them",
    "compute_registration_declarations": "`torchgen_rs.generate` writes RegistrationDeclarations.h",
    "run": "use `torchgen_rs.generate` or `main`",
}


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Runs the command with these arguments, or those of the process. Returns the exit status."""
    return command("generate", arguments)


# The program needs none of them, and is started often.
def __getattr__(name: str) -> object:
    from importlib import import_module

    for module in ("_operators", "_declarations", "_static_calls", "native_function_generation"):
        names = import_module(f".{module}", __package__)
        if name in names.__all__:
            return getattr(names, name)
    others = (("yaml_utils", "LineLoader"), ("utils", "FileManager"), ("_operators", "_GLOBAL_PARSE_NATIVE_YAML_CACHE"))
    for module, other in others:
        if name == other:
            return getattr(import_module(f".{module}", __package__), name)
    from ._missing import missing

    raise missing(__name__, name, _ELSEWHERE)


watch(__name__, looked_up={"parse_native_yaml": callable})


if __name__ == "__main__":
    sys.exit(main())
