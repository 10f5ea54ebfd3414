//! Parts of a backend's YAML: single kernels, generated files, nodes and the C shim.
//!
//! Invariant: a record has the types of its keys.

use serde::Serialize;

use super::take_required;
use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean};
use torchgen_base::lang::is_qualified_identifier;
use torchgen_base::yaml::fields::{Fields, text};
use torchgen_base::yaml::keys::{KeySpec, KeyTable, MapKeys, Others, Shape};
use torchgen_base::yaml::{Node, NodeKind, Text};
use torchgen_kit::header::included;

/// The settings of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KernelRecord {
    /// The operator.
    pub name: Text,
    /// It is a structured kernel.
    pub structured: bool,
    /// The backend has a meta function of its own for it.
    pub define_meta: bool,
    /// PyTorch's is used; it calls the function that the backend registers with a dispatch stub.
    pub reuse_impl: bool,
    /// Its wrapper guards the device; overrides the setting of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_guard: Option<bool>,
    /// Its wrapper checks that all tensors are on one device; overrides what `device_guard` and
    /// PyTorch's operator say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_check: Option<bool>,
    /// What the author's own templates want to know of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<(Text, Text)>,
}

/// The values of `device_check`, by what they mean.
const DEVICE_CHECKS: [(&str, bool); 2] = [("NoCheck", false), ("ExactSame", true)];

/// The text to add to a generated file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileRecord {
    /// The name of the file, or `*` for all.
    pub name: Text,
    /// Headers that it includes in addition to its own.
    pub headers: Vec<String>,
    /// Text at the beginning of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prologue: Option<Text>,
    /// Statements after the registrations, where `m` is the library.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registrations: Option<Text>,
    /// Text at the end of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epilogue: Option<Text>,
}

/// A node of a lazy backend that is not an operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NonNativeRecord {
    /// Its schema.
    pub func: Text,
    /// The C++ expression of its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opkind: Option<Text>,
    /// What is generated for it.
    pub properties: Vec<Text>,
}

/// What is put into generated files, in a file of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HooksRecord {
    /// `FROM -> TO`: beginnings of paths that are included.
    pub includes: Vec<Text>,
    /// What is put into single files, or all.
    pub files: Vec<FileRecord>,
}

/// What wrappers call to check devices and switch between them, where that is not PyTorch's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GuardsRecord {
    /// The function that compares the device of a tensor with that of those before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<Text>,
    /// The class of the guard that is set to the device of a tensor, which may not be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optional: Option<Text>,
    /// The class of the guard that is set to the device of a tensor that is to be made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub always: Option<Text>,
}

/// The C shim of AOTInductor for a backend.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShimRecord {
    /// The device in the names of files and functions; without it, the backend in lower case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<Text>,
    /// Operators that get a shim in addition to AOTInductor's fallback operators:
    /// `aten.add.Tensor`.
    pub operators: Vec<Text>,
}

/// The parts that can be generated for a node. Rule: torchgen/api/lazy.py, `LazyIrProperties`.
const PROPERTIES: &[&str] = &[
    "ShapePrecompute",
    "ShapeCompute",
    "ShapeCache",
    "Lower",
    "LowerDeclOnly",
    "CanBeReused",
    "CanBeReusedDeclOnly",
    "CreateFn",
    "CreateFnDeclOnly",
    "TreatScalarsAsConstants",
];

pub(super) static KERNEL_KEYS: KeyTable = KeyTable {
    what: "a kernel",
    keys: &[
        KeySpec::new(
            "structured",
            Shape::Bool,
            "Whether this out= variant has a structured kernel, from which the other variants are generated.",
        ),
        KeySpec::new("define_meta", Shape::Bool, "Whether the backend has its own meta function instead of PyTorch's."),
        KeySpec::new(
            "reuse_impl",
            Shape::Bool,
            "Whether to use PyTorch's structured kernel, which calls a function that the backend registers with a dispatch stub.",
        ),
        KeySpec::new(
            "device_guard",
            Shape::Bool,
            "Whether its wrapper switches to the device of its arguments; overrides `device_guard` of the file.",
        ),
        KeySpec::new(
            "device_check",
            Shape::Word(&["NoCheck", "ExactSame"]),
            "Whether its wrapper checks that all tensors are on one device; by default as in PyTorch, if the wrapper switches devices.",
        ),
        KeySpec::new(
            "own",
            Shape::Map(MapKeys { words: Vec::new, offered: Vec::new }),
            "Texts for templates of your own, with `--template-dir`: `entry.NAME`.",
        ),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

pub(super) static FILE_KEYS: KeyTable = KeyTable {
    what: "a generated file",
    keys: &[
        KeySpec::new(
            "headers",
            Shape::Texts,
            "Headers that it includes besides its own: `backend/fallback.h`, `<vector>`.",
        ),
        KeySpec::new("prologue", Shape::Text, "Text at the beginning of the file."),
        KeySpec::new("registrations", Shape::Text, "Statements after the registrations, where `m` is the library."),
        KeySpec::new("epilogue", Shape::Text, "Text at the end of the file."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

pub(super) static NON_NATIVE_KEYS: KeyTable = KeyTable {
    what: "a node that is not an operator",
    keys: &[
        KeySpec::new("func", Shape::Text, "The schema of the node.").required(),
        KeySpec::new(
            "opkind",
            Shape::Text,
            "The C++ expression of its kind, if it is not an interned `aten::` symbol.",
        )
        .nullable(),
        KeySpec::new("properties", Shape::WordList(PROPERTIES), "The parts to generate for it."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

static HOOKS_KEYS: KeyTable = KeyTable {
    what: "a file of hooks",
    keys: &[
        KeySpec::new("includes", Shape::Texts, "Rules `FROM -> TO`, which replace the beginnings of included paths."),
        KeySpec::new(
            "files",
            Shape::Named(&FILE_KEYS),
            "Text to add to generated files, by their names; `*` means all files.",
        ),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

pub(super) static GUARD_KEYS: KeyTable = KeyTable {
    what: "the guards of a backend",
    keys: &[
        KeySpec::new(
            "check",
            Shape::Text,
            "The function that wrappers call instead of `c10::impl::check_and_update_common_device`.",
        ),
        KeySpec::new("optional", Shape::Text, "The class that kernels use instead of `at::OptionalDeviceGuard`."),
        KeySpec::new("always", Shape::Text, "The class that kernels use instead of `at::DeviceGuard`."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

pub(super) static SHIM_KEYS: KeyTable = KeyTable {
    what: "the C shim of a backend",
    keys: &[
        KeySpec::new("device", Shape::Text, "The device's name in Python; by default the dispatch key in lower case."),
        KeySpec::new(
            "operators",
            Shape::Texts,
            "Operators that get a shim in addition to AOTInductor's fallback operators: `aten.add.Tensor`, `aten.relu.default`.",
        ),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// An item of `supported`: a name, or a name with a mapping.
pub(super) fn read_kernel(
    node: Node,
    names: &mut Vec<Text>,
    kernels: &mut Vec<KernelRecord>,
    diagnostics: &mut Diagnostics,
) {
    let NodeKind::Mapping(pairs) = node.kind else {
        names.extend(text(node, "an item of `supported`", diagnostics));
        return;
    };
    let mut pairs = pairs.into_iter();
    let Some((key, value)) = pairs.next() else { return };
    let Some(name) = text(key, "an operator in `supported`", diagnostics) else { return };
    if let Some((option, _)) = pairs.next() {
        // Keys at the operator's level would not apply to anything.
        let message = format!("this key is on the same level as `{name}`, so it does not apply to it");
        let found =
            Diagnostic::new(&codes::KEY_BESIDE_KERNEL, message).at(option.span).also(name.span(), "the operator");
        diagnostics.push(found.help("indent the key more than the operator"));
        return;
    }
    names.push(name.clone());
    if value.is_null() {
        return;
    }
    let Some(mut fields) = Fields::new(value, &KERNEL_KEYS, diagnostics) else { return };
    let mut flag = |key| fields.take_bool(key).map(|flag| flag.value);
    let [structured, define_meta, reuse_impl, device_guard] =
        ["structured", "define_meta", "reuse_impl", "device_guard"].map(&mut flag);
    let device_check = fields.take_text("device_check");
    let device_check = device_check.and_then(|word| read_device_check(&word, fields.diagnostics()));
    let own = fields.take_map("own").map(|own| own.value).unwrap_or_default();
    fields.finish();
    let on = |flag: Option<bool>| flag.unwrap_or_default();
    kernels.push(KernelRecord {
        name,
        structured: on(structured),
        define_meta: on(define_meta),
        reuse_impl: on(reuse_impl),
        device_guard,
        device_check,
        own,
    });
}

/// The value of `device_check`; another one is reported.
fn read_device_check(word: &Text, diagnostics: &mut Diagnostics) -> Option<bool> {
    let known = DEVICE_CHECKS.iter().find(|(name, _)| *name == word.as_str());
    if known.is_none() {
        let names = DEVICE_CHECKS.map(|(name, _)| name);
        let help = did_you_mean(word, names).unwrap_or_else(|| format!("known values: {}", names.join(", ")).into());
        let error = Diagnostic::new(&codes::ILLEGAL_VALUE, format!("`{word}` is not a device check"));
        diagnostics.push(error.at(word.span()).help(help));
    }
    known.map(|(_, checks)| *checks)
}

/// The value of `files`.
pub(super) fn read_files(node: Node, diagnostics: &mut Diagnostics) -> Vec<FileRecord> {
    let NodeKind::Mapping(pairs) = node.kind else {
        let message = "`files` must be a mapping from the names of files";
        diagnostics.push(Diagnostic::new(&codes::WRONG_TYPE, message).at(node.span));
        return Vec::new();
    };
    let mut files = Vec::new();
    for (key, value) in pairs {
        let Some(name) = text(key, "the name of a file", diagnostics) else { continue };
        let Some(mut fields) = Fields::new(value, &FILE_KEYS, diagnostics) else { continue };
        let headers = fields.take_texts("headers").map_or_else(Vec::new, |list| list.value);
        let headers = headers.iter().filter_map(|header| included(header, fields.diagnostics())).collect();
        let [prologue, registrations, epilogue] =
            ["prologue", "registrations", "epilogue"].map(|key| fields.take_text(key));
        fields.finish();
        files.push(FileRecord { name, headers, prologue, registrations, epilogue });
    }
    files
}

/// An item of `non_native`.
pub(super) fn read_non_native(node: Node, diagnostics: &mut Diagnostics) -> Option<NonNativeRecord> {
    let mut fields = Fields::new(node, &NON_NATIVE_KEYS, diagnostics)?;
    let func = take_required(&mut fields, "func");
    let opkind = fields.take_text("opkind");
    let properties = fields.take_texts("properties").map_or_else(Vec::new, |list| list.value);
    for property in properties.iter().filter(|property| !PROPERTIES.contains(&property.as_str())) {
        let help = did_you_mean(property, PROPERTIES.iter().copied());
        let error = Diagnostic::new(&codes::ILLEGAL_VALUE, format!("`{property}` is not a property of a node"));
        let help = help.unwrap_or_else(|| format!("known values: {}", PROPERTIES.join(", ")).into());
        fields.diagnostics().push(error.at(property.span()).help(help));
    }
    fields.finish();
    Some(NonNativeRecord { func: func?, opkind, properties })
}

/// The value of `aoti_shim`.
pub(super) fn read_shim(node: Node, diagnostics: &mut Diagnostics) -> Option<ShimRecord> {
    let mut fields = Fields::new(node, &SHIM_KEYS, diagnostics)?;
    let device = fields.take_text("device");
    let operators = fields.take_texts("operators").map_or_else(Vec::new, |list| list.value);
    fields.finish();
    Some(ShimRecord { device, operators })
}

/// The value of `guards`.
pub(super) fn read_guards(node: Node, diagnostics: &mut Diagnostics) -> Option<GuardsRecord> {
    let mut fields = Fields::new(node, &GUARD_KEYS, diagnostics)?;
    let [check, optional, always] = ["check", "optional", "always"].map(|key| {
        let name = fields.take_text(key)?;
        if is_qualified_identifier(name.as_str().trim_start_matches("::")) {
            return Some(name);
        }
        let message = format!("`{name}` is not the name of a function or class in C++");
        let help = "write only the name, as in `vendor::DeviceGuard`";
        fields.diagnostics().push(Diagnostic::new(&codes::ILLEGAL_VALUE, message).at(name.span()).help(help));
        None
    });
    fields.finish();
    Some(GuardsRecord { check, optional, always })
}

/// Reads a file of hooks. Errors are reported; None if there is nothing to go on with.
pub fn read_hooks(root: Node, diagnostics: &mut Diagnostics) -> Option<HooksRecord> {
    let mut fields = Fields::new(root, &HOOKS_KEYS, diagnostics)?;
    let includes = fields.take_texts("includes").map_or_else(Vec::new, |list| list.value);
    let files = fields.take("files").map_or_else(Vec::new, |node| read_files(node, fields.diagnostics()));
    for text in files.iter().filter_map(|file| file.registrations.as_ref()) {
        let message = "only the files of a backend's YAML have one place for registrations";
        let help = "write them into `epilogue`, within a `TORCH_LIBRARY_IMPL`";
        fields.diagnostics().push(Diagnostic::new(&codes::ILLEGAL_VALUE, message).at(text.span()).help(help));
    }
    fields.finish();
    Some(HooksRecord { includes, files })
}
