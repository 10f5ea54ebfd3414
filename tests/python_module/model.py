"""`torchgen_rs.model` and the functions of `torchgen_rs.gen` on small operators. The arguments are a
scratch directory and a directory with native_functions.yaml and tags.yaml in PyTorch's layout."""

import copy
import dataclasses
import itertools
import pathlib
import pickle
import sys
import threading
from concurrent.futures import ProcessPoolExecutor

from expect import equal, raises
import torchgen_rs
from torchgen_rs import SchemaError, TorchgenError, context, gen, local, model, utils
from torchgen_rs.autograd.load_derivatives import load_derivatives
from torchgen_rs.model import (
    Annotation,
    Argument,
    Arguments,
    BackendIndex,
    BackendMetadata,
    BaseOperatorName,
    BaseTy,
    BaseType,
    CustomClassType,
    DispatchKey,
    FunctionSchema,
    ListType,
    Location,
    NativeFunction,
    NativeFunctionsGroup,
    NativeFunctionsViewGroup,
    OperatorName,
    OptionalType,
    Precompute,
    Return,
    ScalarType,
    SchemaKind,
    SelfArgument,
    Type,
    UfuncInnerLoop,
    UfuncKey,
    Variant,
    ViewSchemaKind,
)

scratch, source = map(pathlib.Path, sys.argv[1:])
source /= "native"


def schemas():
    text = "add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)"
    schema = FunctionSchema.parse(text)
    equal(str(schema), text)
    # What is made of its parts is the same.
    tensor, write = BaseType(BaseTy.Tensor), Annotation(("a",), True, ())
    made = FunctionSchema(
        name=OperatorName(BaseOperatorName("add", True, False), "Tensor"),
        arguments=Arguments(
            pre_self_positional=(),
            self_arg=SelfArgument(Argument("self", tensor, None, write)),
            post_self_positional=(Argument("other", tensor, None, None),),
            pre_tensor_options_kwarg_only=(Argument("alpha", BaseType(BaseTy.Scalar), "1", None),),
            tensor_options=None,
            post_tensor_options_kwarg_only=(),
            out=(),
        ),
        returns=(Return(None, tensor, write),),
    )
    assert made == schema and hash(made) == hash(schema) and repr(made) == repr(schema) and str(made) == text
    equal(schema.kind(), SchemaKind.inplace)
    equal(str(schema.signature()), "add(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor")
    equal(str(made.signature(strip_default=True)), "add(Tensor self, Tensor other, *, Scalar alpha) -> Tensor")
    equal(schema.aliased_return_names(), ["self"])
    assert schema.is_mutable and schema.modifies_arguments and schema.returns_are_aliased()
    # A namespace is part of the name's text, and not of signatures.
    named = FunctionSchema.parse(f"my::{text}")
    equal((str(named), named.name.name.namespace, named.kind()), (f"my::{text}", "my", SchemaKind.inplace))
    equal((str(named.name), str(named.signature())), ("my::add_.Tensor", str(schema.signature())))
    equal(str(BaseOperatorName.parse("my::__iadd__")), "my::__iadd__")
    # An argument that is not the first or not a tensor.
    where = FunctionSchema.parse("where(Tensor condition, Tensor self, Tensor[2]? x=None) -> (Tensor a, int[] b)")
    equal([argument.name for argument in where.arguments.flat_positional], ["condition", "self", "x"])
    assert isinstance(where.arguments.positional[1], SelfArgument)
    equal(where.arguments.flat_all[2].type, OptionalType(ListType(tensor, 2)))
    equal(str(where), str(dataclasses.replace(where)))


def the_parts():
    equal(Type.parse("__torch__.torch.classes.a.B[]?"), OptionalType(ListType(CustomClassType("a.B"), None)))
    equal(Annotation.parse("a|b -> c"), Annotation(("a", "b"), False, ("c",)))
    equal(str(Argument.parse("Tensor(a! -> *)? x=None").annotation), "a! -> *")
    equal(Return.parse("Tensor(a) y"), Return("y", BaseType(BaseTy.Tensor), Annotation(("a",), False, ())))
    equal(str(Arguments.parse("int a, *, Tensor(a!) out")), "int a, *, Tensor(a!) out")
    equal(Arguments.parse(""), Arguments((), None, (), (), None, (), ()))
    equal(OperatorName.parse("__iand__.Scalar").unambiguous_name(), "__iand___Scalar")
    equal(str(OperatorName.parse("f_.x").remove_inplace()), "f.x")
    loop = UfuncInnerLoop.parse("add (Floating, Bool)", UfuncKey.Generic)
    equal((loop.name, [*loop.supported_dtypes]), ("add", [ScalarType.Float, ScalarType.Double, ScalarType.Bool]))
    lines = ["dim -> int dim, int size", "int more"]
    precompute = Precompute.parse(lines)
    equal((precompute.to_list(), precompute.add), (lines[:1], [Argument.parse("int more")]))
    options = FunctionSchema.parse(
        "zeros(*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"
    )
    equal([a.name for a in options.arguments.tensor_options.all()], ["dtype", "layout", "device", "pin_memory"])
    for ty, facts in {
        "Tensor?[]": (True, True, "Tensor?[]"),
        "SymInt[2]?": (False, True, "SymInt[2]"),
        "int": (False, False, "None"),
        "__torch__.torch.classes.a.B": (False, False, "None"),
    }.items():
        ty = Type.parse(ty)
        equal((ty.is_tensor_like(), ty.is_nullable(), str(ty.is_list_like())), facts)
    raises(NotImplementedError, Type().is_nullable)


def errors():
    error = raises(SchemaError, FunctionSchema.parse, "f(Tensr x) -> Tensor")
    equal(
        error,
        "error[TG0203]: unknown type `Tensr`\n"
        " --> schema:1:3\n"
        "  |\n"
        "1 | f(Tensr x) -> Tensor\n"
        "  |   ^^^^^\n"
        "  |\n"
        "  = help: did you mean `Tensor`?",
    )
    for kind in (AssertionError, RuntimeError, TorchgenError):
        raises(kind, FunctionSchema.parse, "f(Tensr x) -> Tensor")
    # The caret is in the text that was given, though it was parsed as part of another.
    error = raises(SchemaError, Annotation.parse, "a!!")
    assert error.endswith("1 | a!!\n  |   ^"), error
    error = raises(SchemaError, Arguments.parse, "int a, b")
    assert "1 | int a, b\n  |        ^" in error, error
    for call, text in (
        (Argument.parse, "x"),
        (Argument.parse, "int x y"),
        (Return.parse, "Tensor x y"),
        (Type.parse, "Tensor(a)"),
        (Type.parse, "int["),
        (OperatorName.parse, "f_out"),
        (BaseOperatorName.parse, "f.x"),
        (FunctionSchema.parse, ""),
        (FunctionSchema.parse, "f() -> Tensor(a!)"),
    ):
        raises(SchemaError, call, text)
    raises(SchemaError, UfuncInnerLoop.parse, "add Bool", UfuncKey.Generic)
    raises(SchemaError, Precompute.parse, ["a -> b"])
    schema = FunctionSchema.parse("f_(Tensor(a!) self) -> Tensor(a!)")
    text = raises(AssertionError, dataclasses.replace, schema, returns=())
    assert text.endswith("  in f_(Tensor(a!) self) -> ()"), text
    several = FunctionSchema.parse("f(Tensor(a) x, Tensor(a) y) -> Tensor(a)")
    raises(AssertionError, several.aliased_return_names)
    raises(TypeError, schema.arguments.with_out_args([1]).__str__)
    for kind in (DispatchKey, ScalarType, UfuncKey):
        raises(AssertionError, kind.parse, "nothing")
    equal(
        raises(AttributeError, getattr, model, "parse_returns"),
        "module 'torchgen_rs.model' has no attribute 'parse_returns': use `FunctionSchema.parse`, or "
        "`Return.parse` for each",
    )
    equal(raises(AttributeError, getattr, gen, "nothing"), "module 'torchgen_rs.gen' has no attribute 'nothing'")
    equal(raises(AttributeError, getattr, schema, "nothing"), "'FunctionSchema' object has no attribute 'nothing'")


def objects():
    f, kernels = entry("f(Tensor self) -> Tensor", dispatch={"CPU, CUDA": "f_device", "__line__": 3})
    equal((str(f.loc), f.namespace, f.variants), ("native_functions.yaml:7", "aten", {Variant.function}))
    metadata = BackendMetadata("f_device", False, "at::native")
    equal(kernels, {key: {f.func.name: metadata} for key in (DispatchKey.CPU, DispatchKey.CUDA)})
    # All are frozen data classes.
    for thing in (f, f.func, f.func.name, f.func.arguments, f.loc, metadata):
        raises(dataclasses.FrozenInstanceError, setattr, thing, dataclasses.fields(thing)[0].name, None)
    raises(TypeError, hash, f)
    for again in (copy.copy(f), copy.deepcopy(f), pickle.loads(pickle.dumps(f)), dataclasses.replace(f)):
        assert again == f and again is not f and repr(again) == repr(f)
        equal((again.func.kind(), str(again.func), again.is_view_op), (SchemaKind.functional, str(f.func), False))
    # The same before a field was asked for.
    fresh = lambda: entry("g(Tensor(a) self) -> Tensor(a)")[0]  # noqa: E731
    for again in (copy.copy(fresh()), copy.deepcopy(fresh()), pickle.loads(pickle.dumps(fresh()))):
        equal((again, again.is_view_op), (fresh(), True))
    # What Python changes of it counts.
    tagged = dataclasses.replace(f, tags={"inplace_view"})
    assert tagged.is_view_op and not f.is_view_op
    f.tags.add("inplace_view")
    assert f.is_view_op
    match fresh():
        case NativeFunction(namespace, FunctionSchema(OperatorName(BaseOperatorName(base), ""))):
            equal((namespace, base), ("aten", "g"))
        case other:
            raise AssertionError(other)

    class Mine(NativeFunction):
        """A class of a consumer."""

        @property
        def twice(self):
            return self.root_name * 2

    mine = Mine(**{field.name: getattr(f, field.name) for field in dataclasses.fields(f)})
    assert isinstance(mine, NativeFunction) and mine != f and mine.is_view_op
    equal(mine.twice, "ff")
    equal(dataclasses.asdict(f.func.name), {"name": dataclasses.asdict(f.func.name.name), "overload_name": ""})


def entry(func, ignore_keys=None, **keys):
    loc = Location("native_functions.yaml", 7)
    valid_tags = {"inplace_view", "out", "inplace", "core"}
    return NativeFunction.from_yaml({"func": func, **keys}, loc, valid_tags, ignore_keys)


def entries():
    f, kernels = entry(
        "my::f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
        structured=True,
        structured_inherits="TensorIteratorBase",
        ufunc_inner_loop={"Generic": "f (All)", "__line__": 8},
        cpp_no_default_args=[],
        tags="core",
    )
    equal((f.namespace, f.structured, f.tags), ("my", True, {"core", "out"}))
    equal([(str(key), loop.name) for key, loop in f.ufunc_inner_loop.items()], [("Generic", "f")])
    assert all(one.structured for of_key in kernels.values() for one in of_key.values())
    f, kernels = entry("f(Tensor self) -> Tensor", dispatch={"CPU": "f", "Meta": "g"}, ignore_keys={DispatchKey.Meta})
    equal([*kernels], [DispatchKey.CPU])
    # The place of an error is that of the entry.
    error = raises(SchemaError, entry, "f(Tensor self) -> Tensor", variants="functoin")
    assert "--> native_functions.yaml:7:" in error and '"variants": "functoin"' in error, error
    error = raises(SchemaError, entry, "f(Tensor self) -> Tensor", tags_="x")
    assert "`tags_`" in error, error
    raises(TypeError, entry, {1, 2})


def keys():
    """Keys that a script adds to the tables have kernels, and structured ones."""
    npu, text = DispatchKey.PrivateUse1, "f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"
    written = {"structured": True, "dispatch": {"PrivateUse1": "f"}}
    delegates = {"structured_delegate": "f.out", "dispatch": {"PrivateUse1": "f"}}
    assert "no kernels are generated" in raises(SchemaError, entry, text, **written)
    before = model.dispatch_keys, model.STRUCTURED_DISPATCH_KEYS
    try:
        # In a table, or in place of one.
        model.dispatch_keys.append(npu)
        equal([kernels[npu][f.func.name].structured for f, kernels in [entry(text, **written)]], [False])
        entry("f(Tensor self) -> Tensor", **delegates)
        model.STRUCTURED_DISPATCH_KEYS = before[1] | {npu}
        assert model.is_structured_dispatch_key(npu)
        equal([kernels[npu][f.func.name].structured for f, kernels in [entry(text, **written)]], [True])
        assert "comes from the structured delegate" in raises(SchemaError, entry, "f(Tensor self) -> Tensor", **delegates)
        native = scratch / "keys.yaml"
        native.write_text(f"- func: {text}\n  structured: True\n  dispatch: {{PrivateUse1: f, Lazy: g}}\n")
        read = gen.parse_native_yaml, native, source / "tags.yaml"
        assert "`Lazy`" in raises(SchemaError, *read, skip_native_fns_gen=True)
        parsed = read[0](*read[1:], {DispatchKey.Lazy}, skip_native_fns_gen=True)
        equal([kernel.structured for kernel in parsed.backend_indices[npu].index.values()], [True])
        # Beside derivatives too.
        (scratch / "none.yaml").write_text("[]\n")
        native.write_text("- func: f(Tensor self) -> Tensor\n  dispatch: {PrivateUse1: f}\n")
        equal(load_derivatives(scratch / "none.yaml", native, source / "tags.yaml"), ({}, set()))
        loaded = [{"func": text, "structured": True, "dispatch": {"PrivateUse1": "f"}}]
        equal(list(gen.parse_native_yaml_struct(loaded, set(), skip_native_fns_gen=True).backend_indices), [npu])
    finally:
        before[0].remove(npu)
        model.dispatch_keys, model.STRUCTURED_DISPATCH_KEYS = before
    raises(SchemaError, entry, text, **written)


def files():
    parsed = gen.parse_native_yaml(source / "native_functions.yaml", source / "tags.yaml")
    functions, indices = parsed
    assert functions is parsed.native_functions and indices is parsed.backend_indices
    equal(gen.parse_tags_yaml(str(source / "tags.yaml")) >= {"core"}, True)
    texts = [str(f.func) for f in functions]
    assert all(str(f.loc).startswith(str(source)) for f in functions)
    generated = [f for f in functions if "generated" in f.tags]
    written = gen.parse_native_yaml(source / "native_functions.yaml", source / "tags.yaml", skip_native_fns_gen=True)
    assert generated and len(written.native_functions) == len(functions) - len(generated)
    groups = gen.get_grouped_native_functions(functions)
    members = [f for g in groups for f in (g.functions() if isinstance(g, NativeFunctionsGroup) else [g])]
    # The members are the operators of the list, each once.
    equal(sorted(map(id, members)), sorted(map(id, functions)))
    views = gen.get_grouped_by_view_native_functions(functions)
    members = [f for g in views for f in (g.functions() if isinstance(g, NativeFunctionsViewGroup) else [g])]
    equal(sorted(map(id, members)), sorted(map(id, functions)))
    # The same groups from copies, in another order, and from operators that were asked.
    again = [dataclasses.replace(f) for f in functions]
    equal(gen.get_grouped_native_functions(again), groups)
    equal(gen.get_grouped_by_view_native_functions(pickle.loads(pickle.dumps(functions))), views)
    names = lambda groups: {str(getattr(g, "functional", g).func.name) for g in groups}  # noqa: E731
    equal(names(gen.get_grouped_native_functions(functions[::-1])), names(groups))
    # Kernels by key; a key without kernels has an empty index.
    for key, index in indices.items():
        equal((index.dispatch_key, index.external, index.use_out_as_primary), (key, False, True))
        for name, metadata in index.index.items():
            f = next(f for f in functions if f.func.name == name)
            assert index.get_kernel(f) is metadata and index.has_kernel(f)
    equal(indices[DispatchKey.VE].dispatch_key, DispatchKey.Undefined)
    group = next(g for g in groups if isinstance(g, NativeFunctionsGroup))
    own = BackendIndex(DispatchKey.XLA, False, False, True, {group.functional.func.name: metadata})
    assert own.primary(group) is group.functional and own.has_kernel(group) and not own.has_kernel(group.out)
    equal(own.native_function_class_name(), "XLANativeFunctions")
    assert model.gets_generated_out_inplace_wrapper(group.out, group, own)
    into = {DispatchKey.XLA: {}}
    BackendIndex.grow_index(into, {DispatchKey.XLA: own.index})
    equal(into, {DispatchKey.XLA: own.index})
    raises(AssertionError, BackendIndex.grow_index, into, into)
    # An operator that is removed, or changed, is missing.
    rest = [f for f in functions if f is not group.out]
    assert "generated" in group.out.tags or group.functional in gen.get_grouped_native_functions(rest)
    gen.error_check_native_functions(functions)
    twice = [*functions, functions[0]]
    for call in (gen.get_grouped_native_functions, gen.get_grouped_by_view_native_functions):
        text = raises(SchemaError, call, twice)
        assert text.startswith("error[TG0408]: `scale` and `scale` are "), text
    # Data that another parser read.
    import json

    data = [{"func": str(f.func), "__line__": 10 + i} for i, f in enumerate(functions[:0])]
    equal(gen.parse_native_yaml_struct(data, set()), ([], {}))
    data = [{"func": "f(Tensor self) -> Tensor", "__line__": 3}, {"func": "g(Tensor self) -> Tensr", "__line__": 9}]
    error = raises(SchemaError, gen.parse_native_yaml_struct, data, {"core"}, path="their.yaml")
    assert "--> their.yaml:9:" in error, error
    made = gen.parse_native_yaml_struct(json.loads(json.dumps(data[:1])), {"core"}, path="their.yaml")
    equal(str(made.native_functions[0].loc), "their.yaml:3")
    raises(AssertionError, gen.parse_native_yaml_struct, {}, set())
    equal(gen.parse_tags_yaml_struct([{"tag": "core", "desc": "text", "__line__": 1}]), {"core"})
    raises(SchemaError, gen.parse_tags_yaml_struct, [{"tag": "core", "__line__": 1}])
    # A file with errors, and one that does not exist.
    wrong = scratch / "native_functions.yaml"
    wrong.write_text("- func: f(Tensr self) -> Tensor\n- func: g(Tensor self) -> Tensr\n")
    try:
        gen.parse_native_yaml(wrong, source / "tags.yaml")
    except SchemaError as error:
        equal([(found.code, found.span.line) for found in error.diagnostics], [("TG0203", 1), ("TG0203", 2)])
        equal(error.status, 1)
        equal(str(error).count("error"), 2)
    else:
        raise AssertionError("it was accepted")
    raises(SchemaError, gen.parse_native_yaml, scratch / "missing.yaml", source / "tags.yaml")
    equal([str(f.func) for f in functions], texts)


def groups():
    make = lambda func, **keys: entry(func, **keys)[0]  # noqa: E731
    functional = make("f(Tensor self) -> Tensor")
    out = make("f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)")
    inplace = make("f_(Tensor(a!) self) -> Tensor(a!)")
    group = NativeFunctionsGroup(functional=functional, inplace=inplace, mutable=None, out=out)
    equal([f.func.kind().name for f in group.functions()], ["functional", "out", "inplace"])
    equal((group.structured, group.root_name, str(group.signature())), (False, "f", "f(Tensor self) -> Tensor"))
    by_kind = {f.func.kind(): f for f in group.functions()}
    equal(NativeFunctionsGroup.from_dict(by_kind), group)
    equal(NativeFunctionsGroup.from_dict({SchemaKind.out: out}), None)
    equal(NativeFunctionsGroup.from_dict({SchemaKind.functional: functional, SchemaKind.inplace: inplace}), None)
    raises(AssertionError, NativeFunctionsGroup.from_dict, {})
    raises(AssertionError, NativeFunctionsGroup.from_dict, {SchemaKind.inplace: inplace, SchemaKind.out: out})
    other = make("g(Tensor self) -> Tensor")
    text = raises(AssertionError, NativeFunctionsGroup, other, inplace, None, out)
    equal(text.split("\n")[0], "error[TG0413]: `f` has no functional variant")
    assert "-->" not in text, text
    text = raises(AssertionError, NativeFunctionsGroup, functional, out, None, inplace)
    equal(text, "these are not the variants of one operator, each in its place: `f`, `f_`, `f.out`")
    view = make("v(Tensor(a) self) -> Tensor(a)")
    text = raises(SchemaError, NativeFunctionsViewGroup, dataclasses.replace(
        view, has_composite_implicit_autograd_kernel=False), None, None)
    assert "`v` has no copy variant" in text, text
    equal(NativeFunctionsViewGroup(view, None, None).composite, True)
    equal((view.view_schema_kind, functional.view_schema_kind), (ViewSchemaKind.aliasing, ViewSchemaKind.non_aliasing))
    untagged = make("v_(Tensor(a!) self, Tensor(b -> *) x) -> Tensor(a!)")
    equal(raises(AssertionError, getattr, untagged, "view_schema_kind"), "`v_` lacks the tag `inplace_view`")
    explicit = dataclasses.replace(view, has_composite_implicit_autograd_kernel=False)
    equal((model.gets_generated_view_copy(view), model.gets_generated_view_copy(explicit)), (False, True))
    equal(str(model.get_view_copy_name(explicit)), "v_copy")
    raises(AssertionError, model.get_view_copy_name, view)


def the_context():
    f = entry("f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", structured=True)[0]
    raises(AssertionError, local.use_ilistref_for_tensor_lists)

    @context.with_native_function
    def toggles(f):
        return local.use_const_ref_for_mutable_tensors(), local.use_ilistref_for_tensor_lists()

    @context.with_native_function_and_index
    def failing(f, index):
        raise ValueError(f"not {index}")

    equal(toggles(f), (False, True))
    equal(
        raises(ValueError, failing, f, 3),
        "not 3\n  in native_functions.yaml line native_functions.yaml:7:\n"
        "    f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    )

    class Maker:
        @context.method_with_native_function
        def call(self, f):
            return local.use_ilistref_for_tensor_lists()

    equal(Maker().call(f), True)
    raises(AssertionError, local.use_ilistref_for_tensor_lists)


def helpers():
    equal([*utils.mapMaybe(lambda x: x or None, [0, 1, 2])], [1, 2])
    equal([*utils.concatMap(lambda x: [x, x], [1, 2])], [1, 1, 2, 2])
    name = utils.NamespaceHelper.from_namespaced_entity("a::b::c")
    equal((name.entity_name, name.get_cpp_namespace()), ("c", "a::b"))
    equal((name.prologue, name.epilogue), ("namespace a {\nnamespace b {", "} // namespace b\n} // namespace a"))
    equal(utils.split_name_params("f.x(int a, Tensor b)"), ("f", ["int a", "Tensor b"]))
    raises(RuntimeError, utils.split_name_params, "f.x")
    raises(AssertionError, utils.NamespaceHelper.from_namespaced_entity, "a::b::c", max_level=1)
    equal(utils.NamespaceHelper.from_namespaced_entity("c").get_cpp_namespace("at"), "at")
    some = utils.OrderedSet([2, 1])
    some |= utils.OrderedSet([3, 2])
    equal(([*some], some, 3 in some, len(some)), ([2, 1, 3], {1, 2, 3}, True, 3))
    raises(AssertionError, utils.assert_never, 1)
    equal(gen.cpp_string('a"\\\n'), '"a\\"\\\\\\n"')


def kind_of(schema):
    return schema.kind()


def processes_and_threads():
    path = source / "native_functions.yaml"
    functions, _ = gen.parse_native_yaml(path, source / "tags.yaml")
    schemas = [f.func for f in functions]
    with ProcessPoolExecutor(1) as pool:
        equal([*pool.map(kind_of, schemas)], [schema.kind() for schema in schemas])
    fresh, _ = gen.parse_native_yaml(path, source / "tags.yaml")
    found = [[] for _ in range(4)]
    ask = lambda into: into.extend(repr(f.func) for f in fresh)  # noqa: E731
    threads = [threading.Thread(target=ask, args=[into]) for into in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one, two in itertools.pairwise(found):
        equal(one, two)


def main():
    assert "yaml" not in sys.modules
    for test in (
        schemas, the_parts, errors, objects, entries, keys, files, groups, the_context, helpers, processes_and_threads,
    ):
        test()
    assert "yaml" not in sys.modules and torchgen_rs.SchemaError is SchemaError


if __name__ == "__main__":
    main()
