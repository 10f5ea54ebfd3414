"""Makes what PyTorch's tools/jit/gen_unboxing.py makes, which no wheel carries: `reference_unboxing.py gen-unboxing FLAGS`.

Conversions, signatures, selection, templates and files are the wheel's own (`torchgen.api.unboxing` and what lies around it); the text around
them is that of the script, as its public copies have it, in the C++ of torch 2.15.
"""

import argparse
import os
import pathlib
import types

from torchgen.api import unboxing
from torchgen.api.translate import translate
from torchgen.api.types import CppSignatureGroup
from torchgen.context import native_function_manager
from torchgen.gen import cpp_string, get_custom_build_selector, parse_native_yaml
from torchgen.model import Variant
from torchgen.utils import make_file_manager


def declaration(f) -> str:
    return f"\n// aten::{f.func}\nTORCH_API void {unboxing.name(f)}(Stack & stack);\n"


def definition(f) -> str:
    called = CppSignatureGroup.from_native_function(f, method=Variant.method in f.variants).most_faithful_signature()
    bindings, lines = unboxing.convert_arguments(f)
    passed = ", ".join(e.expr for e in translate(bindings, called.arguments(), method=called.method))
    call = f"{'self_base.' if called.method else 'at::'}{called.name()}({passed});"
    body = ["\n\t".join(lines), "", f"drop(stack, {len(bindings)});", ""]
    if f.func.returns:
        body += [f"auto result_ = {call}", "", "pack(stack, std::move(result_));", ""]
    else:
        body += [call, ""]
    text = "\n    ".join(body)
    return f"\n// aten::{f.func}\nTORCH_API void {unboxing.name(f)}(Stack & stack) {{\n    {text}\n}}\n"


def argument(a) -> str:
    if not a.default:
        value = "c10::IValue(::std::nullopt)"
    else:
        value = f"c10::{'IntArrayRef' if a.default.startswith('{') else 'IValue'}({a.default})"
    return f'c10::Argument("{a.name}", nullptr, ::std::nullopt, {value})'


def registration(f) -> str:
    plain = CppSignatureGroup.from_native_function(f, method=False).most_faithful_signature()
    listed = lambda items: "        " + ",\n\t\t".join(items)
    return "\n".join(
        [
            "",
            f"// aten::{cpp_string(str(f.func))[1:-1]}",
            "OperatorGenerator(",
            f'    "aten::{f.func.name.name}",',
            f'    "{f.func.name.overload_name}",',
            "    {",
            listed(argument(a) for a in plain.arguments()),
            "    },",
            "    {",
            listed(f'c10::Argument("{r.name or ""}")' for r in f.func.returns),
            "    },",
            "    [](Stack & stack) {",
            f'        RECORD_FUNCTION("{plain.name()}", std::vector<c10::IValue>());',
            f"        at::unboxing::{unboxing.name(f)}(stack);",
            "    },",
            "    aliasAnalysisFromSchema()",
            "),",
            "",
        ]
    )


def main() -> None:
    global __file__

    parser = argparse.ArgumentParser()
    parser.add_argument("entry", choices=["gen-unboxing"])
    parser.add_argument("-s", "--source-path", default="aten/src/ATen")
    parser.add_argument("-d", "--install-dir", "--install_dir", default="build/aten/src/ATen")
    parser.add_argument("-o", "--output-dependencies")
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--op-selection-yaml-path", "--op_selection_yaml_path")
    parser.add_argument("--op-registration-allowlist", nargs="*")
    options = parser.parse_args()
    __file__ = "tools/jit/gen_unboxing.py"

    selector = get_custom_build_selector(options.op_registration_allowlist or None, options.op_selection_yaml_path)
    native = os.path.join(options.source_path, "native/native_functions.yaml")
    functions = parse_native_yaml(native, os.path.join(options.source_path, "native/tags.yaml")).native_functions
    files = make_file_manager(types.SimpleNamespace(**vars(options)), options.install_dir)

    def of(make, f) -> str:
        with native_function_manager(f):
            return make(f) if selector.is_root_operator(f"aten::{f.func.name}") else ""

    many = len(selector.operators) >= 100
    for name, key, make, shards in (
        ("UnboxingFunctions.cpp", "definitions", definition, 5),
        ("RegisterCodegenUnboxedKernels.cpp", "unboxed_ops", registration, 10),
    ):
        files.write_sharded(
            name,
            functions,
            key_fn=lambda f: f.root_name,
            env_callable=lambda f, key=key, make=make: {key: [of(make, f)]},
            num_shards=shards if many else 1,
            sharded_keys={key},
        )
    files.write("UnboxingFunctions.h", lambda: {"declarations": [of(declaration, f) for f in functions]})
    if options.output_dependencies:
        path = pathlib.Path(options.output_dependencies).resolve()
        files.write_outputs(path.stem, str(path))


if __name__ == "__main__":
    main()
