//! Arguments that a schema declares as `int`, and that a fake or a Meta kernel makes sizes of.
//!
//! Invariant: only a size that is such an argument counts, not one that is computed with it, as a
//! size with padding is.

use torchgen_base::diag::{Diagnostic, Help, Span};
use torchgen_kit::expr::{Typed, TypedKind};
use torchgen_model::codes;
use torchgen_model::model::outputs::Fake;
use torchgen_model::model::{Argument, NativeFunction};

/// The functions and methods that make a tensor of a size, in C++ and in Python, and whether
/// Python's also take it as several arguments.
pub(crate) const SIZED: [(&str, bool); 14] = [
    ("broadcast_to", false),
    ("empty", true),
    ("empty_strided", false),
    ("expand", true),
    ("full", false),
    ("new_empty", true),
    ("new_empty_strided", false),
    ("new_full", false),
    ("new_ones", true),
    ("new_zeros", true),
    ("ones", true),
    ("rand", true),
    ("randn", true),
    ("zeros", true),
];

/// Whether a function or method makes a tensor of a size, and if so, whether Python's also takes it
/// as several arguments.
pub(crate) fn takes_size(called: &str) -> Option<bool> {
    SIZED.iter().find(|(name, _)| *name == called).map(|(_, several)| *several)
}

/// An argument that is an integer or has some, and not symbolic ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IntArgument {
    /// Its name.
    pub(crate) name: String,
    /// It in the schema.
    pub(crate) text: String,
    /// Its place there.
    pub(crate) span: Span,
}

impl IntArgument {
    /// Those of an operator.
    pub(crate) fn all(f: &NativeFunction) -> Vec<IntArgument> {
        let one = |a: &Argument| IntArgument {
            name: a.schema_name().to_owned(),
            text: a.to_string(),
            span: f.spans.schema.argument(&a.name),
        };
        let all = f.func.schema_order_arguments().map(one);
        all.filter(|own| own.text.starts_with("int")).collect()
    }

    /// Whether it is a list.
    pub(crate) fn is_list(&self) -> bool {
        self.text.starts_with("int[")
    }

    /// The lint that a size of a result is this argument, at that place.
    pub(crate) fn lint(&self, operator: &str, place: Span) -> Diagnostic {
        let IntArgument { name, text, span } = self;
        let message = format!("a size of the result of `{operator}` is `{name}`, which is not symbolic");
        let symbolic = text.replacen("int", "SymInt", 1);
        Diagnostic::new(&codes::INT_SIZE, message)
            .at(*span)
            .also(place, "a size")
            .note("torch.compile compiles again for each value of an `int`, and not for those of a `SymInt`")
            .help(Help::write(&symbolic).at(*span, symbolic))
    }
}

/// The lints on fakes that are expressions.
pub(super) fn lints(f: &NativeFunction) -> Vec<Diagnostic> {
    let outputs = f.fake.as_ref().and_then(Fake::outputs).unwrap_or_default();
    let Some(fake) = f.spans.fake.filter(|_| !outputs.is_empty()) else { return Vec::new() };
    let sizes: Vec<&str> = outputs.iter().filter_map(|one| one.size.as_ref()).flat_map(variables).collect();
    let ints = IntArgument::all(f);
    let made = ints.iter().filter(|own| sizes.contains(&own.name.as_str()));
    made.map(|own| own.lint(&f.full_name(), fake)).collect()
}

/// The variables that are sizes, or lists of sizes.
fn variables(size: &Typed) -> Vec<&str> {
    match &size.kind {
        TypedKind::Variable { name, .. } => vec![name],
        TypedKind::List(items) => items.iter().flat_map(variables).collect(),
        TypedKind::Starred(list) => variables(list),
        _ => Vec::new(),
    }
}
