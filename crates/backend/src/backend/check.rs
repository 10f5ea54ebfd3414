//! Checks the operators that an external backend lists against PyTorch's.
//!
//! Invariant: this refuses what `torchgen.gen_backend_stubs` refuses, and names that it ignores.
//! Rule: torchgen/gen_backend_stubs.py, `parse_backend_yaml`.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use super::contract;
use torchgen_aten::aten::aoti_shim::python_name;
use torchgen_base::diag::{Allowed, Diagnostic, Diagnostics, Help, Span, did_you_mean, meant, nearest};
use torchgen_base::lang::{is_identifier, is_qualified_identifier};
use torchgen_base::yaml::Text;
use torchgen_generators::inputs::allow::lints;
use torchgen_kit::driver::data::{Table, Tables};
use torchgen_model::codes;
use torchgen_model::group::{Grouped, NativeFunctionsGroup, groups};
use torchgen_model::model::{BackendIndices, DispatchKey, NativeFunction};
use torchgen_model::records::BackendRecord;

/// Facts about operators that backends have kernels for.
#[derive(Deserialize)]
struct Copies {
    copies_between_devices: HashSet<String>,
}

impl Table for Copies {
    const PATH: &'static str = "torch/backend.yaml";
}

/// Reports errors in a backend's YAML, given all operators in groups and their existing kernels.
pub fn check_backend(
    record: &BackendRecord,
    grouped: &[Grouped<'_>],
    indices: &BackendIndices,
    tables: &Tables,
    diagnostics: &mut Diagnostics,
) {
    let codes = lints(&record.allow, diagnostics);
    let file = Span { start: 0, end: u32::MAX, ..record.backend.span() };
    diagnostics.allow([Allowed { within: Some(file), codes }]);
    let lists = Lists::new(record, grouped);
    keys(record, indices, diagnostics);
    namespace(&record.cpp_namespace, diagnostics);
    if let Some(name) = record.name.as_ref().filter(|name| !is_identifier(name.as_str())) {
        let message = format!("`{name}` cannot be a part of names in C++");
        diagnostics.push(Diagnostic::new(&codes::BACKEND_NAMESPACE, message).at(name.span()));
    }
    if let Some(name) = record.class_name.as_ref().filter(|name| !is_identifier(name.as_str())) {
        let message = format!("`{name}` cannot be the name of a class in C++");
        diagnostics.push(Diagnostic::new(&codes::BACKEND_NAMESPACE, message).at(name.span()));
    }
    lists.unknown(record, diagnostics);
    for names in [lists.below(), names("autograd", &record.autograd), names("ir_gen", &record.ir_gen)] {
        twice(names, diagnostics);
    }
    twice(names("symint", &record.symint), diagnostics);
    lists.split(diagnostics);
    lists.idle_symint(diagnostics);
    structured(record, grouped, indices, diagnostics);
    copies(record, tables, diagnostics);
    shims(record, grouped, diagnostics);
    contract::without_empty(record, diagnostics);
    contract::registrations(record, grouped, diagnostics);
    // With derivatives of its own, they are looked at first.
    if record.derivatives.is_none() {
        let functions = grouped.iter().flat_map(|group| group.functions());
        contract::lost_gradients(record, functions, tables, |_| false, diagnostics);
    }
}

/// Shims are listed by the operators' Python names.
fn shims(record: &BackendRecord, grouped: &[Grouped<'_>], diagnostics: &mut Diagnostics) {
    let Some(shim) = &record.aoti_shim else { return };
    if let Some(device) = shim.device.as_ref().filter(|device| !is_identifier(device.as_str())) {
        let message = format!("`{device}` cannot be part of a C identifier");
        diagnostics.push(Diagnostic::new(&codes::BACKEND_NAMESPACE, message).at(device.span()));
    }
    let functions = grouped.iter().flat_map(|group| group.functions());
    let known: Vec<String> = functions.map(python_name).collect();
    for name in shim.operators.iter().filter(|name| !known.iter().any(|other| other == name.as_str())) {
        let help = did_you_mean(name, known.iter().map(String::as_str));
        let help = help.unwrap_or_else(|| "write `aten.add.Tensor`, and `default` for no overload".into());
        let message = format!("`torch.ops` has no operator `{name}`");
        diagnostics.push(Diagnostic::new(&codes::NO_BACKEND_OPERATOR, message).at(name.span()).help(help));
    }
}

/// Structured kernels belong to out variants that are structured in PyTorch; the other variants are
/// generated from them.
fn structured(
    record: &BackendRecord,
    grouped: &[Grouped<'_>],
    indices: &BackendIndices,
    diagnostics: &mut Diagnostics,
) {
    let mut refuse = |span: Span, message: String, help: Option<Help>| {
        diagnostics.push(Diagnostic::new(&codes::STRUCTURED_BACKEND, message).at(span).maybe_help(help));
    };
    for kernel in &record.kernels {
        let (name, span) = (kernel.name.as_str(), kernel.name.span());
        if !kernel.structured {
            if kernel.define_meta || kernel.reuse_impl {
                let message = format!("`{name}` uses `define_meta` or `reuse_impl`, but is not structured");
                refuse(span, message, Some("add `structured: true`".into()));
            }
            continue;
        }
        if !grouped.iter().flat_map(|item| item.functions()).any(|f| f.func.name.to_string() == name) {
            continue;
        }
        let has = |g: &&NativeFunctionsGroup<'_>| g.functions().any(|f| f.func.name.to_string() == name);
        let Some(g) = groups(grouped).iter().find(has).copied().filter(NativeFunctionsGroup::structured) else {
            let message = format!("`{name}` is not a structured operator in PyTorch");
            refuse(span, message, Some("delete `structured`: the kernel is called directly".into()));
            continue;
        };
        let out = g.out.func.name.to_string();
        if out != name {
            refuse(
                span,
                format!("`{name}` is generated from `{out}`, which is the structured operator"),
                Some(format!("list `{out}`").into()),
            );
        }
        if kernel.define_meta && kernel.reuse_impl {
            refuse(span, format!("`{name}` cannot have a meta function of its own and use PyTorch's kernel"), None);
        }
        if kernel.reuse_impl
            && let Some(why) = not_shared(g.out, indices)
        {
            let message = format!("PyTorch's kernel of `{name}` cannot be reused: {why}");
            refuse(span, message, Some("delete `reuse_impl`, and write the kernel".into()));
        }
        for other in record.supported.iter().filter(|other| ![out.as_str(), name].contains(&other.as_str())) {
            if g.functions().any(|f| f.func.name.to_string() == other.as_str()) {
                let message = format!("`{other}` is generated from the structured kernel `{out}`");
                refuse(other.span(), message, Some("delete it from the list".into()));
            }
        }
    }
}

/// Why the kernel of an operator runs only on the devices that it was written for, if so. A kernel
/// that CPU and CUDA share calls a dispatch stub, and so do those of ufuncs.
fn not_shared(out: &NativeFunction, indices: &BackendIndices) -> Option<String> {
    let kernel = |key| indices.find(key).and_then(|index| index.get_kernel(out)).map(|kernel| kernel.kernel.as_str());
    match (kernel(DispatchKey::CPU), kernel(DispatchKey::CUDA)) {
        (None, _) => Some("the CPU has none".to_owned()),
        (Some(_), _) if !out.ufunc_inner_loop.is_empty() => None,
        (Some(cpu), None) => Some(format!("`{cpu}` is for the CPU alone")),
        (Some(cpu), Some(cuda)) if cpu != cuda => {
            Some(format!("`{cpu}` is for the CPU alone, as `{cuda}` is for CUDA"))
        }
        _ => None,
    }
}

/// Operators that copy between devices, and are useless if their wrappers refuse that. The bytes
/// are those of the reference, so this is a warning.
fn copies(record: &BackendRecord, tables: &Tables, diagnostics: &mut Diagnostics) {
    if record.guards.check.is_some() {
        return;
    }
    let table: &Copies = tables.get();
    let listed = record.supported.iter().chain(&record.autograd);
    for name in listed.filter(|name| table.copies_between_devices.contains(name.as_str())) {
        let own = record.kernels.iter().find(|kernel| kernel.name == *name);
        let guarded = own.and_then(|kernel| kernel.device_guard).unwrap_or(record.device_guard);
        if guarded && own.is_none_or(|kernel| kernel.device_check.is_none()) {
            let message = format!("the wrapper of `{name}` requires that all tensors are on one device");
            let found = Diagnostic::new(&codes::COPY_CHECKS_DEVICES, message).at(name.span());
            let found = found.note("`x.to(device)` copies from another device, and would raise an error");
            diagnostics.push(found.help(format!("write `device_check: NoCheck` below `{name}`")));
        }
    }
}

/// Dispatch keys must exist and be unused.
fn keys(record: &BackendRecord, indices: &BackendIndices, diagnostics: &mut Diagnostics) {
    let backend = &record.backend;
    if record.supported.is_empty() && record.full_codegen.is_empty() && record.autograd.is_empty() {
        // The key has no effect, and the reference does not check it.
        return;
    }
    let Some(key) = DispatchKey::parse(backend) else {
        let help = match nearest(backend, DispatchKey::ALL.iter().map(|key| key.as_str())) {
            Some(key) if key.len() > 4 || key.eq_ignore_ascii_case(backend) => meant(backend, key),
            _ => {
                format!("a backend outside PyTorch has its own key: write `backend: PrivateUse1` and `name: {backend}`")
                    .into()
            }
        };
        let error = Diagnostic::new(&codes::UNKNOWN_DISPATCH_KEY, format!("`{backend}` is not a dispatch key"));
        diagnostics.push(error.at(backend.span()).help(help));
        return;
    };
    let autograd = format!("Autograd{backend}");
    let mut wanted = Vec::new();
    if !record.supported.is_empty() || !record.full_codegen.is_empty() {
        wanted.push(key);
    }
    if let Some(first) = record.autograd.first() {
        match DispatchKey::parse(&autograd) {
            Some(key) => wanted.push(key),
            None => diagnostics.push(
                Diagnostic::new(&codes::UNKNOWN_DISPATCH_KEY, format!("`{autograd}` is not a dispatch key"))
                    .at(backend.span())
                    .also(first.span(), "has a kernel for it"),
            ),
        }
    }
    for key in wanted.into_iter().filter(|key| indices.find(*key).is_some()) {
        diagnostics.push(
            Diagnostic::new(&codes::BACKEND_TAKEN, format!("native_functions.yaml has kernels for `{key}`"))
                .at(backend.span())
                .help("a backend outside PyTorch has its own key, such as `PrivateUse1`"),
        );
    }
}

/// Generated code opens the namespace. Rule: torchgen/utils.py, `NamespaceHelper`.
fn namespace(name: &Text, diagnostics: &mut Diagnostics) {
    if !is_qualified_identifier(name.as_str()) {
        let message = format!("`{name}` is not a C++ namespace");
        let help = "write it as `vendor` or `vendor::device`";
        diagnostics.push(Diagnostic::new(&codes::BACKEND_NAMESPACE, message).at(name.span()).help(help));
    }
}

/// A list's items with their dispatch key.
fn names<'a>(key: &'static str, list: &'a [Text]) -> Vec<(&'static str, &'a Text)> {
    list.iter().map(|name| (key, name)).collect()
}

fn twice(names: Vec<(&'static str, &Text)>, diagnostics: &mut Diagnostics) {
    let mut seen: HashMap<&str, (&str, Span)> = HashMap::new();
    for (key, name) in names {
        match seen.get(name.as_str()) {
            Some((other, first)) => {
                let help = match key == *other {
                    true => "delete one of them, or write another overload".to_owned(),
                    false => format!("delete it below `{other}`: it counts as one of `{key}`"),
                };
                diagnostics.push(
                    Diagnostic::new(&codes::DUPLICATE_BACKEND_OPERATOR, format!("`{name}` is listed twice"))
                        .at(name.span())
                        .also(*first, "first listed here")
                        .help(help),
                );
            }
            None => {
                seen.insert(name, (key, name.span()));
            }
        }
    }
}

struct Lists<'a> {
    record: &'a BackendRecord,
    /// The group of each operator, by its name.
    groups: HashMap<String, usize>,
    /// The operators that take symbolic sizes.
    symbolic: HashSet<String>,
    /// All operators, in order.
    known: Vec<String>,
}

impl<'a> Lists<'a> {
    fn new(record: &'a BackendRecord, grouped: &[Grouped<'_>]) -> Lists<'a> {
        let names = |(at, group): (usize, &Grouped<'_>)| {
            group.functions().into_iter().map(|f| (f.func.name.to_string(), at)).collect::<Vec<_>>()
        };
        let all: Vec<(String, usize)> = grouped.iter().enumerate().flat_map(names).collect();
        let functions = grouped.iter().flat_map(|group| group.functions());
        let symbolic = functions.filter(|f| f.func.has_symint()).map(|f| f.func.name.to_string()).collect();
        Lists {
            record,
            symbolic,
            known: all.iter().map(|(name, _)| name.clone()).collect(),
            groups: all.into_iter().collect(),
        }
    }

    /// The operators with kernels below autograd.
    fn below(&self) -> Vec<(&'static str, &'a Text)> {
        let (mut below, record) = (names("supported", &self.record.supported), self.record);
        below.extend(names("full_codegen", &record.full_codegen));
        below
    }

    fn unknown(&self, record: &BackendRecord, diagnostics: &mut Diagnostics) {
        let lists = [&record.supported, &record.full_codegen, &record.autograd, &record.ir_gen];
        for name in lists.into_iter().flatten().filter(|name| !self.groups.contains_key(name.as_str())) {
            let bare = name.rsplit("::").next().filter(|bare| self.groups.contains_key(*bare));
            let help = match bare {
                Some(bare) => {
                    let help = Help::new(format!("write the name without a namespace: `{bare}`"));
                    Some(help.instead(bare).certainly())
                }
                None if name.contains("::") => Some(self.own(name)),
                None => did_you_mean(name, self.known.iter().map(String::as_str))
                    .or_else(|| self.overloads(name).map(Help::from))
                    .or_else(|| Some(self.own(name))),
            };
            let error = Diagnostic::new(&codes::NO_BACKEND_OPERATOR, format!("there is no operator `{name}`"));
            diagnostics.push(error.at(name.span()).maybe_help(help));
        }
    }

    /// The help for the name of an operator that may be the backend's own.
    fn own(&self, name: &str) -> Help {
        match &self.record.library {
            Some(library) if name.contains("::") => {
                format!("delete it: the operator library in `{library}` registers the kernels of its own operators")
                    .into()
            }
            _ => contract::own_operator(),
        }
    }

    /// The overloads of a name that is none itself, as a help.
    fn overloads(&self, name: &str) -> Option<String> {
        let overload = |known: &&String| known.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        let found: Vec<String> = self.known.iter().filter(overload).map(|known| format!("`{known}`")).collect();
        (!found.is_empty()).then(|| format!("its overloads are {}", found.join(", ")))
    }

    /// Variants of one operator are made from each other, so all must be either at autograd or
    /// below it.
    fn split(&self, diagnostics: &mut Diagnostics) {
        let mut below: HashMap<usize, (&str, &Text)> = HashMap::new();
        for (key, name) in self.below() {
            if let Some(group) = self.groups.get(name.as_str()) {
                below.entry(*group).or_insert((key, name));
            }
        }
        for name in &self.record.autograd {
            let Some((key, other)) = self.groups.get(name.as_str()).and_then(|group| below.get(group)) else {
                continue;
            };
            let message = match name == *other {
                true => format!("`{name}` is listed under `autograd` and under `{key}`"),
                false => format!("`{name}` is listed under `autograd`, but its variant `{other}` under `{key}`"),
            };
            diagnostics.push(
                Diagnostic::new(&codes::SPLIT_BACKEND_OPERATOR, message)
                    .at(name.span())
                    .also(other.span(), format!("under `{key}`"))
                    .help("list all variants of an operator under one of them"),
            );
        }
    }

    fn idle_symint(&self, diagnostics: &mut Diagnostics) {
        let listed: Vec<&str> =
            self.below().into_iter().map(|(_, name)| name).chain(&self.record.autograd).map(Text::as_str).collect();
        let set: HashSet<&str> = listed.iter().copied().collect();
        for name in self.record.symint.iter().filter(|name| !set.contains(name.as_str())) {
            let help = did_you_mean(name, listed.iter().copied());
            let message = format!("`{name}` is listed under `symint`, but the backend has no kernel for it");
            let error = Diagnostic::new(&codes::IDLE_SYMINT, message).at(name.span());
            diagnostics.push(match help {
                Some(help) => error.help(help),
                None => error.help("list it under `supported`, `full_codegen` or `autograd` too"),
            });
        }
        let wrong = |name: &&Text| {
            set.contains(name.as_str())
                && self.groups.contains_key(name.as_str())
                && !self.symbolic.contains(name.as_str())
        };
        for name in self.record.symint.iter().filter(wrong) {
            let message = format!("`{name}` is listed under `symint`, but its schema has no `SymInt`");
            let help = "remove it from the list: its kernel does not take symbolic sizes";
            diagnostics.push(Diagnostic::new(&codes::NOTHING_SYMBOLIC, message).at(name.span()).help(help));
        }
    }
}
