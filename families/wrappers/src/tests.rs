//! Tables of what entries mean: which argument a parameter takes, the C++ of values, and the sizes
//! and types of results.

use super::expression::Language;
use super::matching::{self, Hints, Mapping, NoMapping, Source};
use super::model::functions::{self, Class, Function, ParameterType};
use super::model::operators::{self, Operator};
use super::records::{self, EntryRecord, FunctionRecord};
use super::results;
use super::shapes::{NoShape, Subject};
use super::values::{self, Surroundings};
use torchgen_base::diag::{Diagnostics, Sources};
use torchgen_base::yaml::{self, Node, Options};
use torchgen_kit::driver::data::Tables;

fn node(text: &str) -> Node {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let file = sources.add("test.yaml", text.to_owned());
    yaml::parse(&sources, file, Options::LIBRARY, &mut diagnostics).expect(text)
}

/// An operator of PyTorch with that schema.
fn operator(schema: &str) -> Operator {
    let mut diagnostics = Diagnostics::new();
    let found = operators::all(
        node(&format!("[{{func: \"{schema}\", structured: True}}]")),
        Tables::embedded(),
        &mut diagnostics,
    );
    found.into_iter().next().unwrap_or_else(|| panic!("{schema}: {diagnostics:?}"))
}

#[test]
fn files_of_other_torches_are_read() {
    let entry = "func: 'f(Tensor self, Dimname? by=None) -> Tensor', tags: later, later: 1, autogen: f.out";
    let mut diagnostics = Diagnostics::new();
    let found = operators::all(
        node(&format!("[{{{entry}, dispatch: {{CPU: f, Later: g}}}}]")),
        Tables::embedded(),
        &mut diagnostics,
    );
    let schemas: Vec<String> = found.iter().map(|operator| operator.schema.to_string()).collect();
    assert_eq!(
        schemas,
        [
            "f(Tensor self, Dimname? by=None) -> Tensor",
            "f.out(Tensor self, Dimname? by=None, *, Tensor(a!) out) -> Tensor(a!)"
        ]
    );
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    operators::all(
        node("[{func: 'f(__torch__.torch.classes.a.B b) -> Tensor'}]"),
        Tables::embedded(),
        &mut diagnostics,
    );
    assert!(diagnostics.has_errors());
}

/// A function of the backend with that schema.
fn function(schema: &str) -> Function {
    let mut diagnostics = Diagnostics::new();
    let schema = node(&format!("\"{schema}\"")).as_text().cloned().expect("a text");
    let record = FunctionRecord { schema, cpu: None, doc: None };
    functions::read_functions(&[record], &mut diagnostics).pop().unwrap_or_else(|| panic!("{diagnostics:?}"))
}

fn entry(text: &str) -> EntryRecord {
    let mut diagnostics = Diagnostics::new();
    records::entry(node(text), &mut diagnostics).unwrap_or_else(|| panic!("{text}: {diagnostics:?}"))
}

/// An entry that says nothing about parameters.
fn none() -> Hints<'static> {
    Hints { extra: vec![], map: vec![], spared: vec![] }
}

/// A mapping as `parameter=argument`, with a star where only the type decided.
fn shown(operator: &Operator, function: &Function, mapping: Result<Mapping, NoMapping>) -> String {
    let inputs: Vec<&str> = operator.inputs().map(|input| input.name.as_str()).collect();
    match mapping {
        Ok(mapping) => {
            let one = |(at, source): (usize, &Source)| {
                let value = match source {
                    Source::Argument(input, _) => inputs[*input].to_owned(),
                    Source::Extra(at) => format!("extra {at}"),
                };
                let star = if mapping.by_type.contains(&at) { "*" } else { "" };
                format!("{}={value}{star}", function.parameters[at].name)
            };
            mapping.sources.iter().enumerate().map(one).collect::<Vec<_>>().join(" ")
        }
        Err(NoMapping::Missing { parameter }) => format!("nothing for {parameter}"),
        Err(NoMapping::Ambiguous { parameter, candidates }) => format!("{parameter}: {}?", candidates.join(" or ")),
        Err(NoMapping::Unfit { parameter, argument }) => format!("{argument} does not fit {parameter}"),
    }
}

#[test]
fn parameters_take_arguments() {
    let map = |map: &[(&'static str, &'static str)]| Hints { map: map.to_vec(), ..none() };
    let table = [
        // By name, whatever the order is.
        (
            "sub(Tensor self, Tensor other) -> Tensor",
            "Sub(Tensor other, Tensor self) -> Tensor",
            none(),
            "other=other self=self",
        ),
        // By type, in order.
        ("relu(Tensor self) -> Tensor", "Relu(Tensor x) -> Tensor", none(), "x=self*"),
        ("mm(Tensor self, Tensor mat2) -> Tensor", "Mm(Tensor x, Tensor y) -> Tensor", none(), "x=self* y=mat2*"),
        // What has a name is not taken again by type.
        ("mm(Tensor self, Tensor mat2) -> Tensor", "Mm(Tensor x, Tensor self) -> Tensor", none(), "x=mat2* self=self"),
        // `map`, before names.
        (
            "mm(Tensor self, Tensor mat2) -> Tensor",
            "Mm(Tensor x, Tensor y) -> Tensor",
            map(&[("x", "mat2"), ("y", "self")]),
            "x=mat2 y=self",
        ),
        ("sum(Tensor self, int dim) -> Tensor", "Sum(Tensor x) -> Tensor", map(&[("x", "dim")]), "dim does not fit x"),
        // An argument of another overload.
        ("abs(Tensor self) -> Tensor", "Abs(Tensor x) -> Tensor", map(&[("x", "input")]), "x=self*"),
        // `extra`, and an argument that nothing takes.
        (
            "abs(Tensor self) -> Tensor",
            "Scale(Tensor x, float by) -> Tensor",
            Hints { extra: vec!["by"], ..none() },
            "x=self* by=extra 0",
        ),
        ("sum(Tensor self, int dim) -> Tensor", "Sum(Tensor x) -> Tensor", none(), "x=self*"),
        ("abs(Tensor self) -> Tensor", "Scale(Tensor x, float by) -> Tensor", none(), "nothing for by"),
        // More arguments than parameters of the type.
        (
            "clip(Tensor self, float low, float high) -> Tensor",
            "Above(Tensor x, float bound) -> Tensor",
            none(),
            "bound: low or high?",
        ),
        (
            "clip(Tensor self, float low, float high) -> Tensor",
            "Above(Tensor x, float bound) -> Tensor",
            Hints { spared: vec!["high"], ..none() },
            "x=self* bound=low*",
        ),
        // Keyword-only arguments are taken by name alone.
        ("sum(Tensor self, *, int dim) -> Tensor", "Sum(Tensor x, int axis) -> Tensor", none(), "nothing for axis"),
        ("sum(Tensor self, *, int dim) -> Tensor", "Sum(Tensor x, int dim) -> Tensor", none(), "x=self* dim=dim"),
        // A number is a tensor where no tensor is left.
        (
            "add.Scalar(Tensor self, Scalar other) -> Tensor",
            "Add(Tensor x, Tensor y) -> Tensor",
            none(),
            "x=self* y=other*",
        ),
        // The kinds of parameters.
        (
            "f(Tensor[] tensors, int dim=0) -> Tensor",
            "Cat(Tensor[] parts, int at) -> Tensor",
            none(),
            "parts=tensors* at=dim*",
        ),
        (
            "f(Tensor self, Tensor? bias=None) -> Tensor",
            "Bias(Tensor x, Tensor? y) -> Tensor",
            none(),
            "x=self* y=bias*",
        ),
        ("f(Tensor self, int[] size) -> Tensor", "Reshape(Tensor x, shape to) -> Tensor", none(), "x=self* to=size*"),
        ("f(Tensor self, str mode) -> Tensor", "F(Tensor x, bool mode) -> Tensor", none(), "nothing for mode"),
    ];
    for (of, to, hints, expected) in table {
        let (operator, function) = (operator(of), function(to));
        let mapping = matching::map(&operator, &function, &hints);
        assert_eq!(shown(&operator, &function, mapping), expected, "{of} calls {to}");
    }
}

#[test]
fn overloads_take_the_most_arguments() {
    let one = operator("f(Tensor self, float by) -> Tensor");
    let table = [
        (["F(Tensor x) -> Tensor", "F(Tensor x, float y) -> Tensor"], "F(Tensor x, float y) -> Tensor"),
        (["F(Tensor x, str y) -> Tensor", "F(Tensor x) -> Tensor"], "F(Tensor x) -> Tensor"),
        (
            ["F(Tensor x, float y) -> Tensor", "F(Tensor x, const float z) -> Tensor"],
            "F: F(Tensor x, float y) -> Tensor or F(Tensor x, const float z) -> Tensor?",
        ),
        (["F(str x) -> Tensor", "F(Tensor x, str y) -> Tensor"], "nothing for x"),
    ];
    for (schemas, expected) in table {
        let all = schemas.map(function);
        let said = match matching::choose(&one, &all.iter().collect::<Vec<_>>(), &none()) {
            Ok((chosen, _)) => chosen.text.to_string(),
            Err(why) => shown(&one, &all[0], Err(why)),
        };
        assert_eq!(said, expected, "{schemas:?}");
    }
}

#[test]
fn results_have_places() {
    let pair = "f(Tensor self) -> (Tensor values, Tensor indices)";
    let plain = "f(Tensor self) -> (Tensor, Tensor)";
    let table = [
        // By name, whatever the order is.
        (pair, "F(Tensor x) -> (Tensor indices, Tensor values)", "{op: f}", "1 0 (indices: indices, values: values)"),
        (pair, "F(Tensor x) -> (Tensor first, Tensor values)", "{op: f}", "1 0 (first: indices, values: values)"),
        // Where one side has no names, positions decide.
        (pair, "F(Tensor x) -> (Tensor, Tensor)", "{op: f}", "0 1 ()"),
        (plain, "F(Tensor x) -> (Tensor a, Tensor b)", "{op: f}", "0 1 (a: 0, b: 1)"),
        (plain, "F(Tensor x) -> (Tensor a, Tensor b)", "{op: f, results: {b: 0}}", "1 0 (a: 1, b: 0)"),
        // A part of a name confirms, or contradicts.
        (pair, "F(Tensor x) -> (Tensor value, Tensor index)", "{op: f}", "0 1 (value: values, index: indices)"),
        (
            pair,
            "F(Tensor x) -> (Tensor index, Tensor value)",
            "{op: f}",
            "error: the names contradict the order of the results of `F`: `index` becomes `values` of `f`, `value` becomes `indices` of `f`; name the operator's result for each: `results: {index: indices, value: values}`",
        ),
        (pair, "F(Tensor x) -> (Tensor a, Tensor b)", "{op: f}", "0 1 (a: values, b: indices) by position"),
        (pair, "F(Tensor x) -> (Tensor a, Tensor b)", "{op: f, results: {a: values}}", "0 1 (a: values, b: indices)"),
        (pair, "F(Tensor x) -> (Tensor a, Tensor b)", "{op: f, results: {a: indices}}", "1 0 (a: indices, b: values)"),
        (
            pair,
            "F(Tensor x) -> (Tensor a, Tensor b)",
            "{op: f, results: {a: valeus}}",
            "error: `f` has no result `valeus`; did you mean `values`?",
        ),
        (
            pair,
            "F(Tensor x) -> (Tensor, Tensor)",
            "{op: f, results: {a: values}}",
            "error: `F` has no result `a`; name the results in `fn:`",
        ),
        (
            pair,
            "F(Tensor x) -> (Tensor a, Tensor b)",
            "{op: f, results: {a: values, b: 0}}",
            "error: two results of `F` are `0` of `f`",
        ),
    ];
    for (of, to, text, expected) in table {
        let (operator, function, entry) = (operator(of), function(to), entry(text));
        let said = match results::results(&operator, None, &entry, &function) {
            Ok(found) => {
                let order: Vec<String> = found.order.iter().map(ToString::to_string).collect();
                let by_position = found.warning(&entry, "F").map_or("", |_| " by position");
                format!("{} ({}){by_position}", order.join(" "), found.pairs)
            }
            Err(error) => {
                let help = error.help.first().map_or(String::new(), |help| format!("; {help}"));
                format!("error: {}{help}", error.message)
            }
        };
        assert_eq!(said, expected, "{of} {to} {text}");
    }
}

#[test]
fn values_become_cpp() {
    let (language, operator) = (Language::new("n"), operator("f(Tensor self, int[2] pad, Scalar alpha) -> Tensor"));
    let around = Surroundings {
        shape: "s::",
        helpers: "h::",
        rank: "self.dim()",
        dtype: "dtype_",
        language: &language,
        operator: &operator,
    };
    use ParameterType::{Bool, Const, Dtype, Float, Int, Node, Shape, Str};
    let table = [
        (Bool, "true", "true"),
        (Bool, "1", "error: the value of `p` must be `true` or `false`"),
        (Int, "-3", "std::int64_t(-3)"),
        (Int, "0.5", "error: the value of `p` must be an integer"),
        (Int, "9223372036854775808", "error: the value of `p` must be an integer"),
        (Float, "1", "1.0"),
        (Float, "1e-5", "1e-5"),
        (Const, "0.5", "0.5"),
        (Float, "inf", "std::numeric_limits<double>::infinity()"),
        (Float, "\"-inf\"", "-std::numeric_limits<double>::infinity()"),
        (Float, "nan", "std::numeric_limits<double>::quiet_NaN()"),
        (Float, "lowest", "s::lowest(dtype_)"),
        (Float, "highest", "s::highest(dtype_)"),
        (Float, "higest", "error: the value of `p` must be a number; did you mean `highest`?"),
        (
            Float,
            "1e999",
            "error: the value of `p` must be a number; numbers, `lowest`, `highest`, `inf`, `-inf`, `nan` and expressions are possible",
        ),
        (Float, "-alpha", "double(-::n::shape::plain(alpha))"),
        (Const, "alpha * 2", "double(::n::shape::plain(alpha) * 2.0)"),
        (Int, "dim(self) - 1", "std::int64_t(self.dim() - std::int64_t(1))"),
        (Bool, "dim(self) > 1", "self.dim() > std::int64_t(1)"),
        (Shape, "pad", "::n::shape::plain(pad)"),
        (
            Shape,
            "['pad[0]', 0]",
            "h::list_of<std::int64_t>(::n::expr::element(::n::shape::plain(pad), std::int64_t(0)), 0)",
        ),
        (Int, "pad", "error: this must be a `int`, not a `int[]`"),
        (Shape, "[1, -1]", "h::list_of<std::int64_t>(1, -1)"),
        (Shape, "[]", "h::list_of<std::int64_t>()"),
        (Shape, "2", "h::list_of<std::int64_t>(2)"),
        (Shape, "all", "s::all_dims(self.dim())"),
        (Shape, "[a]", "error: the value of `p` must be a list of integers, or `all`"),
        (Str, "plain", "std::string(\"plain\")"),
        (Str, "'a\"b'", "std::string(\"a\\\"b\")"),
        (Str, "1", "error: the value of `p` must be a string"),
        (Dtype, "float32", "at::kFloat"),
        (Dtype, "flaot32", "error: the value of `p` must be a type such as `float32`; did you mean `float32`?"),
        (Node, "1", "error: the value of `p` must be a tensor"),
        (Int, "{a: 1}", "error: the value of `p` must be an integer"),
    ];
    let mut wrong = Vec::new();
    for (taken, text, expected) in table {
        let said = values::cpp(&node(text), taken, "p", &around).unwrap_or_else(|error| {
            let help = error.help.first().map_or(String::new(), |help| format!("; {help}"));
            format!("error: {}{help}", error.message)
        });
        if said != expected {
            wrong.push(format!("{taken:?} {text}: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The results as `locals; sizes: type`.
fn described(of: &str, to: &str, text: &str) -> String {
    let (operator, function, entry) = (operator(of), function(to), entry(text));
    let mapping = matching::map(&operator, &function, &none()).expect("a mapping");
    let classes: Vec<Class> = (0..operator.inputs().count()).map(|input| mapping.class(input)).collect();
    let language = Language::new("own");
    let subject = Subject {
        operator: &operator,
        entry: &entry,
        language: &language,
        classes: &classes,
        is_factory: !classes
            .iter()
            .any(|class| matches!(class, Class::PrimaryInput | Class::PrimaryInputList | Class::PrimaryInputScalar)),
        functional: None,
    };
    match subject.shapes() {
        Ok(shapes) => {
            let locals = shapes.locals.iter().map(|local| format!("{} = {}; ", local.name, local.value));
            let outputs: Vec<String> =
                shapes.outputs.iter().map(|one| format!("{}: {}", one.sizes, one.dtype)).collect();
            format!("{}{}", locals.collect::<String>(), outputs.join(", ")).replace("::own::", "")
        }
        Err(NoShape::Unfit(why)) => format!("unfit: {why}"),
        Err(NoShape::Wrong(error)) => format!("error: {}", error.message),
    }
}

#[test]
fn results_have_sizes_and_types() {
    let relu = ("relu(Tensor self) -> Tensor", "Relu(Tensor x) -> Tensor");
    let add = ("add(Tensor self, Tensor other) -> Tensor", "Add(Tensor x, Tensor y) -> Tensor");
    let cat = ("cat(Tensor[] tensors, int dim=0) -> Tensor", "Cat(Tensor[] x, int dim) -> Tensor");
    let swap = ("transpose(Tensor self, int dim0, int dim1) -> Tensor", "T(Tensor x, int dim0, int dim1) -> Tensor");
    let sum =
        ("sum(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", "Sum(Tensor x, shape d, bool k) -> Tensor");
    let two = ("f(Tensor self) -> (Tensor, Tensor)", "F(Tensor x) -> (Tensor, Tensor)");
    let full =
        ("full(int[] size, float value, *, ScalarType? dtype=None) -> Tensor", "Fill(shape s, float v) -> Tensor");
    let table = [
        (relu, "{op: f}", "dtype_ = self.scalar_type(); self.sizes().vec(): dtype_"),
        (relu, "{op: f, dtype: boolean}", "dtype_ = at::kBool; self.sizes().vec(): dtype_"),
        (relu, "{op: f, dtype: sum}", "dtype_ = shape::summed(self.scalar_type()); self.sizes().vec(): dtype_"),
        (
            relu,
            "{op: f, dtype: promote_float}",
            "dtype_ = shape::floating(shape::promoted(self)); self.sizes().vec(): dtype_",
        ),
        (relu, "{op: f, dtype: option}", "unfit: `dtype: option` needs an argument `dtype`"),
        (relu, "{op: f, dtype: fist}", "error: there is no variable or constant `fist` here"),
        (relu, "{op: f, shape: matmul}", "unfit: `shape: matmul` needs two tensors"),
        (relu, "{op: f, shape: bypas}", "error: there is no variable or constant `bypas` here"),
        (
            relu,
            "{op: f, shape: meta}",
            "meta_ = at::_ops::relu::call(shape::to_meta(self)); dtype_ = meta_.scalar_type(); meta_.sizes().vec(): meta_.scalar_type()",
        ),
        (
            relu,
            "{op: f, shape: [\"dim(self)\", 2]}",
            "dtype_ = self.scalar_type(); expr::list_of<std::int64_t>(self.dim(), std::int64_t(2)): dtype_",
        ),
        (
            add,
            "{op: f, shape: broadcast}",
            "dtype_ = shape::promoted(self, other); shape::broadcast_of(self, other): dtype_",
        ),
        (
            add,
            "{op: f, shape: matmul}",
            "dtype_ = self.scalar_type(); shape::matmul(self.sizes(), other.sizes()): dtype_",
        ),
        (add, "{op: f, shape: concat}", "unfit: `shape: concat` needs a list of tensors and a dimension"),
        (
            cat,
            "{op: f, shape: concat}",
            "dim_ = shape::wrap(dim, shape::rank(tensors), \"dim\"); dtype_ = shape::promoted(tensors); shape::concat(shape::plain(tensors), dim_): dtype_",
        ),
        (
            cat,
            "{op: f, shape: stack}",
            "dim_ = shape::wrap(dim, shape::rank(tensors) + 1, \"dim\"); dtype_ = shape::promoted(tensors); shape::stack(shape::plain(tensors), dim_): dtype_",
        ),
        (
            swap,
            "{op: f, shape: transpose}",
            "dim0_ = shape::wrap(dim0, self.dim(), \"dim0\"); dim1_ = shape::wrap(dim1, self.dim(), \"dim1\"); dtype_ = self.scalar_type(); shape::transpose(self.sizes(), dim0_, dim1_): dtype_",
        ),
        (
            sum,
            "{op: f, shape: reduce}",
            "dim_ = shape::wrap(dim, self.dim(), \"dim\"); dtype_ = self.scalar_type(); shape::reduced(self.sizes(), dim_, keepdim): dtype_",
        ),
        (two, "{op: f}", "dtype_ = self.scalar_type(); self.sizes().vec(): dtype_, self.sizes().vec(): dtype_"),
        (
            two,
            "{op: f, dtypes: [first, int64]}",
            "dtype_ = self.scalar_type(); dtype_1_ = at::kLong; self.sizes().vec(): dtype_, self.sizes().vec(): dtype_1_",
        ),
        (two, "{op: f, dtypes: [first, int64, first]}", "unfit: `dtypes` lists 3, and it has 2 results"),
        (full, "{op: f}", "dtype_ = shape::option(dtype); shape::plain(size): dtype_"),
    ];
    let said: Vec<String> =
        table.iter().map(|((of, to), text, _)| format!("{text} of {of}\n  {}", described(of, to, text))).collect();
    let expected: Vec<String> =
        table.iter().map(|((of, _), text, expected)| format!("{text} of {of}\n  {expected}")).collect();
    assert_eq!(said.join("\n"), expected.join("\n"));
}
