"""Derivatives, and the conventions of Python, lazy backends, views and unboxing. The arguments are a
scratch directory and a directory of operators in PyTorch's layout."""

import copy
import dataclasses
import pathlib
import pickle
import sys

from expect import equal, raises
from torchgen_rs import SchemaError, gen
from torchgen_rs.api import autograd, cpp, functionalization, lazy, python, unboxing
from torchgen_rs.api.types import BaseCType, BaseCppType, OptionalCType, VectorCType, ViewInverseSignature, longT, scalarT
from torchgen_rs.autograd import load_derivatives
from torchgen_rs.model import DispatchKey, FunctionSchema, NativeFunctionsViewGroup, Return, Type
from torchgen_rs.packaged.autograd.load_derivatives import load_derivatives as packaged

source = pathlib.Path(sys.argv[2]) / "native"
files = source / "native_functions.yaml", source / "tags.yaml"
functions = gen.parse_native_yaml(*files).native_functions
by_name = {str(f.func.name): f for f in functions}
scratch = pathlib.Path(sys.argv[1])
yaml = scratch / "derivatives.yaml"
yaml.write_text(
    """\
- name: scale(Tensor self, Scalar factor) -> Tensor
  dispatch:
    Default:
      self: grad * factor
      result: self_t * factor
    AutogradCUDA:
      self: grad * factor * self.sym_size(0)
"""
)


def derivatives():
    equal(packaged, load_derivatives.load_derivatives)
    infos, keys = load_derivatives.load_derivatives(yaml, *files)
    equal(keys, {"Default", "AutogradCUDA"})
    (schema,) = infos
    equal((schema, list(infos[schema])), (by_name["scale"].func, ["Default", "AutogradCUDA"]))
    default, cuda = infos[schema].values()
    equal((default.op, cuda.op, default.func), ("ScaleBackward0", "ScaleBackwardAutogradCUDA0", by_name["scale"]))
    equal([saved.nctype.name for saved in cuda.all_saved_inputs], ["self_sym_argsize_0", "factor"])
    equal(cuda.derivatives[0].original_formula, "grad * factor * self.sym_size(0)")
    equal(pickle.loads(pickle.dumps(default)), default)
    equal(copy.deepcopy(infos), infos)
    plain, out, shift, *_ = autograd.match_differentiability_info(functions, infos)
    equal((plain.info is infos[schema], out.info is infos[schema], shift.info), (True, True, None))
    equal((plain.fw_derivatives["Default"], plain.fw_derivatives["AutogradCUDA"]), (default.forward_derivatives, []))
    equal((autograd.dispatch_strategy(plain), autograd.dispatch_strategy(shift)), ("use_derived", "use_derived"))
    equal([output.cpp_type for output in autograd.gen_differentiable_outputs(plain)], ["at::Tensor"])
    raises(KeyError, autograd.gen_differentiable_outputs, plain, "AutogradXLA")
    without = dataclasses.replace(default, output_differentiability=[True, False])
    wrong = dataclasses.replace(plain, info={"Default": without})
    assert "has 1 outputs" in raises(SchemaError, autograd.gen_differentiable_outputs, wrong)
    # What Python made counts, not what the file has.
    other = dataclasses.replace(default, func=by_name["shift"], op="Other")
    one = autograd.match_differentiability_info([by_name["shift"]], {by_name["shift"].func: {"Default": other}})[0]
    equal(one.info["Default"].op, "Other")
    raises(KeyError, autograd.match_differentiability_info, functions, {schema: {"CPU?": default}})
    raises(TypeError, autograd.match_differentiability_info, ["scale"], infos)
    yaml.write_text("- name: scale(Tensor self, Scalar factor) -> Tensor\n  self: grad * scales\n")
    text = raises(SchemaError, load_derivatives.load_derivatives, yaml, *files)
    assert "derivatives.yaml:2:" in text and "`scales`" in text, text
    assert "reads all entries" in raises(AttributeError, getattr, load_derivatives, "create_forward_derivative")
    assert "makes them" in raises(AttributeError, getattr, autograd, "gen_foreach_derivativeinfo")


def foreach():
    entries = [
        {"func": "twice(Tensor self) -> Tensor", "__line__": 1},
        {"func": "_foreach_twice(Tensor[] self) -> Tensor[]", "__line__": 2, "device_check": "NoCheck"},
        {"func": "_foreach_twice_(Tensor(a!)[] self) -> ()", "__line__": 3, "device_check": "NoCheck"},
    ]
    plain, listed, inplace = gen.parse_native_yaml_struct(entries, set(), skip_native_fns_gen=True).native_functions
    formula = autograd.Derivative("grad * 2", "grad * 2", ("self",), (), (), set())
    argument = first_parameter(plain)
    info = autograd.DifferentiabilityInfo(
        "twice", plain, "TwiceBackward0", [formula], [], [], [], [], set(), [argument], [], None, None
    )
    infos = {plain.func: {"Default": info}}
    _, made, reused = autograd.match_differentiability_info([plain, listed, inplace], infos)
    equal(made.info["Default"].derivatives[0].formula, "grads[i] * 2")
    equal((made.info["Default"].op, infos[listed.func] is made.info), ("ForeachTwiceBackward0", True))
    equal(reused.info, {"Default": info})
    assert reused.info is not infos[plain.func] and reused.info["Default"] is info


def first_parameter(f):
    return cpp.arguments(f.func.arguments, faithful=False, method=False, cpp_no_default_args=set())[0]


def signatures():
    f = by_name["fill_with"]
    signature = python.signature(f)
    equal(signature.signature_str(skip_outputs=True)[:44], "fill_with(IntArrayRef size, Scalar value, *,")
    equal([a.name for a in signature.tensor_options_args][-2:], ["pin_memory", "requires_grad"])
    pair = python.PythonSignatureNativeFunctionPair(signature, f)
    equal(python.PythonSignatureGroup.from_pairs(pair, None).outplace, None)
    out = python.PythonSignatureNativeFunctionPair(python.signature(by_name["scale.out"]), by_name["scale.out"])
    merged = python.PythonSignatureGroup.from_pairs(pair, out)
    equal((merged.signature.tensor_options_args, merged.outplace), (signature.tensor_options_args, out.function))
    equal(merged.signature.output_args.outputs[0].name, "out")
    tensor = python.PythonArgument("a", Type.parse("Tensor"), None, None)
    several = python.PythonOutArgument.from_outputs((tensor, tensor))
    equal((several.name, str(several.type), python.PythonOutArgument.from_outputs(())), ("out", "Tensor[2]", None))
    raises(RuntimeError, python.PythonOutArgument.from_outputs, (tensor, dataclasses.replace(tensor, type=Type.parse("int"))))
    equal(python.format_function_signature("f", ("self", "x: int"), "None"), "def f(self, x: int) -> None: ...")
    long = python.format_function_signature("f", [f"argument_{i}: int" for i in range(9)])
    equal(long.splitlines()[:2] + long.splitlines()[-1:], ["def f(", "    argument_0: int,", "): ..."])
    raises(ValueError, python.structseq_fieldnames, (Return.parse("Tensor a"), Return.parse("Tensor")))
    raises(SchemaError, python.argument_type_str, Type.parse("DimVector"))
    out = by_name["scale.out"]
    made = python.signature(out)
    equal(python.dispatch_lambda_args(made, out)[0], python.DispatchLambdaArgument("out", "at::Tensor", True))
    equal(python.dispatch_lambda_exprs(made, out), python.DispatchLambdaArgumentExprs(("_r.tensor(2)", "_r.tensor(0)", "_r.scalar(1)"), []))
    equal((python.dispatch_lambda_return_str(out), python.cpp_dispatch_target(out), python.cpp_dispatch_exprs(out)), ("at::Tensor", "at::scale_out", ("out", "self", "factor")))
    own = {field.name: getattr(made, field.name) for field in dataclasses.fields(made)}
    old = python.PythonSignatureDeprecated(**own, deprecated_schema=by_name["scale"].func, deprecated_args_exprs=("out", "self", "2"))
    equal([a.name for a in python.dispatch_lambda_args(old, out)], ["self", "factor"])
    equal((python.cpp_dispatch_exprs(out, python_signature=old), python.dispatch_lambda_exprs(old, out).exprs), (("out", "self", "2"), ("_r.tensor(0)", "_r.scalar(1)")))
    # Without options, an operator that makes tensors cannot be called.
    assert "tensor options" in raises(RuntimeError, python.dispatch_lambda_exprs, dataclasses.replace(signature, tensor_options_args=()), f)
    [options] = python.dispatch_lambda_exprs(signature, f).inits
    assert options.startswith("const auto options = TensorOptions()\n    .dtype(_r.scalartypeOptional(2))\n") and options.endswith("(options);\n"), options
    raises(AttributeError, getattr, python, "SUPPORTED_RETURN_TYPES")
    hints = python.signature(by_name["count"], method=True)
    equal(hints.signature_str_pyi_vararg(), "def count(self, *dims: _int) -> Tensor: ...")


def nodes():
    raises(NotImplementedError, lazy.getValueT)
    lazy.setValueT(BaseCppType("my", "Value"))
    schema = lazy.LazyIrSchema(FunctionSchema.parse("f.x(Tensor self, SymInt n, Generator? g, *, Scalar? s) -> Tensor"), symint=True)
    equal([a.is_lazy_value for a in schema.filtered_args()], [True, True, False, True])
    equal((schema.node_name, schema.properties.Lower, schema.properties.ShapeCache), ("FX", True, False))
    equal(schema.keyword_values[0].lazy_type, OptionalCType(BaseCType(BaseCppType("my", "Value"))))
    constant = lazy.LazyIrProperties("TreatScalarsAsConstants")
    equal(lazy.process_ir_type(Type.parse("Scalar"), constant, symint=False), BaseCType(scalarT))
    equal(lazy.process_ir_type(Type.parse("SymInt[]"), constant, symint=True), VectorCType(BaseCType(longT)))
    constant.ShapeCache = True
    constant.ShapeCompute = True
    equal((constant.ShapeCache, constant.ShapeCompute, copy.copy(constant).ShapeCompute), (False, True, True))
    raises(KeyError, setattr, constant, "Shape", True)
    raises(AttributeError, getattr, constant, "Shape")
    raises(SchemaError, lazy.process_ir_type, Type.parse("Storage"), constant, symint=False)
    two = FunctionSchema.parse("f(Tensor self, *, Generator a, Generator b) -> Tensor")
    raises(AssertionError, lazy.LazyIrSchema, two, symint=True)


def views():
    text = "part(Tensor(a) self, SymInt n) -> Tensor(a)"
    entries = [{"func": text, "__line__": 1}]
    view = gen.parse_native_yaml_struct(entries, set(), skip_native_fns_gen=True).native_functions[0]
    group = NativeFunctionsViewGroup(view, None, None)
    inverse = ViewInverseSignature(group)
    expected = "const at::Tensor & base, const at::Tensor & mutated_view, at::functionalization::InverseReturnMode inverse_return_mode, c10::SymInt n"
    equal(inverse.decl(), f"static at::Tensor part_inverse({expected});")
    equal(functionalization.classname(view.func, with_namespace=True), "at::functionalization::part_ViewMeta")
    raises(AssertionError, functionalization.name, group, is_reverse=False, include_namespace=True, reapply_views=True)
    raises(SchemaError, functionalization.returns_type, FunctionSchema.parse("f(Tensor self) -> int"))
    raises(SchemaError, functionalization.op_arguments, FunctionSchema.parse("f(int self) -> Tensor"), False)


def stack():
    bindings, lines = unboxing.convert_arguments(by_name["count"])
    equal([b.name for b in bindings], ["self_base", "dims_list_out"])
    equal(lines[0], "c10::IValue self = std::move(peek(stack, 0, 2));")
    equal(lines[3:5], ["at::Tensor self_base = self.to<at::Tensor>();", "std::vector<int64_t> dims_vec;"])
    equal(unboxing.name(by_name["scale.out"]), "scale_out")
    assert "`convert_arguments`" in raises(AttributeError, getattr, unboxing, "argumenttype_ivalue_convert")


derivatives()
foreach()
signatures()
nodes()
views()
stack()
