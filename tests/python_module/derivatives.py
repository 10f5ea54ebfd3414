"""What derivatives are to the operators of a file, and the nodes and kernels made of them, as a
hash. It runs with the reference too:

    python derivatives.py torchgen_rs native_functions.yaml tags.yaml derivatives.yaml 1
    python derivatives.py torchgen native_functions.yaml tags.yaml derivatives.yaml 1

The last number is the distance between the operators that are asked; 1 means all. With `--text`, it
prints what the hash is of.
"""

import collections
import dataclasses
import importlib
import sys

from told import tell

package, native, tags, derivatives, distance, *rest = sys.argv[1:]


def load(name: str):
    return importlib.import_module(f"{package}.{name}")


model, gen, context, autograd, cpp = map(load, ("model", "gen", "context", "api.autograd", "api.cpp"))
loading = load("packaged.autograd.load_derivatives")
MODULES = "variable_type", "inplace_or_view_type", "trace_type", "autograd_functions"
kernels, common, names, nodes = (load(f"packaged.autograd.gen_{name}") for name in MODULES)
PARTS = "FUNCTION_DECLARATION", "FUNCTION_DEFINITION", "PY_FUNCTION_DEFINITION", "PY_FUNCTION_PROPS_AND_GETTERS"

# The reference makes these of sets of strings, whose order differs from run to run.
UNORDERED = ("required_inputs_fw_grad", "required_inputs_primal", "all_saved_inputs", "all_saved_outputs")


def shown(value, unordered: bool = False) -> str:
    """The `repr` of a value, with sets in order and operators by name."""
    if isinstance(value, model.NativeFunction):
        return str(value.func)
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        parts = (f"{f.name}={shown(getattr(value, f.name), f.name in UNORDERED)}" for f in fields)
        return f"{type(value).__name__}({', '.join(parts)})"
    if isinstance(value, (set, frozenset)) or unordered and isinstance(value, tuple):
        return f"{{{', '.join(sorted(map(shown, value)))}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {shown(item)}' for key, item in value.items())}}}"
    return repr(value)


def kernel(fn, key):
    """The kernel of an operator, and its registration."""
    f = fn.func
    yield common.use_derived(fn), kernels.gen_wrapper_registration(f, key)
    if not common.use_derived(fn) or (fn.info is None and fn.func.manual_kernel_registration):
        return
    with context.native_function_manager(f):
        body = refused(kernels.emit_body, fn, key)
        yield common.METHOD_DEFINITION.substitute(
            return_type=cpp.returns_type(f.func.returns, symint=True).cpp_type(),
            type_wrapper_name=names.type_wrapper_name(f, key),
            formals=common.gen_formals(f),
            type_definition_body=body,
        )


def refused(call, *arguments, **flags):
    """What a call returns, or that it raises an error."""
    try:
        return call(*arguments, **flags)
    except (AssertionError, RuntimeError):
        return "refused"


def node(info):
    """The node of derivatives, and the same derivatives from their formulas alone."""
    for part in PARTS if info.has_derivatives else ():
        yield nodes.process_function(info, getattr(nodes, part))
    f, known = info.func, info.available_named_gradients
    for derivative in info.derivatives:
        with context.native_function_manager(f):
            yield shown(loading.create_derivative(f, derivative.original_formula, derivative.var_names, known))
    # They are the second node of their class.
    formulas = {", ".join(derivative.var_names): derivative.original_formula for derivative in info.derivatives}
    entry = {"name": str(f.func), "dispatch": {"Default": formulas, "AutogradCUDA": formulas}}
    entry["output_differentiability"] = info.output_differentiability_conditions or info.output_differentiability
    counter, used = collections.Counter([str(info.op)[:-1]]), {"Default"}
    operators = {f.func.signature(): [f]}, {str(f.func): f}
    made = refused(loading.create_differentiability_info, entry, *operators, counter, used)
    yield made if made == "refused" else (str(made[0]), shown(made[1]))
    yield sorted(counter.items()), sorted(used), sorted(entry)


def answers():
    """All answers."""
    infos, keys = loading.load_derivatives(derivatives, native, tags)
    yield sorted(keys)
    step = int(distance)
    for schema, by_key in list(infos.items())[::step]:
        yield str(schema), list(by_key)
        for info in by_key.values():
            yield shown(info), info.has_derivatives
            for name in ("grad", "grads", "retain_variables", "self"):
                yield autograd.uses_ident(info, name)
            yield autograd.uses_single_grad(info), autograd.uses_retain_variables(info)
            yield from node(info)
    functions = gen.parse_native_yaml(native, tags).native_functions
    before = len(infos)
    matched = autograd.match_differentiability_info(functions, infos)
    yield len(infos) - before, [str(schema) for schema in list(infos)[before:]]
    for fn in matched[::step]:
        yield shown(fn), autograd.dispatch_strategy(fn), autograd.is_foreach_func(fn.func)
        for key in fn.info or ("Default",):
            with context.native_function_manager(fn.func):
                yield shown(refused(autograd.gen_differentiable_outputs, fn, key))
            yield from kernel(fn, key)
        if common.use_derived(fn):
            yield refused(common.gen_inplace_or_view_type_env, fn)
        default = fn.info and fn.info.get("Default")
        for argument in fn.func.func.arguments.flat_all:
            yield autograd.is_differentiable(argument.name, argument.type, default)
    for group in gen.get_grouped_by_view_native_functions(functions):
        own = not isinstance(group, model.NativeFunction) and infos.get(group.view.func)
        if own:
            yield shown(own["Default"].create_view_copy_from_view_derivative(group))


shown_as = (lambda answer: answer if isinstance(answer, str) else repr(answer)) if "--text" in rest else repr
tell(map(shown_as, answers()), rest)
