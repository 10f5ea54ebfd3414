//! What the templates of static runtime's operators render.
//!
//! Invariant: single names, types and expressions. Rule: torchgen/static_runtime/generator.py.

use serde::Serialize;

use super::Member;
use super::table::{Table, TestSize};
use torchgen_api::cpp;
use torchgen_model::model::schema::ArgumentRef;
use torchgen_model::model::{Argument, BackendIndex, BaseTy, FunctionSchema, NativeFunction, Type};

/// A file: operators with out variants, then views.
#[derive(Serialize)]
pub(super) struct File<Item> {
    pub(super) outs: Vec<Item>,
    pub(super) views: Vec<Item>,
}

/// An operator with its overloads.
#[derive(Serialize)]
pub(super) struct Operator<'a> {
    pub(super) name: &'a str,
    pub(super) variants: Vec<Variant<'a>>,
}

/// An overload.
#[derive(Serialize)]
pub(super) struct Variant<'a> {
    schema: String,
    inputs: Vec<Input<'a>>,
    call: Call<'a>,
    /// Views have none.
    out: Option<Out<'a>>,
}

/// An argument that is taken from a node.
#[derive(Serialize)]
struct Input<'a> {
    name: &'a str,
    reference: bool,
    conversion: &'static str,
}

/// A call of a kernel.
#[derive(Serialize)]
struct Call<'a> {
    namespace: &'static str,
    kernel: String,
    arguments: Vec<&'a str>,
}

#[derive(Serialize)]
struct Out<'a> {
    name: &'a str,
    call: Call<'a>,
}

/// The test of an overload.
#[derive(Serialize)]
pub(super) struct Test<'a> {
    /// The name of the overload, as a word.
    name: String,
    operator: &'a str,
    arguments: Vec<TestArgument<'a>>,
    small: Vec<Value<'a>>,
    large: Vec<Value<'a>>,
    resizes: bool,
}

#[derive(Serialize)]
struct TestArgument<'a> {
    name: &'a str,
    /// Its type in the interpreter's language.
    ty: &'static str,
    optional: bool,
}

/// The definition of a variable for a test.
#[derive(Serialize)]
struct Value<'a> {
    name: &'a str,
    /// As the table has it.
    written: Option<&'a str>,
    kind: &'static str,
    /// The sizes of a tensor, where the table has them.
    shape: Option<&'a str>,
    sizes: Vec<u32>,
}

/// How a value is taken from the interpreter: whether by reference, the method, and the one for an
/// optional value.
fn conversions(base: BaseTy) -> Option<(bool, &'static str, &'static str)> {
    Some(match base {
        BaseTy::Tensor => (true, "toTensor()", "toOptional<at::Tensor>()"),
        BaseTy::Int => (false, "toInt()", "toOptional<int64_t>()"),
        BaseTy::Bool => (false, "toBool()", "toOptional<bool>()"),
        BaseTy::Scalar => (false, "toScalar()", "toOptional<at::Scalar>()"),
        BaseTy::ScalarType => (false, "toScalarType()", "toOptional<at::ScalarType>()"),
        BaseTy::Str => (false, "toStringView()", "toOptional<c10::string_view>()"),
        _ => return None,
    })
}

/// The type without `?`, and whether it has one. `None` for other types than basic ones.
fn basic(ty: &Type) -> Option<(BaseTy, bool)> {
    match ty {
        Type::Base(base) => Some((*base, false)),
        Type::Optional(elem) => match **elem {
            Type::Base(base) => Some((base, true)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether all arguments can be taken from the interpreter.
pub(super) fn converts(func: &FunctionSchema) -> bool {
    func.arguments.flat_all().all(|a| basic(&a.ty).is_some_and(|(base, _)| conversions(base).is_some()))
}

impl<'a> Variant<'a> {
    /// The overload that a member of an operator calls.
    pub(super) fn from_member(member: &Member<'a>, cpu: &BackendIndex) -> Variant<'a> {
        let f = member.called();
        let inputs = f.func.arguments.flat_all().filter_map(|a| {
            let (base, optional) = basic(&a.ty)?;
            let (reference, plain, if_optional) = conversions(base)?;
            let conversion = if optional { if_optional } else { plain };
            Some(Input { name: &a.name, reference: reference && !optional, conversion })
        });
        let inputs: Vec<Input> = inputs.collect();
        let arguments = || f.func.arguments.flat_all().map(|a| a.name.as_str()).collect();
        let schema = f.func.to_string();
        let (group, structured) = match member {
            Member::View(_) => {
                let kernel = cpu.get_kernel(f).map_or_else(|| cpp::name(&f.func), |kernel| kernel.kernel.clone());
                let call = Call { namespace: "native", kernel, arguments: arguments() };
                return Variant { schema, inputs, call, out: None };
            }
            Member::Out(group) => (group, group.structured()),
        };
        let namespace = if structured { "cpu" } else { "native" };
        let kernel = |f: &NativeFunction| match cpu.get_kernel(f) {
            Some(kernel) if !structured => kernel.kernel.clone(),
            _ => cpp::name(&f.func),
        };
        let outs = || group.out.func.arguments.out.iter().map(|a: &Argument| a.name.as_str());
        let others = group.out.func.arguments.non_out();
        let others = others.into_iter().filter_map(ArgumentRef::argument).map(|a| a.name.as_str());
        let passed =
            if structured { outs().chain(others).collect() } else { others.chain(outs().take(1)).collect::<Vec<_>>() };
        let out = Out {
            name: outs().next().unwrap_or_default(),
            call: Call { namespace, kernel: kernel(group.out), arguments: passed },
        };
        Variant { schema, inputs, call: Call { namespace, kernel: kernel(f), arguments: arguments() }, out: Some(out) }
    }
}

impl<'a> Test<'a> {
    /// The test of a member of an operator.
    pub(super) fn from_member(member: &Member<'a>, table: &'a Table) -> Test<'a> {
        let func = &member.called().func;
        let full = func.name.to_string();
        let arguments = func.arguments.flat_all().filter_map(|a| {
            let (base, optional) = basic(&a.ty)?;
            let ty = match base {
                BaseTy::Tensor => "Tensor",
                BaseTy::Str => "str",
                BaseTy::Bool => "bool",
                _ => "int",
            };
            Some(TestArgument { name: &a.name, ty, optional })
        });
        Test {
            operator: member.base(),
            arguments: arguments.collect(),
            small: values(func, TestSize::Small, table),
            large: if matches!(member, Member::Out(_)) { values(func, TestSize::Large, table) } else { Vec::new() },
            resizes: !table.no_resize.contains(&full),
            name: full.replace('.', "_"),
        }
    }
}

/// The definitions of the arguments of a call in a test.
fn values<'a>(func: &'a FunctionSchema, size: TestSize, table: &'a Table) -> Vec<Value<'a>> {
    let operator = func.name.name.base.as_str();
    let written = table.values.get(operator);
    let dimensions = table.dimensions.get(operator).copied().unwrap_or(3);
    // How many elements the dimensions of a tensor add up to, about.
    let elements: u32 = match size {
        TestSize::Small => 16,
        TestSize::Large => 64,
    };
    let extent = elements.div_ceil(dimensions);
    // An even number.
    let extent = extent + extent % 2;
    let value = |name, written, ty: Option<&Type>| {
        let kind = match ty.and_then(basic).map(|(base, _)| base) {
            Some(BaseTy::Tensor) if table.int_tensors.contains(operator) => "int_tensor",
            Some(BaseTy::Tensor) if table.complex_tensors.contains(operator) => "complex_tensor",
            Some(BaseTy::Tensor) => "tensor",
            Some(BaseTy::Int) => "int",
            Some(BaseTy::Bool) => "bool",
            Some(BaseTy::Scalar) => "scalar",
            Some(BaseTy::ScalarType) => "dtype",
            _ => "str",
        };
        let shape = table.shapes.get(operator).map(String::as_str);
        let sizes = std::iter::repeat_n(extent, usize::try_from(dimensions).unwrap_or(1)).collect();
        Value { name, written, kind, shape, sizes }
    };
    let arguments = || func.arguments.flat_all();
    let own = arguments().map(|a| {
        let always = written.and_then(|values| values.in_test(size).get(&a.name)).map(String::as_str);
        value(&a.name, always.or_else(|| written?.of_present(&a.name)), Some(&a.ty))
    });
    // The table may have values for arguments of other overloads.
    let others = written.into_iter().flat_map(|values| values.in_test(size));
    let others = others.filter(|(name, _)| arguments().all(|a| a.name != **name));
    own.chain(others.map(|(name, written)| value(name, Some(written), None))).collect()
}
