"""What Python's convention, nodes of lazy backends, views and unboxing make of the operators of a
file, as a hash. It runs with the reference too:

    python conventions.py torchgen_rs native_functions.yaml tags.yaml 1
    python conventions.py torchgen native_functions.yaml tags.yaml 1

The last number is the distance between the operators that are asked; 1 means all. With `--text`, it
prints what the hash is of.
"""

import dataclasses
import importlib
import sys

from told import tell

package, native_functions, tags, distance, *rest = sys.argv[1:]


def load(name: str):
    return importlib.import_module(f"{package}.{name}")


model, gen, context, types = map(load, ("model", "gen", "context", "api.types"))
python, lazy, views, unboxing = map(load, ("api.python", "api.lazy", "api.functionalization", "api.unboxing"))

lazy.setValueT(types.BaseCppType("torch::lazy", "Value"))
CONSTANTS = lazy.LazyIrProperties("ShapeCache", "LowerDeclOnly", "TreatScalarsAsConstants")


def attempt(call, *arguments, **flags):
    """The result, or that there is none. The reference writes an arrow before types that stubs lack."""
    try:
        made = call(*arguments, **flags)
        return made.replace(") -> :", "):") if isinstance(made, str) else made
    except (AssertionError, KeyError, RuntimeError, ValueError):
        return "unsupported"


def of_types(func):
    """The types of arguments and returns."""
    for item in (*func.arguments.flat_all, *func.returns):
        ty = item.type
        for flags in ({}, {"simple_type": True}, {"symint": False}):
            yield attempt(python.argument_type_str, ty, **flags)
        yield python.argument_type_size(ty)
        yield attempt(python.argument_type_str_pyi, ty), attempt(python.return_type_str_pyi, ty)
        for default in (None, "None", "0"):
            yield attempt(python.arg_parser_unpack_method, ty, default, None, symint=default is None)
        yield attempt(python.arg_parser_unpack_method, ty, "None", "init()")
        for symint in (False, True):
            yield attempt(lazy.process_ir_type, ty, CONSTANTS, symint=symint)
        yield lazy.isSymIntType(ty), lazy.isGeneratorType(ty), lazy.isWrappedScalarType(ty)
    yield from (python.argument(a) for a in func.arguments.flat_all)


def of_signatures(f, options):
    """The signatures in Python."""
    yield attempt(python.structseq_fieldnames, f.func.returns), python.has_tensor_options(f)
    yield attempt(python.dispatch_lambda_return_str, f), attempt(python.cpp_dispatch_target, f)
    for method in (False, True):
        s = attempt(python.signature, f, method=method)
        if isinstance(s, str):
            yield s
            continue
        yield s, s.arguments_count(), s.output_idx(), s.deprecated
        yield [a.name for a in s.arguments(skip_outputs=True, skip_tensor_options=True)]
        yield attempt(s.signature_str_pyi_vararg)
        yield attempt(python.returns_str_pyi, s), attempt(python.returns_structseq_pyi, s)
        for skip in (False, True):
            yield attempt(s.signature_str, skip_outputs=skip)
            yield attempt(s.signature_str, skip_outputs=skip, symint=False)
            yield attempt(s.signature_str_pyi, skip_outputs=skip)
        values = attempt(python.arg_parser_output_exprs, s, f)
        yield values if isinstance(values, str) else [(e.expr, e.is_none_expr, e.index) for e in values.values()]
        fields = {field: getattr(s, field) for field in ("name", "input_args", "input_kwargs", "output_args")}
        fields |= {field: getattr(s, field) for field in ("returns", "tensor_options_args", "method")}
        old = python.PythonSignatureDeprecated(**fields, deprecated_schema=f.func, deprecated_args_exprs=("1",))
        yield attempt(old.signature_str), attempt(old.signature_str_pyi), old.signature_str_pyi_vararg(), old.deprecated
        # An operator and its out variant share a signature with the options of the former. The
        # reference then finds no output of another name than `out`.
        merged = dataclasses.replace(s, tensor_options_args=options)
        for one in (s, old) if s.output_args and s.output_args.name != "out" else (s, old, merged):
            yield attempt(python.cpp_dispatch_exprs, f, python_signature=one)
            for symint in (True, False):
                yield attempt(python.dispatch_lambda_args, one, f, symint=symint)
                yield attempt(python.dispatch_lambda_exprs, one, f, symint=symint)


def of_node(func):
    """The schemas of nodes."""
    for properties, symint in ((None, True), (None, False), (CONSTANTS, True)):
        s = attempt(lazy.LazyIrSchema, func, properties, symint=symint)
        if isinstance(s, str):
            yield s
            continue
        yield s.node_name, s.aten_name, s.base_name, s.generator_arg, s.symint, s.opkind, str(s.name), s.returns
        for a in (*s.positional_args, *s.keyword_args):
            yield a.name, str(a.orig_type), a.lazy_type, a.symint, a.is_optional, a.is_generator
            yield a.is_wrapped_scalar, a.is_symint_or_list, a.is_lazy_value, lazy.isValueType(a.lazy_type)
        for name in ("positional_values", "positional_scalars", "keyword_values", "keyword_scalars"):
            yield [a.name for a in getattr(s, name)]
        for values, scalars, generator in ((True, True, False), (False, True, False), (False, False, True)):
            yield [a.name for a in s.filtered_args(values=values, scalars=scalars, generator=generator)]
        yield [getattr(s.properties, name) for group in lazy.LazyIrProperties.Properties for name in group]


def parts(bindings):
    """Parameters, without what they are for: the reference says that `mutated_view` is for `base`."""
    return bindings if isinstance(bindings, str) else [(b.name, b.nctype, b.default) for b in bindings]


def of_view(g):
    """The functions of a view."""
    func = g.view.func
    yield views.classname(func), views.classname(func, with_namespace=True), views.is_multi_output(func)
    for namespace in (False, True):
        yield views.reverse_name(g.view, namespace), views.name(g, is_reverse=True, include_namespace=namespace)
        for reapply in (None, False, True):
            yield attempt(views.name, g, is_reverse=False, include_namespace=namespace, reapply_views=reapply)
        yield parts(attempt(views.attributes, func, namespace)), parts(attempt(views.op_arguments, func, namespace))
    yield parts(views.base_ctor_arguments(func)), parts(attempt(views.extra_ctor_arguments, func))
    yield attempt(views.returns_type, func)
    signature = types.ViewInverseSignature(g)
    yield signature.name(), attempt(signature.decl)


def answers():
    """All answers."""
    functions = gen.parse_native_yaml(native_functions, tags).native_functions
    factory = next(f for f in functions if python.has_tensor_options(f))
    options = python.signature(factory).tensor_options_args
    for f in functions[:: int(distance)]:
        with context.native_function_manager(f):
            yield from of_types(f.func)
            yield from of_signatures(f, options)
            yield from of_node(f.func)
            yield unboxing.name(f)
            made = attempt(unboxing.convert_arguments, f)
            yield made if isinstance(made, str) else (made[0], [line.strip() for line in made[1]])
    for g in gen.get_grouped_by_view_native_functions(functions):
        if not isinstance(g, model.NativeFunction):
            with context.native_function_manager(g):
                yield from of_view(g)
    for name in ("base", "mutated_view", "has_symbolic_inputs", "out_index", "reapply_views", "inverse_return_mode"):
        yield parts([getattr(views, f"{name}_binding")])
    yield views.InverseReturnModeT, lazy.tensorListValueT, lazy.getValueT()


tell(map(repr, answers()), rest)
