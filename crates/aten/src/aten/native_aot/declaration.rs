//! What an `aot.py` must declare, parsed from its text.
//!
//! A module is itself a declaration, or its `declarations()` returns a list of objects that are.
//! The reference runs the module; here its literals are read. A value that only running it would
//! show is an error where it is needed, and taken on trust elsewhere.
//!
//! Invariant: whatever the reference's loader accepts and the text shows is accepted. Rule:
//! torchgen/native_aot_decl.py.

use std::ops::Range;

use torchgen_base::diag::{Diagnostic, Diagnostics, FileId, Span, did_you_mean, plural};
use torchgen_base::lang::python::literals::{self, Function, Located, Object, Scope, Value};
use torchgen_generators::native_aot::Manifest;
use torchgen_model::codes;
use torchgen_model::model::DispatchKey;

/// Functions of a declaration: the name, how many arguments they take (`None` if that varies), and
/// whether they are required.
const FUNCTIONS: [(&str, Option<usize>, bool); 7] = [
    (GRID, Some(0), true),
    ("covered_axes", None, true),
    ("cpp_dispatch", Some(1), true),
    ("cpp_launch", Some(2), true),
    ("cpp_dispatch_prelude", Some(0), false),
    ("cpp_helpers", Some(0), false),
    ("cpp_covers", Some(0), false),
];
/// The function that lists the kernels to compile.
const GRID: &str = "kernel_precompile_grid";
/// The function that makes a module a family.
const FAMILY: &str = "declarations";

/// The declarations of one `aot.py`. Errors are diagnostics.
pub(super) fn declarations(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Vec<Manifest> {
    let scope = match literals::module(text) {
        Ok(scope) => scope,
        Err(error) => {
            let span = Span::new(file, error.range.start, error.range.end);
            diagnostics.push(Diagnostic::new(error.code, error.message).at(span).maybe_help(error.help));
            return Vec::new();
        }
    };
    let mut reader = Reader { file, scope: &scope, diagnostics };
    match scope.names().get(FAMILY) {
        None | Some(Located { value: Value::None, .. }) => {
            // A missing part has no place, so its error is at the start of the module.
            reader.declaration(scope.names(), &(0..0)).into_iter().collect()
        }
        Some(family) => reader.family(&family),
    }
}

struct Reader<'a> {
    file: FileId,
    scope: &'a Scope,
    diagnostics: &'a mut Diagnostics,
}

impl Reader<'_> {
    fn error(&mut self, code: &'static torchgen_base::diag::CodeInfo, range: &Range<usize>, message: String) {
        let span = Span::new(self.file, range.start, range.end);
        self.diagnostics.push(Diagnostic::new(code, message).at(span));
    }

    fn not_literal(&mut self, range: &Range<usize>, what: &str) {
        let span = Span::new(self.file, range.start, range.end);
        self.diagnostics.push(
            Diagnostic::new(&codes::AOT_NOT_LITERAL, format!("{what} is known only when the module runs"))
                .at(span)
                .note("declarations are parsed, not run")
                .help("write it as a literal"),
        );
    }

    fn family(&mut self, family: &Located) -> Vec<Manifest> {
        let returned = match &family.value {
            Value::Function(function) => self.scope.returned(function),
            Value::Unknown => Some(family.clone()),
            other => {
                let message = format!("`{FAMILY}` must be a function, not {}", other.type_name());
                self.error(&codes::AOT_FAMILY, &family.range, message);
                return Vec::new();
            }
        };
        let members = match returned.as_ref().map(|returned| (&returned.value, &returned.range)) {
            Some((Value::Unknown, range)) => {
                self.not_literal(range, &format!("what `{FAMILY}` returns"));
                return Vec::new();
            }
            Some((Value::List(members), _)) if !members.is_empty() => members.clone(),
            other => {
                let range = other.map_or(&family.range, |(_, range)| range);
                let message = format!("the result of `{FAMILY}` must be a non-empty list");
                self.error(&codes::AOT_FAMILY, range, message);
                return Vec::new();
            }
        };
        let mut manifests = Vec::new();
        for member in members.iter() {
            match &member.value {
                Value::Object(object) => manifests.extend(self.declaration(object, &member.range)),
                Value::Unknown => self.not_literal(&member.range, "this declaration"),
                other => {
                    let message = format!("a declaration must be an object, not {}", other.type_name());
                    self.error(&codes::AOT_FAMILY, &member.range, message);
                }
            }
        }
        manifests
    }

    /// Checks one declaration, which is at `place`.
    fn declaration(&mut self, object: &Object, place: &Range<usize>) -> Option<Manifest> {
        let op = self.constant(object, "ATEN_OP", place);
        let key = self.constant(object, "DISPATCH_KEY", place);
        self.kernel_module(object, place);
        for (name, arity, required) in FUNCTIONS {
            self.function(object, name, arity, required, place);
        }
        self.architectures(object);
        let unconditional = self.unconditional(object, place);
        let dispatch_key = key.and_then(|(key, at)| self.dispatch_key(&key, &at));
        let (op, at) = op?;
        let span = Span::new(self.file, at.start, at.end);
        Some(Manifest { op, dispatch_key: dispatch_key?, unconditional: unconditional?, span })
    }

    fn dispatch_key(&mut self, key: &str, at: &Range<usize>) -> Option<DispatchKey> {
        let parsed = DispatchKey::parse(key);
        if parsed.is_none() {
            let known = DispatchKey::ALL.iter().map(|key| key.as_str());
            self.diagnostics.push(
                Diagnostic::new(&codes::AOT_CONSTANT, format!("`{key}` is not a dispatch key"))
                    .at(Span::new(self.file, at.start, at.end))
                    .maybe_help(did_you_mean(key, known)),
            );
        }
        parsed
    }

    /// A string that is required and must be known.
    fn constant(&mut self, object: &Object, name: &str, place: &Range<usize>) -> Option<(String, Range<usize>)> {
        let found = self.string(object, name, place)?;
        match &found.value {
            Value::Str(text) => Some((text.to_string(), found.range)),
            _ => {
                self.not_literal(or(&found.range, place), &format!("`{name}`"));
                None
            }
        }
    }

    /// Its value is for other tools, so it can be unknown.
    fn kernel_module(&mut self, object: &Object, place: &Range<usize>) {
        self.string(object, "KERNEL_MODULE", place);
    }

    /// A value that is a string or unknown.
    fn string(&mut self, object: &Object, name: &str, place: &Range<usize>) -> Option<Located> {
        match object.get(name) {
            Some(found) if matches!(found.value, Value::Str(_) | Value::Unknown) => Some(found),
            Some(found) => {
                let message = format!("`{name}` must be a string, not {}", found.value.type_name());
                self.error(&codes::AOT_CONSTANT, &found.range, message);
                None
            }
            None => {
                self.error(&codes::AOT_CONSTANT, place, format!("the declaration has no `{name}`"));
                None
            }
        }
    }

    fn function(&mut self, object: &Object, name: &str, arity: Option<usize>, required: bool, place: &Range<usize>) {
        let found = object.get(name);
        match found.as_ref().map(|found| (&found.value, &found.range)) {
            None | Some((Value::None, _)) if !required => {}
            None => self.error(&codes::AOT_FUNCTION, place, format!("the declaration has no function `{name}`")),
            Some((Value::Function(function), _)) => {
                if let (Some(wanted), Some(given)) = (arity, function.positional())
                    && wanted != given
                {
                    let message = format!("`{name}` must take {}, not {given}", parameters(wanted));
                    self.error(&codes::AOT_FUNCTION, function.range(), message);
                }
                if name == GRID {
                    self.grid(function);
                }
            }
            Some((Value::Unknown | Value::Class(_) | Value::Object(_), _)) => {}
            Some((other, range)) => {
                let message = format!("`{name}` must be a function, not {}", other.type_name());
                self.error(&codes::AOT_FUNCTION, range, message);
            }
        }
    }

    fn grid(&mut self, function: &Function) {
        let returned = self.scope.returned(function);
        match returned.as_ref().map(|returned| (&returned.value, &returned.range)) {
            Some((Value::Unknown | Value::Object(_), _)) => {}
            Some((Value::List(points), _)) if !points.is_empty() => {
                for point in points.iter() {
                    if !matches!(point.value, Value::Dict(_) | Value::Unknown | Value::Object(_)) {
                        let message = format!("a point of the grid must be a dict, not {}", point.value.type_name());
                        self.error(&codes::AOT_FUNCTION, &point.range, message);
                    }
                }
            }
            other => {
                let range = other.map_or(function.range(), |(_, range)| range);
                self.error(&codes::AOT_FUNCTION, range, format!("the result of `{GRID}` must be a non-empty list"));
            }
        }
    }

    fn architectures(&mut self, object: &Object) {
        let Some(found) = object.get("ARCHS") else { return };
        if matches!(found.value, Value::Unknown | Value::Object(_)) {
            return;
        }
        let Some(items) = found.value.items().filter(|items| !items.is_empty()) else {
            let message = "`ARCHS` must be a non-empty sequence of strings".to_owned();
            self.error(&codes::AOT_ARCHITECTURE, &found.range, message);
            return;
        };
        for item in items {
            match &item.value {
                Value::Str(arch) if is_architecture(arch) => {}
                Value::Unknown => {}
                Value::Str(arch) => {
                    let span = Span::new(self.file, item.range.start, item.range.end);
                    self.diagnostics.push(
                        Diagnostic::new(&codes::AOT_ARCHITECTURE, format!("`{arch}` is not a valid architecture"))
                            .at(span)
                            .help("an architecture is `sm_` and a compute capability from 3.0 to 12.9, as in `sm_90a`"),
                    );
                }
                other => {
                    let message = format!("an architecture must be a string, not {}", other.type_name());
                    self.error(&codes::AOT_ARCHITECTURE, &item.range, message);
                }
            }
        }
    }

    fn unconditional(&mut self, object: &Object, place: &Range<usize>) -> Option<bool> {
        const NAME: &str = "UNCONDITIONAL";
        let Some(found) = object.get(NAME) else { return Some(false) };
        match found.value {
            Value::Bool(value) => Some(value),
            Value::Unknown => {
                self.not_literal(or(&found.range, place), &format!("`{NAME}`"));
                None
            }
            other => {
                let message = format!("`{NAME}` must be a bool, not {}", other.type_name());
                self.error(&codes::AOT_CONSTANT, &found.range, message);
                None
            }
        }
    }
}

/// The range, unless it is empty because the value may come from anywhere.
fn or<'a>(range: &'a Range<usize>, place: &'a Range<usize>) -> &'a Range<usize> {
    if range.is_empty() { place } else { range }
}

fn parameters(count: usize) -> String {
    match count {
        0 => "no parameters".to_owned(),
        _ => plural(count, "parameter"),
    }
}

/// `sm_90`, `sm_100a`: a known major number, one minor digit, optionally an `a`.
fn is_architecture(text: &str) -> bool {
    let Some(number) = text.strip_prefix("sm_") else { return false };
    let number = number.strip_suffix('a').unwrap_or(number);
    let plain = number.len() <= 3 && !number.starts_with('0') && number.bytes().all(|b| b.is_ascii_digit());
    plain && number.parse().is_ok_and(|number: u32| (30..130).contains(&number))
}
