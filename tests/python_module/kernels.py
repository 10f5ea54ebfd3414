"""What `dest` makes of operators for dispatch keys: wrappers, registrations, functions, declarations;
and what `gen` makes of schemas, calls without the dispatcher and generated variants. Prints the number of texts and their hash, or with `--text` the texts. Blank lines are left out.

Arguments: the package (`torchgen_rs`, or `torchgen` for the reference), native_functions.yaml,
tags.yaml; a number, to take only every so manieth operator or group.
"""

import collections
import importlib
import sys

from told import tell

package, native, tags, *rest = sys.argv[1:]
gen = importlib.import_module(f"{package}.gen")
model = importlib.import_module(f"{package}.model")
dest = importlib.import_module(f"{package}.dest")
register = importlib.import_module(f"{package}.dest.register_dispatch_key")
variants = importlib.import_module(f"{package}.native_function_generation")
types = importlib.import_module(f"{package}.api.types")
context = importlib.import_module(f"{package}.context")
utils = importlib.import_module(f"{package}.utils")
selector = importlib.import_module(f"{package}.selective_build.selector")
step = next((int(word) for word in rest if word.isdigit()), 1)

KEYS = "CPU", "CUDA", "Meta", "CompositeExplicitAutogradNonFunctional", "CompositeImplicitAutograd", "QuantizedCPU", "MPS"
TARGETS = "ANONYMOUS_DEFINITION", "REGISTRATION", "NAMESPACED_DEFINITION", "NAMESPACED_DECLARATION"
parsed = gen.parse_native_yaml(native, tags)
groups = gen.get_grouped_native_functions(parsed.native_functions)[::step]
everything = selector.SelectiveBuilder.get_nop_selector()


def outside(name, **more):
    """The kernels of a backend outside PyTorch: those of the functional variants that CPU has."""
    kernels = parsed.backend_indices[model.DispatchKey.CPU].index
    index = {
        f.func.name: model.BackendMetadata(kernels[f.func.name].kernel, False, "npu::native")
        for f in parsed.native_functions
        if f.func.name in kernels and f.func.kind() is model.SchemaKind.functional
    }
    return model.BackendIndex(
        dispatch_key=model.DispatchKey[name], use_out_as_primary=False, external=True, index=index, **more
    )


def registrations():
    """The makers of code for each key."""
    for key in KEYS:
        index = parsed.backend_indices[model.DispatchKey[key]]
        yield index, {"class_method_name": None, "symint": True}
    yield outside("PrivateUse1", device_guard=True), {"class_method_name": "NPUFunctions", "symint": True}
    yield outside("XLA", device_guard=False), {"class_method_name": "XLAFunctions", "symint": False}


def texts():
    """All texts."""
    for index, flags in registrations():
        for target in TARGETS:
            make = register.RegisterDispatchKey(
                backend_index=index,
                target=utils.Target[target],
                selector=everything,
                rocm=False,
                skip_dispatcher_op_registration=False,
                **flags,
            )
            for group in groups:
                yield from make(group)
        for group in groups:
            yield from dest.compute_native_function_declaration(group, index)
        for per_operator in (True, False):
            yield from dest.gen_registration_headers(index, per_operator, rocm=per_operator)
        yield from dest.gen_registration_helpers(index)
        yield repr(register.gen_empty_impl_names(index))
        check = model.DeviceCheckType.ExactSame
        for f in parsed.native_functions[::97]:
            yield make.gen_device_check(check, f.func.arguments.flat_positional, str(f.func.name))
        yield make.gen_device_check(model.DeviceCheckType.NoCheck, [], "")


def of_gen():
    """What functions of `gen` and `native_function_generation` return."""
    functions = parsed.native_functions[::step]
    aten, others = gen.get_native_function_schema_registrations(native_functions=functions, schema_selector=everything)
    yield from (*aten, others)
    few = {key: parsed.backend_indices[model.DispatchKey[key]] for key in ("CPU", "CUDA", "SparseCPU")}
    yield from gen.get_native_function_declarations(grouped_native_functions=groups, backend_indices=few)
    for f in functions:
        signatures = [types.DispatcherSignature.from_schema(f.func)]
        with context.native_function_manager(f):
            signatures += types.CppSignatureGroup.from_native_function(f, method=False).signatures()
            for signature in signatures:
                for backends in ([], [few["CPU"]], [few["CUDA"], few["CPU"]]):
                    yield gen.static_dispatch(signature, f, backends)
        kind = f.func.kind().name
        out = {"inplace": "self", "functional": "functional", "mutable": "mutable"}.get(kind)
        try:
            yield str(getattr(variants, f"{out}_to_out_signature")(f.func)) if out else kind
        except (AssertionError, RuntimeError):
            yield "none"
    for group in groups:
        if isinstance(group, model.NativeFunctionsGroup):
            yield gen.compute_meta_function_declaration(group) or ""
    for group in gen.get_grouped_native_functions(parsed.native_functions):
        if isinstance(group, model.NativeFunctionsGroup) and group.out.ufunc_inner_loop:
            yield from (dest.compute_ufunc_cpu(group), dest.compute_ufunc_cpu_kernel(group), dest.compute_ufunc_cuda(group))
    written = [f for f in parsed.native_functions if "generated" not in f.tags]
    kernels = collections.defaultdict(dict)
    for key in variants.pre_group_native_functions(written):
        yield str(key)
    variants.add_generated_native_functions(written, kernels)
    yield from (f"{f.func} {sorted(f.tags)} {f.loc.line}" for f in written[::step])
    for key, metadata in kernels.items():
        yield from (f"{key} {name} {kernel}" for name, kernel in metadata.items())


def lines():
    for text in (*texts(), *of_gen()):
        yield from (line.rstrip() for line in text.splitlines() if line.strip())
        yield "--"


tell(lines(), rest)
