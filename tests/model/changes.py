"""What changed between two versions of PyTorch, by the reference's own models: one JSON object a line.

    PYTHONPATH=WHEEL python changes.py model ATEN > FILE
    python changes.py compare OLD NEW [DERIVATIVES DERIVATIVES]

`model` needs the torchgen of a version; `compare` needs the models of two versions. Nothing here is shared
with torchgen-rs: kinds of changes are decided by other code, from other data.
"""

from __future__ import annotations

import collections
import json
import pathlib
import sys


def model(aten: str) -> None:
    """Prints an operator a line."""
    from torchgen.api import structured
    from torchgen.api.python import signature
    from torchgen.api.types import CppSignatureGroup, DispatcherSignature, NativeSignature, StructuredImplSignature
    from torchgen.context import native_function_manager
    from torchgen.gen import get_grouped_native_functions, parse_native_yaml
    from torchgen.model import NativeFunctionsGroup, Variant
    from torchgen.packaged.autograd import gen_python_functions as bindings

    native = pathlib.Path(aten) / "native"
    functions, indices = parse_native_yaml(native / "native_functions.yaml", native / "tags.yaml")
    by_name = {f.func.name: f for f in functions}
    groups = {}
    for group in get_grouped_native_functions(functions):
        if isinstance(group, NativeFunctionsGroup) and group.structured:
            groups[group.out.func.name] = group
    scopes = {
        "torch.Tensor": (bindings.is_py_variable_method, True),
        "torch": (bindings.is_py_torch_function, False),
    }
    for module in ["nn", "fft", "linalg", "nested", "sparse", "special"]:
        scopes[f"torch._C._{module}"] = (getattr(bindings, f"is_py_{module}_function"), False)

    for f in functions:
        with native_function_manager(f):
            arguments = f.func.arguments
            out = by_name.get(f.structured_delegate) if f.structured_delegate else None
            kernels, declared = {}, {}
            for key, index in indices.items():
                kernel = index.get_kernel(out or f) or index.get_kernel(f)
                if kernel is not None:
                    kernels[str(key)] = f"{kernel.cpp_namespace}::{kernel.kernel}"
                own = index.get_kernel(f)
                if own is not None and not own.structured:
                    text = NativeSignature(f.func, symint=own.supports_symint()).decl(own.kernel)
                    declared.setdefault(f"{own.cpp_namespace}::{own.kernel}", text)
                elif own is not None and f.func.name in groups:
                    text = StructuredImplSignature(groups[f.func.name], own.kernel).defn()
                    declared[f"{own.cpp_namespace}::{own.kernel}"] = text
            if f.func.name in groups:
                parts = ", ".join(binding.defn() for binding in structured.meta_arguments(groups[f.func.name]))
                declared["at::meta"] = parts
            cpp = {"dispatcher": DispatcherSignature.from_schema(f.func).decl(name="call")}
            for method in [False, True]:
                group = CppSignatureGroup.from_native_function(f, method=method, fallback_binding=f.manual_cpp_binding)
                for way, own in [
                    ("faithful", group.faithful_signature),
                    ("symint faithful", group.symint_faithful_signature),
                    ("plain", group.signature),
                    ("symint", group.symint_signature),
                ]:
                    if own is not None and (Variant.method if method else Variant.function) in f.variants:
                        cpp[f"{'method' if method else 'function'} {way}"] = own.decl()
                    if own is not None and not method:
                        cpp[f"redispatch {way}"] = own.decl(is_redispatching_fn=True)
            bound = bindings.should_generate_py_binding(f)
            python = {
                name: signature(f, method=method).signature_str() for name, (is_in, method) in scopes.items() if bound and is_in(f)
            }
            line = {
                "name": f"{f.namespace}::{f.func.name}",
                "generated": "generated" in f.tags,
                "schema": str(f.func),
                "arguments": [
                    [a.name, str(a.type), str(a.annotation or ""), a.default, group]
                    for group, all_ in [
                        ("positional", arguments.flat_positional),
                        ("keyword", arguments.flat_kwarg_only),
                        ("out", arguments.out),
                    ]
                    for a in all_
                ],
                "returns": [[r.name or "", str(r.type), str(r.annotation or "")] for r in f.func.returns],
                "tags": sorted(f.tags),
                "kernels": kernels,
                "declared": declared,
                "cpp": cpp,
                "python": python,
                "structured": f.structured_inherits or f.structured,
                "delegate": str(f.structured_delegate) if f.structured_delegate else None,
                "autogen": sorted(str(name) for name in f.autogen),
            }
            print(json.dumps(line))


GENERAL = {"CompositeImplicitAutograd", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional"}


def keyed(old: dict, new: dict, added: str | None, removed: str | None, changed: str):
    """The kinds of changes of a mapping."""
    for key in old.keys() | new.keys():
        if key not in new:
            kind = removed
        elif key not in old:
            kind = added
        else:
            kind = changed if old[key] != new[key] else None
        if kind is not None:
            yield kind, key


def of_operator(old: dict, new: dict):
    """The kinds of changes of an operator that stayed."""
    before = {a[0]: a for a in old["arguments"]}
    after = {a[0]: a for a in new["arguments"]}
    last = max((at for at, a in enumerate(new["arguments"]) if a[0] in before), default=-1)
    renamed = {}
    for was, is_ in zip(old["arguments"], new["arguments"]):
        if was[0] not in after and is_[0] not in before and was[1] == is_[1]:
            renamed[is_[0]] = was[0]
            yield "argument-renamed", was[0]
    before.update((new_name, before.pop(old_name)) for new_name, old_name in renamed.items())
    for name in before.keys() - after.keys():
        yield "argument-removed", name
    for at, argument in enumerate(new["arguments"]):
        name, _, _, default, group = argument
        if name not in before:
            follows = [a for a in new["arguments"][at + 1 :] if a[0] in before and (a[4] == "out") == (group == "out")]
            if default is None:
                yield "required-argument-added", name
            else:
                yield ("argument-inserted" if follows else "argument-added"), name
            continue
        was = before[name]
        if was[1] != argument[1]:
            yield "argument-type", name
        if was[2] != argument[2]:
            yield "argument-alias-changed", name
        if was[3] != argument[3]:
            yield "default", name
        if was[4] != group:
            yield "argument-group", name
    kept = [a[0] for a in old["arguments"] if a[0] in after]
    kept = kept if not renamed else [a[0] for a in new["arguments"] if a[0] in before]
    if kept != [a[0] for a in new["arguments"] if a[0] in before]:
        yield "arguments-reordered", ""
    if old["returns"] != new["returns"]:
        yield "results", ""
    yield from keyed(dict.fromkeys(old["tags"]), dict.fromkeys(new["tags"]), "tag-added", "tag-removed", "")
    general = GENERAL & new["kernels"].keys()
    gone = None if general else "kernel-removed"
    yield from keyed(old["kernels"], new["kernels"], "kernel-added", gone, "kernel-changed")
    yield from keyed(old["declared"], new["declared"], None, None, "kernel-declaration-changed")
    yield from keyed(old["cpp"], new["cpp"], "cpp-function-added", "cpp-function-removed", "cpp-function-changed")
    names = "python-function-added", "python-function-removed", "python-function-changed"
    yield from keyed(old["python"], new["python"], *names)
    autogen = [dict.fromkeys(side["autogen"]) for side in (old, new)]
    yield from keyed(*autogen, "variant-generated", "variant-not-generated", "")
    if (old["structured"], old["delegate"]) != (new["structured"], new["delegate"]):
        yield "structured-changed", ""


def formulas(path: str) -> dict:
    """The formulas of each operator."""
    import yaml

    found: dict = collections.defaultdict(dict)
    with open(path) as file:
        entries = yaml.safe_load(file)
    for entry in entries:
        name = "aten::" + entry.pop("name").split("(")[0]
        of_keys = entry.pop("dispatch", None) or {"Default": entry}
        for key, own in of_keys.items():
            for inputs, formula in own.items():
                if inputs not in ("output_differentiability", "python"):
                    inputs = ", ".join(word.strip() for word in inputs.split(","))
                    found[name][inputs, key] = " ".join(str(formula).split())
    return found


def compare(old_path: str, new_path: str, *derivatives: str) -> None:
    """Prints how many changes of each kind an operator has."""
    sides = []
    for path in (old_path, new_path):
        with open(path) as file:
            sides.append({line["name"]: line for line in map(json.loads, file)})
    old, new = sides
    counts: collections.Counter = collections.Counter()
    for name, was in old.items():
        if name not in new:
            # A variant goes with the operator that it was generated from.
            counts[name, "gone" if not was["generated"] else "generated-gone"] += 1
        elif not (was["generated"] and new[name]["generated"]):
            counts.update((name, kind) for kind, _ in of_operator(was, new[name]))
    for name, is_ in new.items():
        if name not in old:
            counts[name, "new" if not is_["generated"] else "generated-new"] += 1
    if derivatives:
        before, after = map(formulas, derivatives)
        for name in before.keys() | after.keys():
            if name in old and name in new:
                names = "formula-added", "formula-removed", "formula-changed"
                of = before.get(name, {}), after.get(name, {})
                counts.update((name, kind) for kind, _ in keyed(*of, *names))
    for (name, kind), count in sorted(counts.items()):
        print(json.dumps([name, kind, count]))


if __name__ == "__main__":
    {"model": model, "compare": compare}[sys.argv[1]](*sys.argv[2:])
