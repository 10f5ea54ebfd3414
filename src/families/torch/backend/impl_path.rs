//! `--impl-path`: checks that a C++ source defines the kernels that a backend lists.
//!
//! Signatures are compared with the C++ reader of `kernels`. Invariant: a source that the reference
//! accepts passes. The reference counts how often a kernel's name follows that of the class, so a
//! kernel with another signature is only a warning if the number is right. Rule:
//! torchgen/gen_backend_stubs.py, `error_on_missing_kernels`.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use indexmap::IndexMap;

use super::External;
use crate::diag::{Diagnostic, Diagnostics, FileId, Severity, Span, codes};
use crate::driver::{JobError, Session};
use crate::families::torch::api::{Locals, kernel_signature};
use crate::families::torch::model::{BackendIndex, BackendIndices, NativeFunction, OperatorName};
use crate::families::torch::records::BackendRecord;
use crate::lang::cpp::{self, Definition, Signature, differences, signature};
use crate::lang::is_word;

/// Reports kernels that the source does not define; those in `generated` are optional.
///
/// # Errors
/// The source cannot be read.
pub(crate) fn check(
    path: &Path,
    external: &External,
    record: &BackendRecord,
    functions: &[NativeFunction],
    indices: &BackendIndices,
    generated: &HashSet<OperatorName>,
    session: &mut Session,
) -> Result<(), JobError> {
    let file = session.read_source(path)?;
    let text = session.sources.text(file);
    let class = &external.class_name;
    let counts: Vec<String> = occurrences(text, class).into_iter().map(str::to_owned).collect();
    let defined = cpp::read(text).definitions;

    let mut wanted: IndexMap<&str, Vec<(&NativeFunction, &BackendIndex)>> = IndexMap::new();
    for f in functions.iter().filter(|f| !generated.contains(&f.func.name)) {
        // The kernel at autograd's key, if there are both.
        let kernel = external.keys().filter_map(|key| Some((indices.get(key), indices.get(key).get_kernel(f)?))).last();
        if let Some((index, kernel)) = kernel.filter(|(_, kernel)| !kernel.structured) {
            wanted.entry(&kernel.kernel).or_default().push((f, index));
        }
    }
    let listed: HashMap<&str, Span> = [&record.autograd, &record.full_codegen, &record.supported]
        .into_iter()
        .flatten()
        .map(|name| (name.as_str(), name.span()))
        .collect();
    let source = Source { path, file, class, defined: &defined, listed };
    for (name, functions) in wanted {
        let counted = counts.iter().filter(|found| **found == name).count();
        source.compare(name, &functions, counted == functions.len(), &mut session.diagnostics);
    }
    Ok(())
}

/// A parsed source.
struct Source<'a> {
    path: &'a Path,
    file: FileId,
    class: &'a str,
    defined: &'a [Definition],
    /// Where the YAML lists each operator.
    listed: HashMap<&'a str, Span>,
}

impl Source<'_> {
    /// Compares the kernels of one name with its definitions. An error is a warning where the
    /// reference has none.
    fn compare(
        &self,
        name: &str,
        functions: &[(&NativeFunction, &BackendIndex)],
        accepted: bool,
        diagnostics: &mut Diagnostics,
    ) {
        let member = format!("{}::{name}", self.class);
        let is_it = |definition: &&Definition| {
            let before = definition.name.strip_suffix(&member);
            before.is_some_and(|before| before.is_empty() || before.ends_with("::"))
        };
        let mut open: Vec<(&Definition, Signature)> =
            self.defined.iter().filter(is_it).map(|one| (one, signature(&one.returns, &one.parameters))).collect();
        let mut missing = Vec::new();
        for (f, index) in functions {
            // A kernel without a signature is reported when its header is made.
            let Ok(expected) = kernel_signature(f, index, Locals::of(f)) else { continue };
            let parameters: Vec<String> = expected.arguments.iter().map(|argument| argument.defn()).collect();
            let own = signature(expected.returns_type.cpp_type(), &parameters);
            match open.iter().position(|(_, found)| *found == own) {
                Some(at) => drop(open.swap_remove(at)),
                None => missing.push((expected.decl_as(&member), own, f)),
            }
        }
        for (head, own, f) in missing {
            let severity = if accepted { Severity::Warning } else { Severity::Error };
            let diagnostic = match open.pop() {
                Some((definition, found)) => {
                    let span = Span::new(self.file, definition.range.start, definition.range.end);
                    let message = format!(
                        "the definition of kernel `{member}` does not have the signature that `{}` requires",
                        f.func.name
                    );
                    let error = Diagnostic::new(&codes::BACKEND_KERNEL_DIFFERS, message).at(span);
                    differences(&own, &found).into_iter().map(|(_, text)| text).fold(error, Diagnostic::help)
                }
                None if accepted => continue,
                None => {
                    let message = format!("kernel `{member}` is not defined in `{}`", self.path.display());
                    let span = self.listed.get(f.func.name.to_string().as_str()).copied();
                    Diagnostic::new(&codes::BACKEND_KERNEL_MISSING, message).at(span.unwrap_or(f.spans.name))
                }
            };
            diagnostics.push(diagnostic.severity(severity).note(format!("expected: {head}")));
        }
    }
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
