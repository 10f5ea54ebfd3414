"""Prints `docs/torchgen-reference.md`: what the modules with torchgen's names have, from their
docstrings. The argument is the directory of the package."""

import ast
import pathlib
import sys

package = pathlib.Path(sys.argv[1])

# Each module, and the files that define its names.
MODULES = {
    "model": ["model/_schema", "model/_types", "model/_functions", "model/_groups", "model/_keys", "model/_enums"],
    "gen": ["_operators", "_declarations", "_static_calls"],
    "native_function_generation": ["native_function_generation"],
    "context": ["context"],
    "local": ["local"],
    "api.types": ["api/types/types_base", "api/types/types", "api/types/signatures"],
    "api.cpp": ["api/cpp"],
    "api.dispatcher": ["api/dispatcher"],
    "api.native": ["api/native"],
    "api.structured": ["api/structured"],
    "api.meta": ["api/meta"],
    "api.translate": ["api/translate"],
    "api.autograd": ["api/autograd"],
    "api.functionalization": ["api/functionalization"],
    "api.lazy": ["api/lazy"],
    "api.python": ["api/python"],
    "api.unboxing": ["api/unboxing"],
    "autograd.load_derivatives": ["autograd/load_derivatives"],
    "autograd.gen_autograd_functions": ["autograd/gen_autograd_functions"],
    "autograd.gen_variable_type": ["autograd/gen_variable_type"],
    "autograd.gen_inplace_or_view_type": ["autograd/gen_inplace_or_view_type"],
    "autograd.gen_trace_type": ["autograd/gen_trace_type"],
    "autograd.gen_variable_factories": ["autograd/gen_variable_factories"],
    "selective_build.selector": ["selective_build/selector"],
    "selective_build.operator": ["selective_build/operator"],
    "dest": ["dest/lazy_ir", "dest/ufunc"],
    "dest.register_dispatch_key": ["dest/register_dispatch_key"],
    "dest.native_functions": ["dest/native_functions"],
    "gen_backend_stubs": ["_backend_stubs"],
    "gen_lazy_tensor": ["_lazy_tensor"],
    "gen_aoti_c_shim": ["gen_aoti_c_shim"],
    "gen_functionalization_type": ["gen_functionalization_type"],
    "gen_schema_utils": ["gen_schema_utils"],
    "aoti.fallback_ops": ["aoti/fallback_ops"],
    "native_aot_decl": ["native_aot_decl"],
    "native_aot_spec_grid": ["native_aot_spec_grid"],
    "packaged": ["packaged/__init__"],
    "hooks": ["hooks"],
    "utils": ["utils"],
    "code_template": ["code_template"],
    "yaml_utils": ["yaml_utils"],
}

HEAD = """\
# Reference of torchgen's names

What the modules of [`torchgen_rs`](coming-from-torchgen.md) that have torchgen's names contain. The
sentences are those of the package, so editors show them too, with types, arguments and exceptions.
A test writes this page: `UPDATE_EXPECT=1 cargo test --test integration python_module::reference`.
"""


def sentence(node) -> str:
    """The first paragraph of a docstring."""
    text = " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())
    return text.replace("``", "`").replace("|", "\\|")


def parameters(function: ast.FunctionDef) -> str:
    """The parameters without types; those of methods without `self`."""
    arguments = function.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        argument.annotation = None
    for argument in filter(None, (arguments.vararg, arguments.kwarg)):
        argument.annotation = None
    text = ast.unparse(arguments)
    for own in ("self", "cls", "slf"):
        text = text.removeprefix(f"{own}, ") if text != own else ""
    return text


def is_decorated(node, name: str) -> bool:
    return any(ast.unparse(decorator).split("(")[0] == name for decorator in node.decorator_list)


def of_class(node: ast.ClassDef):
    fields = [item.target.id for item in node.body if isinstance(item, ast.AnnAssign)]
    shown = ", ".join(field for field in fields if field[0] != "_") if is_decorated(node, "dataclass") else ""
    yield f"{node.name}({shown})" if shown else node.name, sentence(node)
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name[0] != "_" and ast.get_docstring(item):
            call = "" if is_decorated(item, "property") else f"({parameters(item)})"
            yield f"{node.name}.{item.name}{call}", sentence(item)


def rows(file: pathlib.Path):
    tree = ast.parse(file.read_text())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name[0] != "_":
            yield f"{node.name}({parameters(node)})", sentence(node)
        elif isinstance(node, ast.ClassDef) and node.name[0] != "_":
            yield from of_class(node)


print(HEAD)
for module, files in MODULES.items():
    print(f"## {module}\n\n| name | |\n| --- | --- |")
    for file in files:
        for name, text in rows(package / f"{file}.py"):
            if text:
                name = name.replace("|", "\\|")
                print(f"| `{name}` | {text} |")
    print()
