//! Reads the YAML of an external backend: its operators with kernels, and the names in their code.
//!
//! Invariant: a record has the types of its keys. The crate `backend` checks that the operators
//! exist. Rule: torchgen/gen_backend_stubs.py, `parse_backend_yaml`; torchgen/gen_lazy_tensor.py,
//! `parse_native_functions_keys`.

use serde::Serialize;

use super::vocabulary;
use crate::codes;
use torchgen_base::diag::Diagnostics;
use torchgen_base::yaml::fields::{Fields, items};
use torchgen_base::yaml::keys::{KeySpec, KeyTable, Others, Shape};
use torchgen_base::yaml::{Node, Text};

mod parts;

pub(crate) use self::parts::ShimRecord;
use self::parts::{
    FILE_KEYS, GUARD_KEYS, KERNEL_KEYS, NON_NATIVE_KEYS, SHIM_KEYS, read_files, read_guards, read_kernel,
    read_non_native, read_shim,
};
pub use self::parts::{FileRecord, GuardsRecord, HooksRecord, KernelRecord, NonNativeRecord, read_hooks};

/// The file of a backend. Field names are those of the YAML keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct BackendRecord {
    pub backend: Text,
    pub cpp_namespace: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class_name: Option<Text>,
    /// What files and classes are called after; without it, the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Text>,
    pub use_out_as_primary: bool,
    pub device_guard: bool,
    pub supported: Vec<Text>,
    /// The settings of single kernels in `supported`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kernels: Vec<KernelRecord>,
    /// `FROM -> TO`: prefixes of included paths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub includes: Vec<Text>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileRecord>,
    #[serde(skip_serializing_if = "is_default")]
    pub guards: GuardsRecord,
    /// The derivatives.yaml of the backend for PyTorch's operators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derivatives: Option<Text>,
    /// Formulas for forward mode are used.
    #[serde(skip_serializing_if = "is_set")]
    pub forward_mode: bool,
    /// The source path of the backend's own operators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub library: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aoti_shim: Option<ShimRecord>,
    pub symint: Vec<Text>,
    pub autograd: Vec<Text>,
    pub full_codegen: Vec<Text>,
    pub ir_gen: Vec<Text>,
    pub non_native: Vec<NonNativeRecord>,
    /// The lints that are not reported.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<Text>,
}

/// The keys of the file.
pub(crate) static BACKEND_KEYS: KeyTable = KeyTable {
    what: "a backend",
    keys: &[
        KeySpec::new("backend", Shape::Text, "The dispatch key of the backend: `XLA`, `Lazy`, `PrivateUse1`.")
            .required(),
        KeySpec::new("cpp_namespace", Shape::Text, "The C++ namespace of the kernels: `torch_xla`.").required(),
        KeySpec::new(
            "class_name",
            Shape::Text,
            "The class that declares the kernels; `<backend>NativeFunctions` by default.",
        )
        .nullable(),
        KeySpec::new(
            "name",
            Shape::Text,
            "The name in files and classes; by default the dispatch key: `NPU` for `PrivateUse1`.",
        ),
        KeySpec::new(
            "use_out_as_primary",
            Shape::Bool,
            "Whether functional and inplace variants are generated from the out= variant's kernel, rather than from the functional one's.",
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
            "Prefixes of included paths and their replacements: `ATen/ -> own/aten/`; an empty replacement removes the include.",
        ),
        KeySpec::new(
            "files",
            Shape::Named(&FILE_KEYS),
            "Text to add to generated files, by file name; `*` is all of them.",
        ),
        KeySpec::new(
            "guards",
            Shape::Keys(&GUARD_KEYS),
            "Functions and classes that generated kernels use to check and switch devices.",
        ),
        KeySpec::new(
            "derivatives",
            Shape::Text,
            "The path of a derivatives.yaml with derivatives of PyTorch's operators for the backend's autograd key.",
        ),
        KeySpec::new("forward_mode", Shape::Bool, "Whether formulas for forward mode are used; true by default."),
        KeySpec::new(
            "library",
            Shape::Text,
            "The directory of an operator library, which is generated in the same run.",
        ),
        KeySpec::new(
            "aoti_shim",
            Shape::Keys(&SHIM_KEYS),
            "The C functions through which AOTInductor calls the backend.",
        ),
        KeySpec::new("symint", Shape::Texts, "The operators whose kernels take symbolic sizes.").nullable(),
        KeySpec::new("autograd", Shape::Texts, "Operators with kernels at the backend's autograd key."),
        KeySpec::new(
            "full_codegen",
            Shape::Texts,
            "Operators whose kernels and IR nodes are generated, for a lazy backend.",
        ),
        KeySpec::new("ir_gen", Shape::Texts, "Operators of a lazy backend for which only the IR node is generated.")
            .nullable(),
        KeySpec::new(
            "non_native",
            Shape::Entries(&NON_NATIVE_KEYS),
            "IR nodes of a lazy backend that are not operators.",
        )
        .nullable(),
        KeySpec::new(
            "allow",
            Shape::TextsOrReasons(vocabulary::lints),
            "Lints that are not reported for the backend: `[TG0718]`, or with reasons `{TG0718: registered in Empty.cpp}`.",
        ),
    ],
    others: Others::Refused,
    misplaced: &[(
        "extra_headers",
        "PyTorch's generators list this key and refuse it; name headers under `files`, as `headers` of a file or of `*`",
    )],
    unknown: &codes::UNKNOWN_KEY,
};

/// Reads a file. Errors are reported; `None` if nothing is usable.
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
    let forward_mode = fields.take_bool("forward_mode").is_none_or(|flag| flag.value);
    let guards = fields.take("guards").and_then(|node| read_guards(node, fields.diagnostics())).unwrap_or_default();
    let [name, derivatives, library] = ["name", "derivatives", "library"].map(|key| fields.take_text(key));
    let aoti_shim = fields.take("aoti_shim").and_then(|node| read_shim(node, fields.diagnostics()));
    let non_native = fields.take("non_native");
    let non_native = non_native.and_then(|node| items(node, "`non_native`", &codes::WRONG_TYPE, fields.diagnostics()));
    let non_native = non_native.unwrap_or_default().into_iter();
    let non_native = non_native.filter_map(|node| read_non_native(node, fields.diagnostics())).collect();
    let allow = fields.take_texts_or_reasons("allow").map(|lints| lints.value).unwrap_or_default();
    fields.finish();
    Some(BackendRecord {
        backend: backend?,
        cpp_namespace: cpp_namespace?,
        class_name,
        name,
        use_out_as_primary,
        device_guard,
        supported,
        kernels,
        includes,
        files,
        guards,
        derivatives,
        forward_mode,
        library,
        aoti_shim,
        symint,
        autograd,
        full_codegen,
        ir_gen,
        non_native,
        allow,
    })
}

fn is_default(guards: &GuardsRecord) -> bool {
    *guards == GuardsRecord::default()
}

/// Defaults are not printed.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_set(flag: &bool) -> bool {
    *flag
}

/// The text of a required key.
fn take_required(fields: &mut Fields<'_>, name: &str) -> Option<Text> {
    if !fields.has(name) {
        let help = (name == "backend").then_some("write `backend: PrivateUse1`, or another dispatch key");
        fields.missing(name, help);
    }
    fields.take_text(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchgen_base::diag::Sources;
    use torchgen_base::yaml::{Options, parse};

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
    fn errors_are_reported_together() {
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
