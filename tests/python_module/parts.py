"""Parts of generated files that scripts of backends make themselves: of kernels for functionalization,
functions that make tensors, shims for AOTInductor, and calls of eager kernels. Prints the number of
answers and their hash, or with `--text` the answers.

Arguments: the package (`torchgen_rs`, or `torchgen` for the reference), native_functions.yaml,
tags.yaml; a number, to take only every so manieth operator.
"""

import importlib
import sys

from told import tell

package, native, tags, distance, *rest = sys.argv[1:]


def load(name):
    return importlib.import_module(f"{package}.{name}")


gen, types, context = map(load, ("gen", "api.types", "context"))
kernels, shims, lazy = map(load, ("gen_functionalization_type", "gen_aoti_c_shim", "api.lazy"))
factories, lazy_ir = map(load, ("packaged.autograd.gen_variable_factories", "dest.lazy_ir"))
listed = load("aoti.fallback_ops").inductor_fallback_ops
lazy.setValueT(types.BaseCppType("torch::lazy", "Value"))


def attempt(call, *arguments, **flags):
    """The result, or that there is none."""
    try:
        return call(*arguments, **flags)
    except NotImplementedError:
        return "not for C"
    except (AssertionError, KeyError, RuntimeError, ValueError):
        return "unsupported"


def parts(made):
    """Statements, and the names and types of parameters after them."""
    text, bindings = made
    return text, [(b.name, b.nctype, b.default) for b in bindings]


def of_kernel(f):
    """Parts of an operator's kernel for functionalization."""
    yield kernels.wrapper_name(f.func), kernels.modifies_arguments(f), kernels.maybe_create_output(f, "made")
    yield [kernels.is_tensor_like(a) for a in f.func.arguments.flat_all]
    signature = types.DispatcherSignature.from_schema(f.func)
    for is_view_op in (False, True):
        yield parts(kernels.unwrap_tensor_args(signature, is_view_op=is_view_op))
    yield parts(kernels.convert_to_meta_tensors(signature))
    yield attempt(kernels.get_mutable_redispatch_return_names, f, "made")
    yield attempt(kernels.return_from_mutable_noop_redispatch, f, "made")


def of_shims(f):
    """The shims of an operator, with the versions that it has, and with some for the test."""
    yield attempt(shims.gen_declaration_and_definition, f.func, "cpu", "at::call", listed.get(shims.get_fallback_op_name(f), {}))
    added = [a.name for a in f.func.arguments.flat_all if a.default][:1]
    later = {"v3": {"new_args": added}, "since": "TORCH_VERSION_2_10_0", "v2": {"since": "TORCH_VERSION_2_11_0"}}
    yield attempt(shims.gen_declaration_and_definition, f.func, "other", "at::call", later)


def of_node(f):
    """The calls of an operator's eager kernel."""
    for symint in (True, False):
        schema = attempt(lazy.LazyIrSchema, f.func, symint=symint)
        if not isinstance(schema, str):
            signature = types.NativeSignature(f.func, symint=symint)
            yield attempt(lazy_ir.gen_fallback_code, schema, signature, f.func.name.overload_name)


def answers():
    """All answers."""
    for f in gen.parse_native_yaml(native, tags).native_functions[:: int(distance)]:
        with context.native_function_manager(f):
            yield from of_kernel(f)
            yield from of_shims(f)
            yield from of_node(f)
            yield factories.is_factory_function(f), factories.process_function(f)


tell(map(repr, answers()), rest)
