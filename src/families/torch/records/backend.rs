//! Reads the YAML of an external backend: which operators it has kernels for, and how they are called.
//!
//! Invariant: a record has the types that the keys call for. Deliberately absent: whether the operators exist (see `job::backend`). Rule:
//! torchgen/gen_backend_stubs.py, `parse_backend_yaml`; torchgen/gen_lazy_tensor.py, `parse_native_functions_keys`.

use serde::Serialize;

use crate::diag::{Diagnostic, Diagnostics, codes, did_you_mean};
use crate::yaml::fields::{Fields, items, text};
use crate::yaml::keys::{KeySpec, KeyTable, Others, Shape};
use crate::yaml::{Node, NodeKind, Text};

/// The file of a backend. Field names are those of the YAML keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct BackendRecord {
    pub backend: Text,
    pub cpp_namespace: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class_name: Option<Text>,
    pub use_out_as_primary: bool,
    pub device_guard: bool,
    pub supported: Vec<Text>,
    /// What `supported` says of single kernels beside their names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kernels: Vec<KernelRecord>,
    /// `FROM -> TO`: beginnings of paths that are included.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub includes: Vec<Text>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileRecord>,
    pub symint: Vec<Text>,
    pub autograd: Vec<Text>,
    pub full_codegen: Vec<Text>,
    pub ir_gen: Vec<Text>,
    pub non_native: Vec<NonNativeRecord>,
}

/// What is said of a kernel beside its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KernelRecord {
    /// The operator.
    pub name: Text,
    /// It is a structured kernel.
    pub structured: bool,
    /// The backend has a meta function of its own for it.
    pub define_meta: bool,
    /// It is PyTorch's, which calls what is registered for the backend with a dispatch stub.
    pub reuse_impl: bool,
    /// Its wrapper guards the device, whatever the file says of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_guard: Option<bool>,
}

/// What is put into a generated file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileRecord {
    /// The name of the file, or `*` for all.
    pub name: Text,
    /// Headers that it includes besides its own.
    pub headers: Vec<Text>,
    /// What it begins with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prologue: Option<Text>,
    /// Statements behind the registrations, where `m` is the library.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registrations: Option<Text>,
    /// What it ends with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epilogue: Option<Text>,
}

/// A node of a lazy backend that is no operator.
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

/// What may be generated for a node. Rule: torchgen/api/lazy.py, `LazyIrProperties`.
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

static KERNEL_KEYS: KeyTable = KeyTable {
    what: "a kernel",
    keys: &[
        KeySpec::new(
            "structured",
            Shape::Bool,
            "Whether it is a structured kernel, of an out= variant: its variants are made from it.",
        ),
        KeySpec::new(
            "define_meta",
            Shape::Bool,
            "Whether the backend has a meta function of its own for it, rather than PyTorch's.",
        ),
        KeySpec::new(
            "reuse_impl",
            Shape::Bool,
            "Whether PyTorch's structured kernel serves, which calls what is registered for the backend with a dispatch stub.",
        ),
        KeySpec::new(
            "device_guard",
            Shape::Bool,
            "Whether its wrapper switches to the device of its arguments, whatever the file says of all.",
        ),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

static FILE_KEYS: KeyTable = KeyTable {
    what: "a generated file",
    keys: &[
        KeySpec::new(
            "headers",
            Shape::Texts,
            "Headers that it includes besides its own: `backend/fallback.h`, `<vector>`.",
        ),
        KeySpec::new("prologue", Shape::Text, "What it begins with."),
        KeySpec::new("registrations", Shape::Text, "Statements behind the registrations, where `m` is the library."),
        KeySpec::new("epilogue", Shape::Text, "What it ends with."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

static NON_NATIVE_KEYS: KeyTable = KeyTable {
    what: "a node that is no operator",
    keys: &[
        KeySpec::new("func", Shape::Text, "The schema of the node.").required(),
        KeySpec::new(
            "opkind",
            Shape::Text,
            "The C++ expression of its kind, where that is not an interned `aten::` symbol.",
        )
        .nullable(),
        KeySpec::new("properties", Shape::WordList(PROPERTIES), "What is generated for it."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of the file.
pub static BACKEND_KEYS: KeyTable = KeyTable {
    what: "a backend",
    keys: &[
        KeySpec::new("backend", Shape::Text, "The dispatch key of the backend: `XLA`, `Lazy`, `PrivateUse1`.")
            .required(),
        KeySpec::new("cpp_namespace", Shape::Text, "The C++ namespace of the kernels: `torch_xla`.").required(),
        KeySpec::new(
            "class_name",
            Shape::Text,
            "The class that declares the kernels; without it, `<backend>NativeFunctions`.",
        )
        .nullable(),
        KeySpec::new(
            "use_out_as_primary",
            Shape::Bool,
            "Whether functional and inplace variants are made from the out= variant's kernel, rather than from the functional one's.",
        ),
        KeySpec::new("device_guard", Shape::Bool, "Whether generated kernels switch to the device of their arguments."),
        KeySpec::new(
            "supported",
            Shape::TextsOrNamed(&KERNEL_KEYS),
            "Operators with kernels of the backend: `add.Tensor`, or `add.out:` with a mapping below it.",
        )
        .nullable(),
        KeySpec::new(
            "includes",
            Shape::Texts,
            "Beginnings of paths that generated files include, and what takes their place: `ATen/ -> own/aten/`; without a replacement the include goes.",
        ),
        KeySpec::new(
            "files",
            Shape::Named(&FILE_KEYS),
            "What is put into generated files, by their names; `*` is all of them.",
        ),
        KeySpec::new("symint", Shape::Texts, "Those of the operators whose kernels take symbolic sizes.").nullable(),
        KeySpec::new("autograd", Shape::Texts, "Operators with kernels at the backend's autograd key."),
        KeySpec::new(
            "full_codegen",
            Shape::Texts,
            "Operators whose kernels and IR nodes are generated, for a lazy backend.",
        ),
        KeySpec::new("ir_gen", Shape::Texts, "Operators whose IR nodes alone are generated, for a lazy backend.")
            .nullable(),
        KeySpec::new(
            "non_native",
            Shape::Entries(&NON_NATIVE_KEYS),
            "IR nodes of a lazy backend that are no operators.",
        )
        .nullable(),
    ],
    others: Others::Refused,
    misplaced: &[(
        "extra_headers",
        "PyTorch's generators list this key and refuse it; name headers under `files`, as `headers` of a file or of `*`",
    )],
    unknown: &codes::UNKNOWN_KEY,
};

/// Reads a file. Faults are reported; None if there is nothing to go on with.
pub fn read_backend(root: Node, diagnostics: &mut Diagnostics) -> Option<BackendRecord> {
    let mut fields = Fields::new(root, &BACKEND_KEYS, diagnostics)?;
    let backend = take_required(&mut fields, "backend");
    let cpp_namespace = take_required(&mut fields, "cpp_namespace");
    let mut flag = |name| fields.take_bool(name).is_some_and(|flag| flag.value);
    let (use_out_as_primary, device_guard) = (flag("use_out_as_primary"), flag("device_guard"));
    let class_name = fields.take_text("class_name");
    let (mut supported, mut kernels) = (Vec::new(), Vec::new());
    let listed = fields.take("supported");
    let listed = listed.and_then(|node| items(node, "`supported`", &codes::WRONG_TYPE, fields.diagnostics()));
    for node in listed.unwrap_or_default() {
        read_kernel(node, &mut supported, &mut kernels, fields.diagnostics());
    }
    let mut names = |name| fields.take_texts(name).map_or_else(Vec::new, |list| list.value);
    let [symint, autograd, full_codegen, ir_gen, includes] =
        ["symint", "autograd", "full_codegen", "ir_gen", "includes"].map(&mut names);
    let files = fields.take("files").map_or_else(Vec::new, |node| read_files(node, fields.diagnostics()));
    let non_native = fields.take("non_native");
    let non_native = non_native.and_then(|node| items(node, "`non_native`", &codes::WRONG_TYPE, fields.diagnostics()));
    let non_native = non_native.unwrap_or_default().into_iter();
    let non_native = non_native.filter_map(|node| read_non_native(node, fields.diagnostics())).collect();
    fields.finish();
    Some(BackendRecord {
        backend: backend?,
        cpp_namespace: cpp_namespace?,
        class_name,
        use_out_as_primary,
        device_guard,
        supported,
        kernels,
        includes,
        files,
        symint,
        autograd,
        full_codegen,
        ir_gen,
        non_native,
    })
}

fn take_required(fields: &mut Fields<'_>, name: &str) -> Option<Text> {
    if !fields.has(name) {
        fields.missing(name, None);
    }
    fields.take_text(name)
}

/// An item of `supported`: a name, or a name with a mapping.
fn read_kernel(node: Node, names: &mut Vec<Text>, kernels: &mut Vec<KernelRecord>, diagnostics: &mut Diagnostics) {
    let NodeKind::Mapping(pairs) = node.kind else {
        names.extend(text(node, "an item of `supported`", diagnostics));
        return;
    };
    let mut pairs = pairs.into_iter();
    let Some((key, value)) = pairs.next() else { return };
    let Some(name) = text(key, "an operator in `supported`", diagnostics) else { return };
    if let Some((option, _)) = pairs.next() {
        // Keys beside the operator would be options of nothing.
        let message = format!("this key is beside `{name}`, and says nothing about it");
        let found =
            Diagnostic::new(&codes::KEY_BESIDE_KERNEL, message).at(option.span).also(name.span(), "the operator");
        diagnostics.push(found.help("indent it more than the operator, so that it is below it"));
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
    fields.finish();
    let on = |flag: Option<bool>| flag.unwrap_or_default();
    kernels.push(KernelRecord {
        name,
        structured: on(structured),
        define_meta: on(define_meta),
        reuse_impl: on(reuse_impl),
        device_guard,
    });
}

/// The value of `files`.
fn read_files(node: Node, diagnostics: &mut Diagnostics) -> Vec<FileRecord> {
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
        let [prologue, registrations, epilogue] =
            ["prologue", "registrations", "epilogue"].map(|key| fields.take_text(key));
        fields.finish();
        files.push(FileRecord { name, headers, prologue, registrations, epilogue });
    }
    files
}

fn read_non_native(node: Node, diagnostics: &mut Diagnostics) -> Option<NonNativeRecord> {
    let mut fields = Fields::new(node, &NON_NATIVE_KEYS, diagnostics)?;
    let func = take_required(&mut fields, "func");
    let opkind = fields.take_text("opkind");
    let properties = fields.take_texts("properties").map_or_else(Vec::new, |list| list.value);
    for property in properties.iter().filter(|property| !PROPERTIES.contains(&property.as_str())) {
        let help = did_you_mean(property, PROPERTIES.iter().copied());
        let fault = Diagnostic::new(&codes::ILLEGAL_VALUE, format!("`{property}` is not a property of a node"));
        let help = help.unwrap_or_else(|| format!("known are: {}", PROPERTIES.join(", ")));
        fields.diagnostics().push(fault.at(property.span()).help(help));
    }
    fields.finish();
    Some(NonNativeRecord { func: func?, opkind, properties })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Sources;
    use crate::yaml::{Options, parse};

    fn read(text: &str) -> (Option<BackendRecord>, Vec<String>) {
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let file = sources.add("backend.yaml", text.to_owned());
        let root = parse(&sources, file, Options::OPERATORS, &mut diagnostics).expect("a tree");
        let record = read_backend(root, &mut diagnostics);
        (record, diagnostics.into_iter().map(|d| format!("{}: {}", d.code.id, d.message)).collect())
    }

    #[test]
    fn every_key_is_read() {
        let (record, said) = read(
            "backend: Lazy\ncpp_namespace: torch::lazy\nclass_name: Kernels\nuse_out_as_primary: True\nsupported:\nsymint: [empty]\n\
             autograd: [pool]\nfull_codegen: [abs]\nir_gen: [selu]\nnon_native:\n- func: cast(Tensor x) -> Tensor\n  opkind: ltc_cast\n  \
             properties: [ShapeCompute]\n",
        );
        assert_eq!(said, [""; 0]);
        let expected = serde_json::json!({
            "backend": "Lazy", "cpp_namespace": "torch::lazy", "class_name": "Kernels", "use_out_as_primary": true, "device_guard": false,
            "supported": [], "symint": ["empty"], "autograd": ["pool"], "full_codegen": ["abs"], "ir_gen": ["selu"],
            "non_native": [{"func": "cast(Tensor x) -> Tensor", "opkind": "ltc_cast", "properties": ["ShapeCompute"]}],
        });
        assert_eq!(serde_json::to_value(record).ok(), Some(expected));
    }

    #[test]
    fn faults_are_told_together() {
        let (record, said) = read(
            "bakend: XLA\nextra_headers: x.h\nautograd:\nsupported: abs\nfull_codegen: [1]\nnon_native: [{func: f, properties: [Lowr]}]\n",
        );
        assert_eq!(record, None);
        assert_eq!(
            said,
            [
                "TG0304: a backend needs the key `cpp_namespace`",
                "TG0305: `supported` must be a list, not a string",
                "TG0305: `autograd` must be a list, not null",
                "TG0305: an item of `full_codegen` must be a string, not a number",
                "TG0308: `Lowr` is not a property of a node",
                "TG0303: a backend has no key `bakend`",
                "TG0303: a backend has no key `extra_headers`",
            ]
        );
    }
}
