"""Single entries and formulas of derivatives.yaml, nodes, and kernels that count versions and track
views. The arguments are a scratch directory and a directory of operators in PyTorch's layout.

`derivatives.py` compares all of PyTorch's with the reference.
"""

import collections
import dataclasses
import pathlib
import sys

from expect import equal, raises
from torchgen_rs import SchemaError, gen
from torchgen_rs.api import autograd, types
from torchgen_rs.autograd import gen_autograd_functions, gen_inplace_or_view_type, gen_variable_type, load_derivatives
from torchgen_rs.autograd.gen_autograd_functions import FUNCTION_DECLARATION, FUNCTION_DEFINITION, process_function
from torchgen_rs.code_template import CodeTemplate
from torchgen_rs.model import FunctionSchema
from torchgen_rs.packaged.autograd import gen_autograd_functions as packaged_nodes
from torchgen_rs.packaged.autograd import gen_inplace_or_view_type as packaged_kernels
from torchgen_rs.packaged.autograd import gen_variable_type as packaged_types
from torchgen_rs.packaged.autograd.load_derivatives import create_derivative, create_differentiability_info

scratch, source = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]) / "native"
functions = gen.parse_native_yaml(source / "native_functions.yaml", source / "tags.yaml").native_functions
shift = functions[[str(f.func.name) for f in functions].index("shift")]
RETURNS = "pair(Tensor a, Tensor b) -> (Tensor x, bool y, Tensor z)"
PLAIN = "pair(Tensor a, Tensor b) -> (Tensor x, Tensor y, Tensor z)"


def operator(text):
    # Python made it, so no file has it.
    return dataclasses.replace(shift, func=FunctionSchema.parse(text))


def created(text, dispatch, counts=(), known=None, **keys):
    """The derivatives of an entry, and what its call changes."""
    f = operator(text)
    entry, counter, used = {"name": text, "dispatch": dispatch, **keys}, collections.Counter(counts), {"Default"}
    by_signature, by_schema = {f.func.signature(): [f]}, {text: f} if known is None else known
    schema, infos = create_differentiability_info(entry, by_signature, by_schema, counter, used)
    equal((schema, list(infos), list(entry), used), (f.func, list(dispatch), ["dispatch"], {"Default", *dispatch}))
    return infos, counter


# The names of gradients that the formulas of an operator can use, those that they use, and how its
# node gets them.
GRADIENTS = [
    (RETURNS, {}, {"a": "grads[0]", "b": "grads[2]"}, ["grad_x", "grad_z"], set(), []),
    (RETURNS, {}, {"a": "grad_x", "b": "grad_z"}, ["grad_x", "grad_z"], {"grad_x", "grad_z"}, ["grad_x = grads[0]", "grad_z = grads[1]"]),
    (PLAIN, {"output_differentiability": [True, False, True]}, {"a, b": "both(grad_z)"}, ["grad_x", "grad_z"], {"grad_z"}, ["grad_z = grads[1]"]),
    (PLAIN, {"output_differentiability": []}, {"a": "grad_y", "b": "non_differentiable"}, ["grad_x", "grad_y", "grad_z"], {"grad_y"}, ["grad_y = grads[1]"]),
]


def gradients():
    for text, keys, formulas, available, used, lines in GRADIENTS:
        infos, _ = created(text, {"Default": formulas, "AutogradCUDA": formulas}, **keys)
        for info in infos.values():
            equal((info.available_named_gradients, info.used_named_gradients), (available, used))
            definition = process_function(info, FUNCTION_DEFINITION)
            equal([line for line in definition.split("\n") if "grad_" in line and "= grads[" in line], [f"  const auto& {line};" for line in lines])


def classes():
    infos, counts = created(PLAIN, {"Default": {"a": "grad_x"}, "AutogradCUDA": {"b": "grad_x"}}, ["PairBackward"])
    equal([info.op for info in infos.values()], ["PairBackward1", "PairBackwardAutogradCUDA0"])
    equal(counts, {"PairBackward": 2, "PairBackwardAutogradCUDA": 1})
    # One without gradients has no node, and is not counted.
    infos, counts = created(PLAIN, {"Default": {"a": "non_differentiable"}})
    equal((infos["Default"].op, infos["Default"].non_differentiable_arg_names, dict(counts)), (None, ["a"], {}))
    assert "has a gradient" in raises(ValueError, process_function, infos["Default"], FUNCTION_DEFINITION)
    equal(gen_autograd_functions.get_infos_with_derivatives_list({operator(PLAIN).func: infos}), [])


# Wrong entries, and parts of the message: the words of the reference, and the program's own.
WRONG = [
    ({"a": "grad_x", "b": "grads[1]"}, ['illegally mixes use of "grad_RETURN_NAME"', "use gradients both by name and not", "derivatives.yaml:1:"]),
    ({"a": "grad", "b": "grads[1]"}, ["illegally mixes use of 'grad' and 'grads'"]),
    ({"a": "grads[0]"}, ["solely refers to 'grads[0]'"]),
    ({"a": "grads[7]"}, ["numbered from 0"]),
    ({"a": "grad_w"}, ["`grad_w`"]),
    ({"c": "grad_x"}, ["`c` is neither an input nor an output"]),
    ({"a": "grad_x.sizes()"}, ["sym_sizes"]),
]


def wrong():
    for formulas, parts in WRONG:
        message = raises(SchemaError, created, PLAIN, {"Default": formulas})
        assert all(part in message for part in parts), message
    message = raises(RuntimeError, created, PLAIN, {"Default": {"a": "grad_x"}, "AutogradNew": {"a": "grad_x"}})
    assert message.startswith(f"Invalid dispatch key AutogradNew in derivatives.yaml for {PLAIN}\nerror[TG0609]"), message
    message = raises(RuntimeError, created, PLAIN, {"Default": {}}, known={"shift": shift})
    assert "there is no operator `pair`" in message and "native_functions.yaml" not in message, message
    # The operator has no place here.
    message = raises(SchemaError, created, "twice(Tensor self, int n) -> Tensor", {"Default": {"n": "grad"}})
    assert "`n` is of type `int`, which has no gradient" in message and message.count(":1:") == 1, message
    raises(KeyError, create_differentiability_info, {"dispatch": {}}, {}, {}, collections.Counter(), set())


# Formulas for `a` of an operator: the formula that nodes compute, and what they save of inputs and outputs.
FORMULAS = [
    ("both(grad_x, grad_y)", "both(grad_x, grad_y)", [], [], {"grad_x", "grad_y"}),
    ("both(grads[0], grads[1])", "both(grads[0], grads[1])", [], [], set()),
    ("grad_x * a.sym_size(-1) + b", "grad_x * a_sym_argsize_minus_1 + b", ["a_sym_argsize_minus_1", "b"], [], {"grad_x"}),
    ("unknown(z, a.sym_strides())", "unknown(z, a_sym_strides)", ["a_sym_strides"], ["z"], set()),
]


def formulas():
    f = operator(PLAIN)
    for text, formula, inputs, outputs, used in FORMULAS:
        made = create_derivative(f, formula=text, var_names=("a",), available_named_gradients=["grad_x", "grad_y"])
        saved = [[one.nctype.name for one in some] for some in (made.saved_inputs, made.saved_outputs)]
        equal((made.formula, made.original_formula, made.var_names, saved), (formula, text, ("a",), [inputs, outputs]))
        equal((made.named_gradients, type(made) is autograd.Derivative), (used, True))
    assert "numbered from 0" in raises(RuntimeError, create_derivative, f, "grads[3]", ("a",), [])
    assert "only in the formula for `a`" in raises(RuntimeError, create_derivative, f, "a.sym_strides()", ("b",), [])


def nodes():
    (info,) = created("twice(Tensor self, int n) -> Tensor", {"Default": {"self": "grad * n"}})[0].values()
    node = process_function(info, FUNCTION_DECLARATION)
    assert "struct TORCH_API TwiceBackward0 : public TraceableFunction {\n" in node and "\n  int64_t n = 0;\n" in node, node
    equal(process_function(info, gen_autograd_functions.PY_FUNCTION_DEFINITION), 'static PyTypeObject TwiceBackward0Class;\naddClass<TwiceBackward0>(module, TwiceBackward0Class, "TwiceBackward0", TwiceBackward0_properties);\n')
    getters = process_function(info, gen_autograd_functions.PY_FUNCTION_PROPS_AND_GETTERS)
    assert '{(char*)"_saved_n", (getter)THPTwiceBackward0_n_getter, nullptr, nullptr, nullptr},' in getters, getters
    raises(ValueError, process_function, info, CodeTemplate("${op}"))
    referring = types.NamedCType("n", types.ConstRefCType(types.BaseCType(types.longT)))
    saved = dataclasses.replace(info.all_saved_inputs[0], nctype=referring)
    message = raises(SchemaError, process_function, dataclasses.replace(info, all_saved_inputs=[saved]), FUNCTION_DEFINITION)
    assert "const int64_t &" in message, message
    return info


def kernels():
    texts = "write_(Tensor(a!) self) -> Tensor(a!)", "select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)", "twice(Tensor self) -> Tensor", "copy_(Tensor(a!) self) -> Tensor(a!)"
    write, view, plain, by_hand = (autograd.NativeFunctionWithDifferentiabilityInfo(operator(text), None, None) for text in texts)
    env = gen_inplace_or_view_type.gen_inplace_or_view_type_env(write)
    equal(env["ops_headers"], ["#include <ATen/ops/write_ops.h>"])
    [definition] = env["inplace_or_view_method_definitions"]
    assert definition.startswith("at::Tensor & write_(c10::DispatchKeySet ks, at::Tensor & self) {\n") and "\n  increment_version(self);\n" in definition, definition
    equal(env["inplace_or_view_wrapper_registrations"], ['m.impl("write_",\n       TORCH_FN(ADInplaceOrView::write_)\n);\n'])
    replay = gen_inplace_or_view_type.inplace_or_view_method_definition(view)
    assert "func = std::make_unique<" in replay and "increment_version" not in replay, replay
    equal(set(map(tuple, gen_inplace_or_view_type.gen_inplace_or_view_type_env(plain).values())), {()})
    equal((gen_inplace_or_view_type.inplace_or_view_method_definition(plain), gen_inplace_or_view_type.inplace_or_view_method_registration(plain)), (None, None))
    return write, view, plain, by_hand


def changed():
    """What a script adds to a table or puts in the place of a function changes kernels."""
    text = "pair(Tensor a, Tensor[] b, Tensor? c, int n) -> Tensor"
    (info,) = created(text, {"Default": {"a": "grad * n"}})[0].values()
    fn, unpack = autograd.NativeFunctionWithDifferentiabilityInfo(info.func, {"Default": info}, None), gen_inplace_or_view_type.unpack_args
    statements, bindings = unpack(info.func)
    equal(statements, ['auto& a_ = unpack(a, "a", 0);', 'auto b_ = unpack(b, "b", 1);'])
    equal([(one.name, one.argument.name) for one in bindings], [("a_", "a"), ("b_", "b"), ("c", "c"), ("n", "n")])
    equal([one.type for one in gen_inplace_or_view_type.extract_bindings(info.func)], ["const at::Tensor &", "at::TensorList", "const ::std::optional<at::Tensor> &", "int64_t"])
    equal([gen_inplace_or_view_type.is_tensor_list_type(one.argument.type) for one in bindings], [False, True, False, False])
    equal(gen_inplace_or_view_type.unpacked_name("a"), "a_")
    body = gen_variable_type.emit_body(fn)
    equal(body[:2], statements)
    table, refusal = gen_variable_type.GRADIENT_IMPLEMENTED_FOR_COMPLEX, 'throw_error_for_complex_autograd(result, "pair");'
    assert "t" in table and "pair" not in table
    equal(body.count(refusal), 1)
    try:
        table.add("pair")
        equal(gen_variable_type.emit_body(fn), [line for line in body if line != refusal])
        table.remove("pair")
        gen_inplace_or_view_type.unpack_args = lambda f: (["auto& a_ = a;"], bindings)
        equal(gen_variable_type.emit_body(fn), ["auto& a_ = a;", *body[2:]])
        gen_inplace_or_view_type.unpack_args = lambda f: ([], bindings[1:])
        assert "are a_, b_, c, n" in raises(ValueError, gen_variable_type.emit_body, fn)
    finally:
        gen_inplace_or_view_type.unpack_args = unpack
    equal(gen_variable_type.emit_body(fn), body)
    # A name that a script removes.
    (info,) = created("t(Tensor self) -> Tensor", {"Default": {"self": "grad"}})[0].values()
    fn = autograd.NativeFunctionWithDifferentiabilityInfo(info.func, {"Default": info}, None)
    refuses = lambda: any("complex" in line for line in gen_variable_type.emit_body(fn))
    before = refuses()
    table.discard("t")
    equal((before, refuses()), (False, True))
    table.add("t")


def files(info, operators):
    """A script may replace a function under either name, and those that write files call it."""
    assert packaged_nodes is gen_autograd_functions and packaged_kernels is gen_inplace_or_view_type
    assert packaged_types is gen_variable_type
    templates, out = scratch / "templates", scratch / "out"
    templates.mkdir()
    (templates / "Functions.h").write_text("// ${generated_comment}\n${autograd_function_declarations}\n")
    (templates / "Functions.cpp").write_text("// ${generated_comment}\n${autograd_function_definitions}\n")
    (templates / "ADInplaceOrViewType.cpp").write_text("$ops_headers\n${inplace_or_view_method_definitions}\n${inplace_or_view_wrapper_registrations}\n")
    (templates / "python_functions.h").write_text("// ${generated_comment}\n${shard_forward_declare}\n{\n  ${shard_call}\n}\n")
    (templates / "python_functions.cpp").write_text("// ${generated_comment}\n${py_function_props_and_getters}\nvoid f${shard_id}() {\n  ${py_function_initializers}\n}\n")
    before = packaged_nodes.process_function, packaged_kernels.gen_inplace_or_view_type_env
    try:
        packaged_nodes.process_function = lambda info, template: before[0](info, template).replace("twice", "double").replace("Twice", "Double")
        packaged_kernels.gen_inplace_or_view_type_env = lambda fn: {**before[1](fn), "ops_headers": []}
        gen_autograd_functions.gen_autograd_functions_lib(str(out), {info.func.func: {"Default": info}}, str(templates))
        gen_autograd_functions.gen_autograd_functions_python(str(out), {info.func.func: {"Default": info}}, str(templates))
        gen_inplace_or_view_type.gen_inplace_or_view_type(str(out), "", "", operators, str(templates))
    finally:
        packaged_nodes.process_function, packaged_kernels.gen_inplace_or_view_type_env = before
    for name in ("Functions.h", "Functions.cpp"):
        text = (out / name).read_text()
        assert text.startswith("// @generated from ") and f"templates/{name}\n" in text and "DoubleBackward0" in text and "Twice" not in text, text
    header = [line for line in (out / "python_functions.h").read_text().split("\n") if "@generated" not in line]
    names = [f"initialize_autogenerated_functions_{i}" for i in range(5)]
    equal(header, [*(f"void {name}(PyObject* module);" for name in names), "{", *(f"  {name}(module);" for name in names), "}", ""])
    shards = {shard: (out / f"python_functions{shard}.cpp").read_text() for shard in ("Everything", *(f"_{i}" for i in range(5)))}
    assert all(text.startswith("// @generated from ") and f"templates/python_functions.cpp\n\nvoid f{shard}() {{\n" in text for shard, text in shards.items() if "Double" not in text), shards
    with_node = [shard for shard, text in shards.items() if "THPDoubleBackward0_n_getter" in text and '"DoubleBackward0", ' in text]
    # The reference puts `twice` there.
    equal((with_node, any("Twice" in text for text in shards.values())), (["Everything", "_3"], False))
    shards = [(out / f"ADInplaceOrViewType_{i}.cpp").read_text() for i in range(2)]
    assert "increment_version(self);" in "".join(shards) and "#include" not in "".join(shards) and "copy_" not in "".join(shards), shards


for part in (gradients, classes, wrong, formulas, changed):
    part()
files(nodes(), kernels())
