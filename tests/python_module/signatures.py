"""What the C++ conventions say about the operators of a file, as a hash. It runs with the reference
too:

    python signatures.py torchgen_rs native_functions.yaml tags.yaml 20
    python signatures.py torchgen native_functions.yaml tags.yaml 20

The last number is the distance between the operators that are asked; 1 means all. With `--text`, it
prints what the hash is of.
"""

import importlib
import sys

from told import tell

package, native_functions, tags, distance, *rest = sys.argv[1:]


def load(name: str):
    return importlib.import_module(f"{package}.{name}")


model, gen, context, types = map(load, ("model", "gen", "context", "api.types"))
cpp, dispatcher, native, structured = (load(f"api.{name}") for name in ("cpp", "dispatcher", "native", "structured"))
translate, UnsatError = load("api.translate").translate, load("api.translate").UnsatError


def attempt(call, *arguments, **flags):
    """The result, or that there is none."""
    try:
        return call(*arguments, **flags)
    except (AssertionError, RuntimeError) as error:
        return "unsatisfied" if isinstance(error, UnsatError) else "unsupported"


def translated(bindings, goals, **flags):
    made = attempt(translate, bindings, goals, **flags)
    return made if isinstance(made, str) else [expr.expr for expr in made]


def of_arguments(func):
    """The types of arguments and returns."""
    for a in func.arguments.flat_all:
        yield attempt(cpp.valuetype_type, a.type, binds=a.name, symint=True)
        yield attempt(cpp.argument_type, a, binds=a.name)
        yield attempt(cpp.argumenttype_type, a.type, mutable=True, binds=a.name, symint=True)
        yield attempt(dispatcher.argument_type, a, binds="x", remove_non_owning_ref_types=True)
        yield attempt(native.argument_type, a, binds=a.name, symint=False)
        own = cpp.argument_type(a, binds=a.name)
        yield own.remove_const_ref(), own.cpp_type(), own.cpp_type(strip_ref=True), own.with_name("x")
        yield dispatcher.argument(a)
        if a.default is not None:
            yield cpp.default_expr(a.default, a.type, symint=True), cpp.default_expr(a.default, a.type, symint=False)
    yield cpp.returns_type(func.returns, symint=True), [cpp.return_type(ret) for ret in func.returns]
    for ret in func.returns:
        yield cpp.returntype_type(ret.type, mutable=ret.is_write)
    for a in func.arguments.all:
        for faithful in (False, True):
            flags = {"method": True, "faithful": faithful, "cpp_no_default_args": {"dim"}}
            has_options = func.arguments.tensor_options is not None
            yield cpp.argument(a, symint=faithful, has_tensor_options=has_options, **flags)
        yield native.argument(a, is_out=func.is_out_fn(), symint=False)
    yield cpp.arguments(func.arguments, faithful=False, method=True, cpp_no_default_args={"dim"})


def of_signatures(f):
    """All signatures, and translations between them."""
    signatures = []
    for method in (False, True):
        group = types.CppSignatureGroup.from_native_function(
            f, method=method, fallback_binding=f.manual_cpp_binding
        )
        for s in group.signatures():
            signatures.append((method, s))
            yield s.name(), s.decl(), s.defn(name="q"), s.ptr_type(), s.type(), list(s.arguments())
            yield s.decl(is_redispatching_fn=True, prefix="p", suppress_symint_suffix=True)
            yield s.defn(is_redispatching_fn=True, prefix="p")
        yield group.most_faithful_signature().decl(), len(list(group.signatures(symint=False)))
    by_dispatcher = [
        types.DispatcherSignature.from_schema(f.func, prefix="w_"),
        types.DispatcherSignature(f.func, symint=False),
    ]
    for s in by_dispatcher:
        yield s, s.name(), s.decl(), s.defn("z", is_redispatching_fn=True), s.ptr_type(), s.type(), s.exprs()
    kernels = [types.NativeSignature(f.func, symint=True), types.NativeSignature(f.func, symint=False, prefix="k")]
    for s in kernels:
        yield s, s.name(), s.decl(), s.defn("z"), s.ptr_type(), s.returns_type(), s.arguments()
    yield [expr.expr for expr in kernels[0].dispatcher_exprs()]
    signatures += [(False, s) for s in by_dispatcher + kernels]
    owning = [binding.nctype.remove_const_ref() for binding in by_dispatcher[0].arguments()]
    for method, source in signatures:
        for _, goal in signatures:
            yield translated(source.arguments(), goal.arguments(), method=method)
        yield translated(source.arguments(), owning, method=method, allow_expensive_conversions=True)


def answers():
    """All answers."""
    functions, indices = gen.parse_native_yaml(native_functions, tags)
    groups = gen.get_grouped_native_functions(functions)
    for f in functions[:: int(distance)]:
        func = f.func
        yield func.name, dispatcher.name(func), native.name(func), cpp.name(func)
        yield cpp.name(func, faithful_name_for_out_overloads=True, symint_overload=True)
        yield list(cpp.return_names(f)), list(cpp.return_names(f, fallback_name="r"))
        with context.native_function_manager(f):
            yield from of_arguments(func)
            yield from of_signatures(f)
            for index in indices.values():
                yield attempt(lambda: types.kernel_signature(f, index).decl())  # noqa: B023
    for g in [g for g in groups if isinstance(g, model.NativeFunctionsGroup) and g.structured][:: int(distance)]:
        with context.native_function_manager(g):
            yield types.StructuredImplSignature(g, "n").defn(), structured.impl_arguments(g)
            yield structured.meta_arguments(g), structured.out_arguments(g)
            yield [structured.argument_type(a, binds=a.name) for a in g.out.func.arguments.flat_all]
    known = {name: value for name, value in vars(types).items() if isinstance(value, types.BaseCppType)}
    yield from sorted(known.items())
    yield types.TENSOR_LIST_LIKE_CTYPES, types.ScalarTypeToCppMapping, types.BaseTypeToCppMapping


tell(map(repr, answers()), rest)
