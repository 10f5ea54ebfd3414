//! The kernels of a library in C++, which read and write elements. They are the same for both ABIs
//! but for types; `tests/gradients/kernels.h` has what they call.

use super::Abi;
use super::model::{Argument, Form, Function, Kind, Library, Operator, Out, Output};

/// The source with all kernels of a library.
pub(super) fn source(library: &Library, abi: Abi) -> String {
    let operators: String = library.operators.iter().map(|o| kernels(o, abi)).collect();
    let namespace = abi.namespace();
    format!(
        "#include <{namespace}/NativeFunctions.h>\n\n#include \"kernels.h\"\n\nnamespace {namespace}::native {{\n\n\
         using namespace elementwise;\n\n{operators}}} // namespace {namespace}::native\n"
    )
}

/// The C++ type of a parameter.
fn parameter(a: &Argument, abi: Abi) -> &'static str {
    let [cpp, stable] = match a.kind {
        Kind::Tensor | Kind::Row => ["const at::Tensor&", "const Tensor&"],
        Kind::MaybeTensor => ["const std::optional<at::Tensor>&", "const std::optional<Tensor>&"],
        Kind::Tensors => ["at::TensorList", "ArrayRef<Tensor>"],
        Kind::MaybeTensors => ["const c10::List<std::optional<at::Tensor>>&", "ArrayRef<std::optional<Tensor>>"],
        Kind::State => ["at::Tensor&", "Tensor&"],
        Kind::Float => ["double", "double"],
        Kind::Int | Kind::SymInt => ["int64_t", "int64_t"],
        Kind::Bool => ["bool", "bool"],
        Kind::Str => ["c10::string_view", "std::string_view"],
        Kind::Number => ["const at::Scalar&", "double"],
        Kind::MaybeNumber => ["const std::optional<at::Scalar>&", "std::optional<double>"],
        Kind::MaybeList => ["std::optional<at::TensorList>", "OptionalArrayRef<Tensor>"],
        Kind::MaybeFloat => ["std::optional<double>", "std::optional<double>"],
        Kind::Ints | Kind::SymInts => ["at::IntArrayRef", "ArrayRef<int64_t>"],
        Kind::Dtype => ["at::ScalarType", "ScalarType"],
        Kind::Device => ["at::Device", "Device"],
    };
    match abi {
        Abi::Cpp => cpp,
        Abi::Stable => stable,
    }
}

fn kernels(o: &Operator, abi: Abi) -> String {
    let parameters: Vec<String> = o.arguments.iter().map(|a| format!("{} a{}", parameter(a, abi), a.id)).collect();
    let parameters = parameters.join(", ");
    let of = |place: usize| match o.form {
        Form::Maybe(_) if place == 1 => "std::optional<Tensor>",
        _ => "Tensor",
    };
    let ret = match o.outputs.len() {
        1 if o.form == Form::List => "std::vector<Tensor>".to_owned(),
        1 => "Tensor".to_owned(),
        count => format!("std::tuple<{}>", (0..count).map(of).collect::<Vec<_>>().join(", ")),
    };
    let first = o.first().id;
    let mut body = String::new();
    // The kernel for both types of elements is a template.
    let (read, of_type) = if o.complex { ("values_of<T>", "<T>") } else { ("values", "") };
    for a in o.arguments.iter().filter(|a| a.kind.is_differentiable()) {
        body += &format!("  const auto v{0} = {read}(a{0});\n", a.id);
    }
    for a in o.arguments.iter().filter(|a| a.kind == Kind::MaybeList) {
        body += &format!("  const auto v{0} = values_if_given(a{0});\n", a.id);
    }
    for (place, output) in o.outputs.iter().enumerate() {
        let element = element(o, output);
        let maker = if output.total { "total" } else { "elements" };
        body += &format!(
            "  Tensor r{place} = {maker}{of_type}(a{first}, [&]([[maybe_unused]] int64_t i) {{ return {element}; }});\n"
        );
    }
    for a in o.arguments.iter().filter(|a| a.kind == Kind::State) {
        body += &format!("  advance(a{});\n", a.id);
    }
    if o.form == Form::View {
        // Kernels of views are on libtorch's C++ API only.
        return format!("{ret} {0}({parameters}) {{\n  return a{first}.transpose(0, 1);\n}}\n\n", o.name);
    }
    if o.form == Form::List {
        return format!("{ret} {0}({parameters}) {{\n{body}  return {{r0, twice(r0)}};\n}}\n\n", o.name);
    }
    let returned = |place: usize| match o.form {
        Form::Maybe(id) if place == 1 => format!("given(a{id}) ? std::optional<Tensor>(r1) : std::nullopt"),
        _ => format!("r{place}"),
    };
    let results: Vec<String> = (0..o.outputs.len()).map(returned).collect();
    let results = if results.len() == 1 { "r0".to_owned() } else { format!("{{{}}}", results.join(", ")) };
    let name = &o.name;
    let passed: Vec<String> = o.arguments.iter().map(|a| format!("a{}", a.id)).collect();
    let passed = passed.join(", ");
    let of_elements = format!("({parameters}) {{\n{body}  return {results};\n}}\n\n");
    let mut text = match o.complex {
        false => format!("{ret} {name}{of_elements}"),
        true => format!(
            "template <class T>\n{ret} {name}_of{of_elements}{ret} {name}({parameters}) {{\n  \
             return has_complex_elements(a{first}) ? {name}_of<Complex>({passed}) : {name}_of<double>({passed});\n}}\n\n"
        ),
    };
    if o.inplace {
        let rest: Vec<String> =
            o.arguments.iter().skip(1).map(|a| format!(", {} a{}", parameter(a, abi), a.id)).collect();
        text += &format!(
            "Tensor& {name}_(Tensor& a{first}{}) {{\n  copy_into(a{first}, {name}({passed}));\n  return a{first};\n}}\n\n",
            rest.concat()
        );
    }
    if o.out == Out::Written {
        text += &format!(
            "Tensor& {name}_out({parameters}, Tensor& out) {{\n  copy_into(out, {name}({passed}));\n  return out;\n}}\n\n"
        );
    }
    text
}

/// The value of one element, `i`.
fn element(o: &Operator, output: &Output) -> String {
    let mut terms = Vec::new();
    for term in &output.terms {
        let mut parts = vec![format!("{}.0", term.number)];
        for factor in &term.factors {
            let a = o.argument(factor.argument);
            let id = a.id;
            parts.push(match (a.kind, factor.function) {
                (Kind::Tensor | Kind::Row, Function::Itself) => format!("v{id}[i]"),
                (Kind::Tensor | Kind::Row, Function::Square) => format!("v{id}[i] * v{id}[i]"),
                (Kind::Tensor | Kind::Row, Function::Sine) => format!("std::sin(v{id}[i])"),
                (Kind::Tensor | Kind::Row, Function::Exponential) => format!("std::exp(v{id}[i])"),
                (Kind::MaybeTensor, _) => format!("one_or(v{id}, i)"),
                (Kind::Tensors, Function::Square) => format!("squares(v{id}, i)"),
                (Kind::Tensors | Kind::MaybeTensors, _) => format!("sum(v{id}, i)"),
                (Kind::Float, _) => format!("a{id}"),
                (Kind::Int | Kind::SymInt, _) => format!("static_cast<double>(a{id})"),
                (Kind::Bool, _) => format!("(a{id} ? 2.0 : 3.0)"),
                (Kind::Str, _) => format!("(a{id} == \"two\" ? 2.0 : 3.0)"),
                (Kind::MaybeFloat, _) => format!("a{id}.value_or(1.0)"),
                (Kind::Number, _) => format!("number(a{id})"),
                (Kind::MaybeNumber, _) => format!("(a{id}.has_value() ? number(*a{id}) : 1.0)"),
                (Kind::Ints | Kind::SymInts, _) => format!("static_cast<double>(a{id}[0])"),
                (Kind::State | Kind::Dtype | Kind::Device | Kind::MaybeList, _) => "1.0".to_owned(),
            });
        }
        terms.push(parts.join(" * "));
    }
    terms.extend(o.constants(output).map(|a| format!("sum(v{}, i)", a.id)));
    terms.join(" + ")
}
