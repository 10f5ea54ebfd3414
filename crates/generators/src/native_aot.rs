//! The operators with kernels compiled ahead of time, by key. `aten` reads the declarations.
//!
//! Invariant: manifests are sorted by key and operator, and no pair occurs twice. The reference
//! cannot sort two different keys and fails there; here they are sorted by name.

use torchgen_base::diag::{Diagnostic, Diagnostics, Span, did_you_mean};
use torchgen_model::codes;
use torchgen_model::group::NativeFunctionsGroup;
use torchgen_model::model::DispatchKey;

/// The part of a declaration that generation needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The operator: a base name that one structured group has, or a name with its overload.
    pub op: String,
    /// The key whose wrapper calls the kernels.
    pub dispatch_key: DispatchKey,
    /// The kernels are the implementation, so the user's switch does not apply to them.
    pub unconditional: bool,
    /// Where the operator is named.
    pub span: Span,
}

impl Manifest {
    /// The operator as part of an identifier.
    fn decl_id(&self) -> String {
        self.op.replace('.', "_")
    }

    /// The name of the stub, in `at::native`.
    pub fn stub_name(&self) -> String {
        format!("{}_aot_stub", self.decl_id())
    }

    /// The name of the function type of the stub's kernels.
    pub fn fn_type_name(&self) -> String {
        format!("{}_aot_fn", self.decl_id())
    }

    /// It is about this group.
    pub fn matches(&self, group: &NativeFunctionsGroup<'_>) -> bool {
        let name = &group.functional.func.name;
        if self.op.contains('.') { self.op == name.to_string() } else { self.op == name.name.base }
    }

    /// The stub as wrappers call it.
    pub fn qualified_stub_name(&self) -> String {
        format!("at::native::{}", self.stub_name())
    }

    /// The device type of the kernels that wrappers call.
    pub(crate) fn device_type(&self) -> String {
        format!("c10::DeviceType::{}", self.dispatch_key)
    }
}

/// All manifests of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifests(Vec<Manifest>);

impl Manifests {
    /// Sorts them; of two for one pair the first is kept and the other is an error.
    pub fn new(manifests: Vec<Manifest>, diagnostics: &mut Diagnostics) -> Manifests {
        let mut sorted = manifests;
        let order = |m: &Manifest| (m.dispatch_key.as_str(), m.op.clone());
        sorted.sort_by_cached_key(order);
        sorted.dedup_by(|again, first| {
            let same = order(again) == order(first);
            if same {
                let message = format!("`{}` is declared twice for {}", again.op, again.dispatch_key);
                let error = Diagnostic::new(&codes::AOT_DUPLICATE, message).at(again.span);
                // Objects of one class share the place of their constants.
                let elsewhere = again.span != first.span;
                diagnostics.push(if elsewhere { error.also(first.span, "declared here first") } else { error });
            }
            same
        });
        Manifests(sorted)
    }

    /// All, sorted by key and operator.
    pub fn iter(&self) -> std::slice::Iter<'_, Manifest> {
        self.0.iter()
    }

    /// Whether an operator has kernels for the key, so `Register<Key>.cpp` needs NativeAotStubs.h.
    pub(crate) fn has_key(&self, key: DispatchKey) -> bool {
        self.0.iter().any(|manifest| manifest.dispatch_key == key)
    }

    /// The manifest of a group for a key. One that names the overload takes precedence over one
    /// that does not.
    pub fn find(&self, key: DispatchKey, group: &NativeFunctionsGroup<'_>) -> Option<&Manifest> {
        let mut matching = self.0.iter().filter(|manifest| manifest.dispatch_key == key && manifest.matches(group));
        let first = matching.next()?;
        Some(if first.op.contains('.') { first } else { matching.next().unwrap_or(first) })
    }

    /// Checks that each is about exactly one structured group: only their wrappers can call kernels
    /// between `meta` and `impl`.
    pub fn check_groups(&self, groups: &[NativeFunctionsGroup<'_>], diagnostics: &mut Diagnostics) {
        let name = |group: &NativeFunctionsGroup<'_>| group.functional.func.name.to_string();
        for manifest in &self.0 {
            let op = manifest.op.as_str();
            let base = op.split('.').next().unwrap_or(op);
            let structured = || groups.iter().filter(|group| group.structured());
            let overloads: Vec<String> =
                structured().filter(|group| group.functional.root_name() == base).map(name).collect();
            let error = match (op.contains('.'), overloads.as_slice()) {
                (true, names) if names.iter().any(|name| name == op) => continue,
                (true, names) => {
                    let message = format!("there is no structured operator `{op}`");
                    let help = (!names.is_empty()).then(|| format!("structured overloads are {}", quoted(names)));
                    Diagnostic::new(&codes::AOT_OPERATOR, message).maybe_help(help)
                }
                (false, [_]) => continue,
                (false, []) => {
                    let bases: Vec<&str> = structured().map(|group| group.root_name()).collect();
                    Diagnostic::new(&codes::AOT_OPERATOR, format!("there is no structured operator `{op}`"))
                        .note("native AOT kernels are tried between `meta` and `impl`, which only structured operators have")
                        .maybe_help(did_you_mean(op, bases))
                }
                (false, names) => {
                    let message = format!("`{op}` matches several structured operators");
                    Diagnostic::new(&codes::AOT_OPERATOR, message).help(format!("write one of {}", quoted(names)))
                }
            };
            diagnostics.push(error.at(manifest.span));
        }
    }
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
