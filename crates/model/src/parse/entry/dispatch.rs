//! The dispatch table of an entry, or its default.
//!
//! Invariant: every key is in the result once, with a kernel in C++ or one in Python.

use super::{EntryOptions, python_kernels, registration};
use crate::codes;
use crate::model::aten_keys::{aten_keys, first_torch_with};
use crate::model::native_function::{DEFAULT_KERNEL_NAMESPACE, NamedFunction, default_kernel_name};
use crate::model::python_function::PythonKernel;
use crate::model::{BackendMetadata, DispatchKey, FunctionSchema, Language, Target};
use crate::records::{DispatchEntry, NativeFunctionRecord};
use torchgen_base::diag::{Diagnostic, Diagnostics, Help, did_you_mean};
use torchgen_base::lang::is_qualified_identifier;
use torchgen_base::yaml::Text;

/// The maximum depth of a kernel's namespace in the ATen layout: registration code can open no
/// more.
const MAX_NAMESPACES: usize = 2;

/// The kernels of an entry, each in order.
pub(super) struct Kernels {
    pub(super) cpp: Vec<(DispatchKey, BackendMetadata)>,
    pub(super) python: Vec<PythonKernel>,
}

/// The kernels of an entry.
pub(super) fn kernels(
    record: &NativeFunctionRecord,
    namespace: &str,
    func: &FunctionSchema,
    options: EntryOptions,
    diagnostics: &mut Diagnostics,
) -> Kernels {
    let structured = record.structured.as_ref().is_some_and(|s| s.value);
    let mut python = Vec::new();
    let mut kernels = match &record.dispatch {
        Some(written) => {
            let mut table = Table::new(namespace, structured, options);
            table.is_information = registration::is_own(record.registration.as_ref());
            for entry in &written.value {
                table.add(entry, diagnostics);
            }
            check_singleton(record, func, &table, diagnostics);
            python = table.python;
            table.kernels
        }
        None if structured || record.structured_delegate.is_some() => Vec::new(),
        // Their author knows which there are.
        None if registration::is_by_hand(record, options.target) => Vec::new(),
        None => {
            check_factory(record, func, options, diagnostics);
            let cpp_namespace = options.target.kernel_namespace(namespace);
            let kernel = default_kernel_name(func);
            vec![(DispatchKey::CompositeImplicitAutograd, BackendMetadata { kernel, structured: false, cpp_namespace })]
        }
    };
    if record.ufunc_inner_loop.is_some() {
        add_ufunc_kernels(record, func, &mut kernels, options, diagnostics);
    }
    Kernels { cpp: kernels, python }
}

/// Checks the table of an entry whose schema is invalid.
pub(super) fn check_keys(record: &NativeFunctionRecord, options: EntryOptions, diagnostics: &mut Diagnostics) {
    let mut table = Table::new("", false, options);
    for entry in record.dispatch.iter().flat_map(|table| &table.value) {
        table.add(entry, diagnostics);
    }
}

/// The function of that name; without a namespace it is in that of the kernels.
pub(super) fn named_function(text: &Text, namespace: &str, target: Target) -> NamedFunction {
    match text.as_str().rsplit_once("::") {
        Some((prefix, name)) => NamedFunction { cpp_namespace: prefix.to_owned(), name: name.to_owned() },
        None => NamedFunction { cpp_namespace: target.kernel_namespace(namespace), name: text.as_str().to_owned() },
    }
}

/// A dispatch table during parsing.
struct Table<'a> {
    namespace: &'a str,
    structured: bool,
    /// The library registers the operator, whatever the names of its kernels are.
    is_information: bool,
    options: EntryOptions<'a>,
    kernels: Vec<(DispatchKey, BackendMetadata)>,
    python: Vec<PythonKernel>,
    /// The keys so far and their places, to report duplicates.
    spelled: Vec<(DispatchKey, Text)>,
    /// The number of keys, including ignored ones.
    written: usize,
}

impl<'a> Table<'a> {
    fn new(namespace: &'a str, structured: bool, options: EntryOptions<'a>) -> Table<'a> {
        let (kernels, python, spelled) = Default::default();
        Table { namespace, structured, is_information: false, options, kernels, python, spelled, written: 0 }
    }

    fn add(&mut self, entry: &DispatchEntry, diagnostics: &mut Diagnostics) {
        for name in &entry.keys {
            let Some(key) = DispatchKey::parse(name.as_str()) else {
                diagnostics.push(unknown_key(name, self.options.target));
                continue;
            };
            if let Some(since) = first_torch_with(key, self.options.target.tables) {
                let message = format!("`{key}` is a dispatch key only since torch {since}");
                diagnostics.push(Diagnostic::new(&codes::UNKNOWN_DISPATCH_KEY, message).at(name.span()));
                continue;
            }
            self.written += 1;
            if let Some((_, first)) = self.spelled.iter().find(|(k, _)| *k == key) {
                diagnostics.push(
                    Diagnostic::new(&codes::DUPLICATE_DISPATCH_KEY, format!("two kernels for dispatch key `{key}`"))
                        .at_with(name.span(), "second one")
                        .also(first.span(), "first one"),
                );
                continue;
            }
            self.spelled.push((key, name.clone()));
            if self.options.ignore_keys.contains(&key) {
                continue;
            }
            if self.options.target.language == Language::Torchgen && !self.options.target.has_kernels_for(key) {
                diagnostics.push(
                    Diagnostic::new(
                        &codes::UNSUPPORTED_DISPATCH_KEY,
                        format!("no kernels are generated for dispatch key `{key}` in ATen"),
                    )
                    .at(name.span()),
                );
                continue;
            }
            if self.is_information {
                let kernel = "registered".to_owned();
                self.kernels.push((key, BackendMetadata { kernel, structured: false, cpp_namespace: String::new() }));
            } else if python_kernels::is_one(&entry.kernel) {
                let function = python_kernels::function(&entry.kernel, self.options.target, diagnostics);
                let span = entry.kernel.span();
                self.python.extend(function.map(|function| PythonKernel { key, function, span }));
            } else if let Some(metadata) = self.metadata(key, &entry.kernel, diagnostics) {
                self.kernels.push((key, metadata));
            }
        }
    }

    fn metadata(&self, key: DispatchKey, kernel: &Text, diagnostics: &mut Diagnostics) -> Option<BackendMetadata> {
        // `::f` is in no namespace.
        let absolute = kernel.as_str().strip_prefix("::").filter(|_| self.options.target.language == Language::C10);
        if !is_qualified_identifier(absolute.unwrap_or(kernel.as_str())) {
            let bare = kernel.as_str().trim_start_matches('&').split('(').next().unwrap_or_default();
            let bare = bare.replace('-', "_").replace('.', "::");
            let help = match kernel.as_str().contains(',') {
                true => Some("write one kernel for each key: `CPU: f_cpu`, and below it `CUDA: f_cuda`".into()),
                false => is_qualified_identifier(&bare).then(|| Help::write(bare.as_str())),
            };
            diagnostics.push(
                Diagnostic::new(
                    &codes::ILLEGAL_VALUE,
                    "a kernel must be the name of a C++ function, with or without namespaces",
                )
                .at(kernel.span())
                .maybe_help(help),
            );
            return None;
        }
        let (prefix, name) = match (absolute.unwrap_or(kernel.as_str()).rsplit_once("::"), absolute) {
            (Some((prefix, name)), _) => (Some(prefix), name),
            (None, Some(name)) => (Some(""), name),
            (None, None) => (None, kernel.as_str()),
        };
        let cpp_namespace = match (prefix, self.options.target.language) {
            (None, _) => self.options.target.kernel_namespace(self.namespace),
            (Some(prefix), Language::C10) => prefix.to_owned(),
            (Some(prefix), Language::Torchgen) => {
                if prefix.split("::").count() > MAX_NAMESPACES {
                    diagnostics.push(
                        Diagnostic::new(
                            &codes::KERNEL_NAMESPACE,
                            format!("the kernel's namespace `{prefix}` has more than {MAX_NAMESPACES} levels"),
                        )
                        .at(kernel.span()),
                    );
                    return None;
                }
                format!("{prefix}::native")
            }
        };
        let structured = self.structured
            && match self.options.target.language {
                Language::Torchgen => self.options.target.has_structured_kernels_for(key),
                Language::C10 => key.is_strided(),
            };
        Some(BackendMetadata { kernel: name.to_owned(), structured, cpp_namespace })
    }
}

fn unknown_key(name: &Text, target: Target) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(&codes::UNKNOWN_DISPATCH_KEY, format!("`{}` is not a dispatch key", name.as_str()))
            .at(name.span());
    if ONLY_IN_C10.contains(&name.as_str()) {
        return diagnostic
            .help("c10 has it, but kernels for it are not generated: register them in C++, with `TORCH_LIBRARY_IMPL`");
    }
    let candidates: Vec<DispatchKey> = match target.language {
        Language::Torchgen => aten_keys(target.tables).map(|row| row.key).collect(),
        Language::C10 => DispatchKey::ALL.to_vec(),
    };
    let hint = HINTS.iter().find(|(wrong, _)| *wrong == name.as_str());
    let hint = hint.map(|(wrong, right)| {
        Help::new(format!("write `{right}`")).word(*wrong, *right).certainly_if(wrong.eq_ignore_ascii_case(right))
    });
    let hint = hint.or_else(|| {
        let outside = target.language == Language::C10 && VENDORS.contains(&name.as_str());
        let text = "write `PrivateUse1`: it is the key of devices outside PyTorch, whatever their name";
        outside.then(|| Help::new(text).word(name.as_str(), "PrivateUse1"))
    });
    let hint = hint.or_else(|| did_you_mean(name.as_str(), candidates.iter().map(|k| k.as_str())));
    let usual = || {
        "the usual keys are `CPU`, `CUDA`, `CompositeExplicitAutograd` (all devices, with an own derivative) and \
         `CompositeImplicitAutograd`"
    };
    diagnostic.help(hint.unwrap_or_else(|| usual().into()))
}

/// Keys of c10 that PyTorch's generator does not know. Source: c10/core/DispatchKey.h.
const ONLY_IN_C10: [&str; 8] = [
    "Fake",
    "AutocastMTIA",
    "AutocastMAIA",
    "AutocastIPU",
    "AutocastHPU",
    "AutocastXLA",
    "AutocastMPS",
    "AutocastPrivateUse1",
];

/// Devices outside PyTorch that have no key of their own.
const VENDORS: [&str; 8] = ["NPU", "MLU", "GCU", "MUSA", "SDAA", "npu", "mlu", "musa"];

/// What authors write for keys, and what the keys are called.
const HINTS: [(&str, &str); 11] = [
    ("CompositeImplicit", "CompositeImplicitAutograd"),
    ("CompositeExplicit", "CompositeExplicitAutograd"),
    ("Composite", "CompositeImplicitAutograd"),
    ("All", "CompositeExplicitAutograd"),
    ("default", "CompositeExplicitAutograd"),
    ("ROCM", "CUDA"),
    ("ROCm", "CUDA"),
    ("GPU", "CUDA"),
    ("gpu", "CUDA"),
    ("cuda", "CUDA"),
    ("cpu", "CPU"),
];

/// A table with only a CompositeImplicitAutograd kernel is redundant, unless the kernel takes
/// symbolic integers.
fn check_singleton(record: &NativeFunctionRecord, func: &FunctionSchema, table: &Table, diagnostics: &mut Diagnostics) {
    if table.options.target.language == Language::C10 || table.written != 1 {
        return;
    }
    let [(DispatchKey::CompositeImplicitAutograd, kernel)] = table.kernels.as_slice() else { return };
    let Some(written) = &record.dispatch else { return };
    let expected = default_kernel_name(func);
    let spelled = written.value.first().map(|e| e.kernel.as_str()).unwrap_or_default();
    if spelled == expected {
        diagnostics.push(
            Diagnostic::new(&codes::REDUNDANT_DISPATCH, "this dispatch table only repeats the default")
                .at(written.span)
                .help(Help::new("delete `dispatch:`").without("dispatch", written.span).certainly()),
        );
    } else if record.structured_delegate.is_none() && !kernel.supports_symint() {
        diagnostics.push(
            Diagnostic::new(
                &codes::REDUNDANT_DISPATCH,
                format!("the only kernel is CompositeImplicitAutograd, so it must be called `{expected}`"),
            )
            .at(written.span)
            .help(format!("rename the kernel to `{expected}` and delete `dispatch:`")),
        );
    }
}

/// Factory functions must not decompose implicitly, so they must name their kernel.
fn check_factory(
    record: &NativeFunctionRecord,
    func: &FunctionSchema,
    options: EntryOptions,
    diagnostics: &mut Diagnostics,
) {
    let name = func.name.name.to_string();
    let is_factory = name.starts_with("new_")
        || name.ends_with("_like")
        || (func.arguments.tensor_options.is_some() && !func.arguments.has_tensor_arg());
    if is_factory && options.target.language == Language::Torchgen {
        let end = record.func.as_str().find('(').unwrap_or(record.func.as_str().len());
        diagnostics.push(
            Diagnostic::new(
                &codes::FACTORY_WITHOUT_DISPATCH,
                format!("`{name}` makes a tensor, so it needs a dispatch table"),
            )
            .at(record.func.sub_span(0..end))
            .help(default_dispatch(record, func))
            .note("a factory function that decomposes implicitly would be invisible to __torch_dispatch__"),
        );
    }
}

/// A help that says to add the kernel for all devices.
fn default_dispatch(record: &NativeFunctionRecord, func: &FunctionSchema) -> Help {
    let line = format!("CompositeExplicitAutograd: {}", default_kernel_name(func));
    let help = Help::new(format!("add `dispatch:` with `{line}`"));
    match record.dispatch {
        Some(_) => help,
        None => help.key(record.span.at_start(), record.func.span(), format!("dispatch:\n  {line}")),
    }
}

fn add_ufunc_kernels(
    record: &NativeFunctionRecord,
    func: &FunctionSchema,
    kernels: &mut Vec<(DispatchKey, BackendMetadata)>,
    options: EntryOptions,
    diagnostics: &mut Diagnostics,
) {
    let Some(span) = record.ufunc_inner_loop.as_ref().map(|u| u.span()) else { return };
    if options.target.language == Language::C10 {
        let message = "the inner loops of ufuncs are compiled in PyTorch's own build, not in a library's";
        diagnostics.push(
            Diagnostic::new(&codes::UFUNC_LOOPS, message)
                .at(span)
                .help("name kernels for CPU and CUDA under `dispatch:`, which loop over the `TensorIterator`"),
        );
        return;
    }
    if !record.structured.as_ref().is_some_and(|s| s.value) {
        diagnostics.push(
            Diagnostic::new(&codes::NEEDS_STRUCTURED, "only a structured kernel can have `ufunc_inner_loop:`")
                .at(span)
                .help(super::structured("add `structured: True`", record)),
        );
        return;
    }
    for key in [DispatchKey::CPU, DispatchKey::CUDA] {
        if kernels.iter().any(|(k, _)| *k == key) {
            diagnostics.push(
                Diagnostic::new(
                    &codes::UFUNC_WITH_KERNEL,
                    format!("`ufunc_inner_loop:` generates the kernel for {key}, but `dispatch:` names another"),
                )
                .at(record.dispatch.as_ref().map_or(span, |d| d.span))
                .also(span, "the ufunc"),
            );
            continue;
        }
        let kernel = format!("ufunc_{}_{key}", func.name.name);
        let cpp_namespace = DEFAULT_KERNEL_NAMESPACE.to_owned();
        kernels.push((key, BackendMetadata { kernel, structured: true, cpp_namespace }));
    }
}
