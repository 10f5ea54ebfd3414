//! Reads `library.yaml`: what holds for an operator library as a whole.
//!
//! Invariant: as in the parent module. The file is optional, and so are its keys; flags of the
//! command line override them.

use serde::Serialize;

use super::operator_keys::{DEFAULTS_KEYS, DefaultsRecord};
use super::vocabulary;
use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics, codes as shared};
use torchgen_base::yaml::fields::{Fields, KeySpec, KeyTable, Others, Shape};
use torchgen_base::yaml::{Node, Text};
use torchgen_kit::driver::run_section::{self, RUN, RunSection};

/// The ABIs, as the file spells them.
const ABIS: &[&str] = &["stable", "unstable"];

/// The family, as the file spells it.
const FAMILY: &[&str] = &["library"];

/// The file as written. Field names are those of the YAML keys.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct SettingsRecord {
    pub abi: Option<Text>,
    pub torch_min: Option<Text>,
    pub registration: Option<Text>,
    pub loader: Option<Text>,
    pub defaults: DefaultsRecord,
    pub include: Vec<Text>,
    pub leave_out: Vec<Text>,
    pub torch_ops: Vec<Text>,
    pub allow: Vec<Text>,
}

/// The keys of `run`.
pub static RUN_KEYS: KeyTable = KeyTable {
    what: "the section `run`",
    keys: &[
        run_section::OUT_DIR,
        KeySpec::new("kernels", Shape::Texts, "The sources of kernels, files or directories, as `--kernels`."),
        KeySpec::new("python_package", Shape::Text, "The name of the Python package, as `--python-package`."),
        KeySpec::new("python_modules", Shape::Texts, "The Python modules of the package, as `--python-modules`."),
        run_section::STRICT,
        run_section::TEMPLATE_DIR,
        run_section::DATA_DIR,
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &shared::UNKNOWN_KEY,
};

/// The keys of the file.
pub(crate) static KEYS: KeyTable = KeyTable {
    what: "a library.yaml",
    keys: &[
        KeySpec::new("family", Shape::Word(FAMILY), "What the file is, as other families have it: always `library`."),
        KeySpec::new(
            "abi",
            Shape::Word(ABIS),
            "What the library needs of libtorch: `unstable` is its C++ API, which changes with every minor version and is the default; `stable` is the stable ABI.",
        ),
        KeySpec::new(
            "torch_min",
            Shape::Text,
            "The oldest torch that a library on the stable ABI works with, in quotes: `'2.10'`, which is the default.",
        ),
        KeySpec::new(
            "registration",
            Shape::Word(vocabulary::REGISTRATIONS),
            "Who registers the operators: `own`, if the library does so by itself, and this tool writes Python for it but no C++; `included`, if headers do so that the sources of kernels include; or `generated`, the default. An entry's own key replaces it.",
        ),
        KeySpec::new(
            "loader",
            Shape::Text,
            "What the package imports to load a library that registers itself: a Python module `my_ops._C`, or the path of a shared library in an installed package, which can have `*`: `my_ops/lib/*.so`.",
        ),
        KeySpec::new(
            "defaults",
            Shape::Keys(&DEFAULTS_KEYS),
            "Values for keys of the library's operators. An entry's own key replaces them.",
        ),
        KeySpec::new(
            "include",
            Shape::Texts,
            "Further files with operators, like native_functions.yaml, by their paths from this file.",
        ),
        KeySpec::new(
            "leave_out",
            Shape::Texts,
            "Operators that a library on the stable ABI does not have, by name: `soft_cap` with all overloads, or `soft_cap.out`.",
        ),
        KeySpec::new(
            "torch_ops",
            Shape::Texts,
            "Operators of torch that kernels on the stable ABI call, as `stable-ops` takes them: `aten::cumsum`.",
        ),
        KeySpec::new(
            "allow",
            Shape::TextsOrReasons(vocabulary::lints),
            "Lints and changes that are not reported for the library: `[TG0925]`, or with reasons `{declaration-removed: deprecated since 1.2}`.",
        ),
        run_section::section(&RUN_KEYS),
    ],
    others: Others::Refused,
    misplaced: &[
        ("namespace", "operators have it in their schemas: `func: my_ops::f(Tensor x) -> Tensor`"),
        ("register", "write `registration: own`, if the library registers its operators by itself"),
        ("name", "the namespace of the operators is the name: `func: my_ops::f(Tensor x) -> Tensor`"),
    ],
    unknown: &codes::UNKNOWN_KEY,
};

/// Reads a file. Errors are reported; `None` if nothing is usable, or if there are only comments.
pub fn read_settings(root: Node, diagnostics: &mut Diagnostics) -> Option<SettingsRecord> {
    // An author may begin with comments.
    if root.is_null() {
        return None;
    }
    let mut fields = Fields::new(root, &KEYS, diagnostics)?;
    if let Some(family) = fields.take_text("family").filter(|family| !FAMILY.contains(&family.as_str())) {
        let message = format!("`{family}` is not the family of this file");
        fields.diagnostics().push(illegal(message, &family, "write `library`, or leave it out"));
    }
    let abi = fields.take_text("abi").filter(|abi| {
        let known = ABIS.contains(&abi.as_str());
        if !known {
            fields.diagnostics().push(illegal(format!("`{abi}` is not an ABI"), abi, "write `stable` or `unstable`"));
        }
        known
    });
    let defaults = match fields.take("defaults") {
        Some(node) => DefaultsRecord::read(node, fields.diagnostics()),
        None => DefaultsRecord::default(),
    };
    // The command line has passed it as flags.
    if let Some(node) = fields.take(RUN) {
        RunSection::read_section(node, &RUN_KEYS, fields.diagnostics());
    }
    let record = SettingsRecord {
        abi,
        // Not a number, in which 2.10 and 2.1 are equal.
        torch_min: fields.take_text("torch_min"),
        registration: fields.take_text("registration"),
        loader: fields.take_text("loader"),
        defaults,
        include: fields.take_texts("include").map(|paths| paths.value).unwrap_or_default(),
        leave_out: fields.take_texts("leave_out").map(|names| names.value).unwrap_or_default(),
        torch_ops: fields.take_texts("torch_ops").map(|names| names.value).unwrap_or_default(),
        allow: fields.take_texts_or_reasons("allow").map(|lints| lints.value).unwrap_or_default(),
    };
    fields.finish();
    Some(record)
}

fn illegal(message: String, value: &Text, help: &str) -> Diagnostic {
    Diagnostic::new(&codes::ILLEGAL_VALUE, message).at(value.span()).help(help)
}
