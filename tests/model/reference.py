"""What the reference's Python model says about each of PyTorch's operators: one JSON object a line.

    python reference.py ATEN

ATEN is a directory with native/native_functions.yaml. The keys are those that `tests/support/facts.rs` makes
of the facts of torchgen-rs.
"""

import json
import pathlib
import sys

from torchgen.api import structured
from torchgen.api.python import signature
from torchgen.api.types import CppSignatureGroup, DispatcherSignature, NativeSignature, StructuredImplSignature
from torchgen.context import native_function_manager
from torchgen.gen import get_grouped_by_view_native_functions, get_grouped_native_functions, parse_native_yaml
from torchgen.model import NativeFunction, NativeFunctionsGroup, NativeFunctionsViewGroup, Variant
from torchgen.packaged.autograd import gen_python_functions as bindings

SCOPES = [
    ("torch.Tensor", bindings.is_py_variable_method, True),
    ("torch", bindings.is_py_torch_function, False),
    ("torch._C._nn", bindings.is_py_nn_function, False),
    ("torch._C._fft", bindings.is_py_fft_function, False),
    ("torch._C._linalg", bindings.is_py_linalg_function, False),
    ("torch._C._nested", bindings.is_py_nested_function, False),
    ("torch._C._sparse", bindings.is_py_sparse_function, False),
    ("torch._C._special", bindings.is_py_special_function, False),
]


def full(f: NativeFunction) -> str:
    return f"{f.namespace}::{f.func.name}"


def members(group) -> dict:
    """The group of each operator, by the operator's name."""
    if isinstance(group, NativeFunctionsGroup):
        roles = {"functional": group.functional, "inplace": group.inplace, "mutable": group.mutable, "out": group.out}
    elif isinstance(group, NativeFunctionsViewGroup):
        roles = {"view": group.view, "view_copy": group.view_copy, "view_inplace": group.view_inplace}
    else:
        return {}
    named = [f"{role} {full(f)}" for role, f in roles.items() if f is not None]
    return {full(f): named for f in roles.values() if f is not None}


def cpp(f: NativeFunction) -> list:
    found = []
    for method, wanted in [(False, Variant.function), (True, Variant.method)]:
        if wanted in f.variants:
            group = CppSignatureGroup.from_native_function(f, method=method, fallback_binding=f.manual_cpp_binding)
            found += [f"{'Tensor' if method else 'at'} {s.decl()}" for s in group.signatures()]
    return sorted(found)


def native(f: NativeFunction, indices: dict) -> list:
    found = set()
    for index in indices.values():
        kernel = index.get_kernel(f)
        if kernel is not None and not kernel.structured:
            own = NativeSignature(f.func, symint=kernel.supports_symint())
            found.add(f"{kernel.cpp_namespace} {own.decl(kernel.kernel)}")
    return sorted(found)


def structured_signatures(group: NativeFunctionsGroup, indices: dict) -> list:
    found = set()
    for index in indices.values():
        kernel = index.get_kernel(group.out)
        if kernel is not None and kernel.structured:
            own = StructuredImplSignature(group, kernel.kernel)
            found.add(f"{kernel.cpp_namespace} {own.defn()}")
    arguments = ", ".join(binding.defn() for binding in structured.meta_arguments(group))
    name = str(group.functional.func.name).replace(".", "_")
    return sorted([*found, f"at::meta void {name}({arguments})"])


def main() -> None:
    native_dir = pathlib.Path(sys.argv[1]) / "native"
    functions, indices = parse_native_yaml(native_dir / "native_functions.yaml", native_dir / "tags.yaml")
    groups, by_out, views = {}, {}, {}
    for group in get_grouped_native_functions(functions):
        groups.update(members(group))
        if isinstance(group, NativeFunctionsGroup) and group.structured:
            by_out[full(group.out)] = group
    for group in get_grouped_by_view_native_functions(functions):
        views.update(members(group))
    for f in functions:
        with native_function_manager(f):
            bound = bindings.should_generate_py_binding(f)
            scopes = [(name, method) for name, is_in, method in SCOPES if bound and is_in(f)]
            group = by_out.get(full(f))
            facts = {
                "name": full(f),
                "schema": str(f.func),
                "kind": f.func.kind().name,
                "variants": sorted(variant.name for variant in f.variants),
                "tags": sorted(f.tags),
                "structured": f.structured,
                "structured_delegate": None if f.structured_delegate is None else str(f.structured_delegate),
                "view": f.is_view_op,
                "autogen": [str(name) for name in f.autogen],
                "composite": [
                    f.has_composite_implicit_autograd_kernel,
                    f.has_composite_implicit_autograd_nested_tensor_kernel,
                    f.has_composite_explicit_autograd_kernel,
                    f.has_composite_explicit_autograd_non_functional_kernel,
                ],
                "group": groups.get(full(f), []),
                "view_group": views.get(full(f), []),
                "cpp": cpp(f),
                "dispatcher": [DispatcherSignature.from_schema(f.func).decl(name=f"{f.func.name.unambiguous_name()}::call")],
                "native": native(f, indices),
                "structured_signatures": structured_signatures(group, indices) if group else [],
                "python": sorted(f"{name} {signature(f, method=method).signature_str()}" for name, method in scopes),
            }
            print(json.dumps(facts))


if __name__ == "__main__":
    main()
