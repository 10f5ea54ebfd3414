//! `--impl-path`: checks that C++ sources define the kernels that a backend lists.
//!
//! Signatures are compared with the C++ reader of `kernels`. Invariant: a source that the reference
//! accepts passes, unless structured kernels, which the reference does not have, are wrong. The
//! reference counts how often a kernel's name follows that of the class, so a kernel with another
//! signature is only a warning if the number is right. Rule: torchgen/gen_backend_stubs.py,
//! `error_on_missing_kernels`.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use indexmap::IndexMap;

use super::External;
use torchgen_api::meta::Meta;
use torchgen_api::{Binding, CallingConvention, Locals, kernel_signature, structured};
use torchgen_base::diag::{Diagnostic, Diagnostics, Severity, Sources, Span};
use torchgen_base::lang::cpp::{
    DefinitionForm, Signature, TokenKind, are_alternatives, differences, signature, swapped, tokens,
};
use torchgen_base::lang::is_word;
use torchgen_kit::driver::{JobError, Session};
use torchgen_library::library::kernels::{self, KernelSources, LocatedDefinition};
use torchgen_model::codes;
use torchgen_model::group::{self, Grouped, NativeFunctionsGroup};
use torchgen_model::model::{BackendIndices, NativeFunction, OperatorName};
use torchgen_model::records::{BackendRecord, KernelRecord};

/// What the sources are compared with.
pub(crate) struct Expected<'a> {
    /// The backend.
    pub(crate) external: &'a External,
    /// Its YAML.
    pub(crate) record: &'a BackendRecord,
    /// PyTorch's operators.
    pub functions: &'a [NativeFunction],
    /// The operators in groups.
    pub grouped: &'a [Grouped<'a>],
    /// The kernels, including the backend's.
    pub indices: &'a BackendIndices,
    /// Operators whose kernels are generated, so that the sources need not define them.
    pub(crate) generated: &'a HashSet<OperatorName>,
}

/// Reports kernels that the sources, files or directories, do not define as the header declares
/// them.
pub(crate) fn check_kernel_sources(
    paths: &[PathBuf],
    expected: &Expected,
    session: &mut Session,
) -> Result<(), JobError> {
    if paths.is_empty() {
        return Ok(());
    }
    let place = match paths {
        [one] if session.seen.is_dir(one) => format!("the sources in `{}`", one.display()),
        [one] => format!("`{}`", one.display()),
        _ => "the sources of `--impl-path`".to_owned(),
    };
    let sources = kernels::read_sources(paths, session)?;
    let text = |file| session.sources.text(file);
    let class = &expected.external.class_name;
    let counts: Vec<&str> = sources.listed.iter().flat_map(|file| occurrences(text(*file), class)).collect();
    let named: HashSet<&str> = sources.listed.iter().flat_map(|file| named_in_code(text(*file), class)).collect();
    let compared = Compared { place, class, sources: &sources, texts: &session.sources, named: &named };
    let mut found = Diagnostics::new();
    for ((form, name), kernels) in expected.kernels() {
        let counted = counts.iter().filter(|counted| **counted == name).count();
        let accepted = form == DefinitionForm::Function && counted == kernels.len();
        compared.compare(form, &name, &kernels, accepted, &mut found);
    }
    session.diagnostics.extend(found);
    Ok(())
}

/// A member function that the sources must define.
struct Kernel {
    signature: Signature,
    /// Its parameters, as they are written.
    parameters: Vec<String>,
    /// Its signature, for messages.
    head: String,
    /// The operator that uses it.
    operator: String,
    /// Where the YAML lists the operator.
    span: Span,
}

impl Expected<'_> {
    /// The kernels by form and name, as in a [`Definition`](torchgen_base::lang::cpp::Definition).
    fn kernels(&self) -> IndexMap<(DefinitionForm, String), Vec<Kernel>> {
        let record = self.record;
        let listed: HashMap<&str, Span> = [&record.autograd, &record.full_codegen, &record.supported]
            .into_iter()
            .flatten()
            .map(|name| (name.as_str(), name.span()))
            .collect();
        let span = |f: &NativeFunction| listed.get(f.func.name.to_string().as_str()).copied();
        let mut wanted: IndexMap<(DefinitionForm, String), Vec<Kernel>> = IndexMap::new();
        for f in self.functions.iter().filter(|f| !self.generated.contains(&f.func.name)) {
            // The kernel at autograd's key, if there are both.
            let indices = self.external.keys().map(|key| self.indices.get(key));
            let kernel = indices.filter_map(|index| Some((index, index.get_kernel(f)?))).last();
            let Some((index, kernel)) = kernel.filter(|(_, kernel)| !kernel.structured) else { continue };
            // A kernel without a signature is reported when its header is made.
            let Ok(expected) = kernel_signature(f, index, Locals::for_operator(f)) else { continue };
            let parameters: Vec<String> = expected.arguments.iter().map(|argument| argument.defn()).collect();
            wanted.entry((DefinitionForm::Function, kernel.kernel.clone())).or_default().push(Kernel {
                signature: signature(expected.returns_type.cpp_type(), &parameters),
                parameters,
                head: expected.decl_as(&format!("{}::{}", self.external.class_name, kernel.kernel)),
                operator: f.func.name.to_string(),
                span: span(f).unwrap_or(f.spans.name),
            });
        }
        let groups = group::groups(self.grouped);
        for kernel in record.kernels.iter().filter(|kernel| kernel.structured && !kernel.reuse_impl) {
            let is_it = |g: &&NativeFunctionsGroup<'_>| g.out.func.name.to_string() == kernel.name.as_str();
            if let Some(g) = groups.iter().find(is_it) {
                for (form, function) in self.structured(g, kernel) {
                    wanted.entry((form, g.out.func.name.unambiguous_name())).or_default().push(function);
                }
            }
        }
        wanted
    }

    /// The functions of a structured kernel that the backend defines.
    fn structured(&self, g: &NativeFunctionsGroup<'_>, kernel: &KernelRecord) -> Vec<(DefinitionForm, Kernel)> {
        let class = format!("{}::structured_{}", self.external.class_name, g.out.func.name.unambiguous_name());
        let function = |form: DefinitionForm, returns: &str, bindings: Vec<Binding>| {
            let parameters: Vec<String> = bindings.iter().map(Binding::defn).collect();
            let member = if form == DefinitionForm::Meta { "meta" } else { "impl" };
            let head = format!("{returns} {class}::{member}({})", parameters.join(", "));
            let operator = g.out.func.name.to_string();
            // The C++ reader does not keep the return types of these.
            let span = kernel.name.span();
            (form, Kernel { signature: signature("", &parameters), parameters, head, operator, span })
        };
        // As for the signatures above.
        let meta = kernel.define_meta.then(|| Meta::default().arguments(&g.functional.func).ok()).flatten();
        let returns = match g.out.precomputed {
            Some(_) => format!("{class}::meta_return_ty"),
            None => "void".to_owned(),
        };
        let meta = meta.map(|bindings| function(DefinitionForm::Meta, &returns, bindings));
        let own =
            structured::impl_arguments(g.out).ok().map(|bindings| function(DefinitionForm::Impl, "void", bindings));
        meta.into_iter().chain(own).collect()
    }
}

/// Sources, and the class whose members they define.
struct Compared<'a> {
    /// Where kernels are looked for, in messages.
    place: String,
    class: &'a str,
    sources: &'a KernelSources,
    texts: &'a Sources,
    /// The words that the code of the sources has behind the name of the class, or in macros.
    named: &'a HashSet<&'a str>,
}

impl<'a> Compared<'a> {
    /// Compares the kernels of one name with its definitions. An error is a warning where the
    /// reference has none.
    fn compare(
        &self,
        form: DefinitionForm,
        name: &str,
        kernels: &[Kernel],
        accepted: bool,
        diagnostics: &mut Diagnostics,
    ) {
        let member = self.member(form, name);
        let mut open: Vec<&LocatedDefinition> =
            self.sources.definitions.iter().filter(|one| self.is_member(one, form, name)).collect();
        let (mut taken, mut missing) = (Vec::new(), Vec::new());
        for kernel in kernels {
            match open.iter().position(|found| found.signature == kernel.signature) {
                Some(at) => {
                    diagnostics.extend(in_another_order(kernel, open[at], &member));
                    taken.push(open.remove(at));
                }
                None => missing.push(kernel),
            }
        }
        let severity = if accepted { Severity::Warning } else { Severity::Error };
        for kernel in missing {
            let diagnostic = match open.pop() {
                Some(found) => {
                    let operator = &kernel.operator;
                    let message = format!(
                        "the definition of kernel `{member}` does not have the signature that `{operator}` requires"
                    );
                    let error = Diagnostic::new(&codes::BACKEND_KERNEL_DIFFERS, message).at(found.span());
                    let listed = differences(&kernel.signature, &found.signature);
                    listed.into_iter().map(|(_, text)| text).fold(error, Diagnostic::help)
                }
                // A macro may define it. The reference counts comments and strings too.
                None if accepted && self.named.contains(name) => continue,
                None => {
                    let message = format!("kernel `{member}` is not defined in {}", self.place);
                    Diagnostic::new(&codes::BACKEND_KERNEL_MISSING, message).at(kernel.span)
                }
            };
            diagnostics.push(diagnostic.severity(severity).note(format!("expected: {}", kernel.head)));
        }
        for found in open {
            // The reference does not compare signatures.
            let again = taken.iter().any(|first| first.signature == found.signature);
            if again || !accepted {
                diagnostics.extend(self.repeated(found, &taken, kernels, &member).map(|one| one.severity(severity)));
            }
        }
    }

    /// A definition that no operator uses.
    fn repeated(
        &self,
        found: &LocatedDefinition,
        taken: &[&LocatedDefinition],
        kernels: &[Kernel],
        member: &str,
    ) -> Option<Diagnostic> {
        let error = |message| Diagnostic::new(&codes::BACKEND_KERNEL_REPEATED, message).at(found.span());
        let Some(first) = taken.iter().find(|first| first.signature == found.signature) else {
            let message = format!("no operator of the backend uses this definition of kernel `{member}`");
            let error = kernels.iter().fold(error(message), |error, kernel| {
                error.note(format!("`{}` uses: {}", kernel.operator, kernel.head))
            });
            return Some(error.help("delete it, or list its operator too"));
        };
        let [one, other] = [first, found].map(|found| found.definition.range.start);
        if first.file == found.file && are_alternatives(self.texts.text(found.file), one, other) {
            return None;
        }
        let error = error(format!("kernel `{member}` is defined twice"));
        Some(error.also(first.span(), "the first definition").help("delete one of them"))
    }

    /// The name of a kernel's function, for messages.
    fn member(&self, form: DefinitionForm, name: &str) -> String {
        match form {
            DefinitionForm::Function => format!("{}::{name}", self.class),
            DefinitionForm::Impl => format!("{}::structured_{name}::impl", self.class),
            DefinitionForm::Meta => format!("{}::structured_{name}::meta", self.class),
        }
    }

    /// Whether it defines the kernel as a member of the class, or of an alias of it. A structured
    /// kernel is a class of its own, which can have an alias too.
    fn is_member(&self, one: &LocatedDefinition, form: DefinitionForm, name: &str) -> bool {
        let definition = &one.definition;
        let (scope, own) = definition.name.rsplit_once("::").unwrap_or(("", &definition.name));
        if definition.form != form || own != name {
            return false;
        }
        let last = scope.rsplit("::").next().unwrap_or_default();
        is_or_ends_in(scope, self.class)
            || self.means(last, self.class)
            || form != DefinitionForm::Function
                && self.means(&format!("structured_{name}"), &format!("structured_{name}"))
    }

    /// Whether the sources define this alias of a class of that name.
    fn means(&self, alias: &str, class: &str) -> bool {
        self.sources.aliases.iter().any(|(name, meaning)| {
            let meaning: String = meaning.split_whitespace().collect();
            name == alias && is_or_ends_in(&meaning, class)
        })
    }
}

/// The warning that a kernel with the right types has the names of its parameters elsewhere.
fn in_another_order(kernel: &Kernel, found: &LocatedDefinition, member: &str) -> Option<Diagnostic> {
    let written = &found.definition.parameters;
    let moved = swapped(&kernel.parameters, written);
    let (first, _) = moved.first()?;
    let pair = |(at, to): &(usize, usize)| format!("parameter {} has the name of parameter {}", at + 1, to + 1);
    let message = format!("kernel `{member}` receives the arguments of `{}` in another order", kernel.operator);
    let range = found.definition.parameter_ranges.get(*first).unwrap_or(&found.definition.range);
    let place = Span::new(found.file, range.start, range.end);
    let found = Diagnostic::new(&codes::SWAPPED_PARAMETERS, message).at(place);
    let found = found.note(moved.iter().map(pair).collect::<Vec<_>>().join(", "));
    Some(found.help(format!("write `{}`", kernel.head)))
}

/// Whether a qualified name is this class, in any namespace.
fn is_or_ends_in(name: &str, class: &str) -> bool {
    name.strip_suffix(class).is_some_and(|before| before.is_empty() || before.ends_with("::"))
}

/// The words that follow `class::` in code, and those of lines of the preprocessor.
fn named_in_code<'a>(text: &'a str, class: &str) -> HashSet<&'a str> {
    let last = class.rsplit("::").next().unwrap_or(class);
    let mut found = HashSet::new();
    let mut before = ["", ""];
    for token in tokens(text) {
        let word = &text[token.range.clone()];
        if before == [last, "::"] {
            found.insert(word);
        }
        if token.kind == TokenKind::Directive {
            found.extend(word.split(|c: char| !is_word(c)));
        }
        before = [before[1], word];
    }
    found
}

/// The names between `class::` and a parenthesis, as the reference finds them: the last one of each
/// line, unless a colon precedes the class.
fn occurrences<'a>(text: &'a str, class: &str) -> Vec<&'a str> {
    let scope = format!("{class}::");
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
        let places: Vec<usize> = text[at..end].match_indices(&scope).map(|(place, _)| at + place).collect();
        let last = places.iter().rev().find_map(|place| Some((place, name_behind(text, place + scope.len())?)));
        at = match last {
            None => end + 1,
            Some((place, (name, after))) => {
                if !text[at..*place].ends_with(':') {
                    found.push(name);
                }
                after
            }
        };
    }
    found
}

/// The name before a parenthesis, and where the text after it begins.
fn name_behind(text: &str, at: usize) -> Option<(&str, usize)> {
    let start = at + (text[at..].len() - text[at..].trim_start().len());
    let length = text[start..].find(|c| !is_word(c))?;
    let after = start + length;
    text[after..].starts_with('(').then(|| (&text[start..after], after + 1))
}

#[cfg(test)]
mod tests {
    use super::occurrences;

    /// What `re.findall(r"(.*)K::\s*([\w\d]*)\(", text)` finds, without matches whose first group
    /// ends in a colon.
    #[test]
    fn the_reference_counts_so() {
        let text = "at::Tensor K::add(a) { return K::mul(b); }\nK::\n  sub(\nx::K::div(\nK:: neg(K::abs()\nK::no\nauto f = &K::pow;\nother::K::sin( K::cos(";
        assert_eq!(occurrences(text, "K"), ["mul", "sub", "abs", "cos"]);
        assert_eq!(occurrences("K::a(K::b(\n", "K"), ["b"]);
        assert_eq!(occurrences("", "K"), [""; 0]);
    }
}
