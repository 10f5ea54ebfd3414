//! The table of diagnostic codes, which `explain` lists and every diagnostic refers to.
//!
//! These are the codes of what families share: usage and I/O (TG00), YAML (TG01), schema strings
//! and expressions (TG02), entries (TG03), outputs and templates. Each family has its own table.
//!
//! Invariant: a released id keeps its meaning; ids are sorted and unique.

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The run fails.
    Error,
    /// The run continues.
    Warning,
    /// Information only.
    Note,
}

impl Severity {
    /// The word shown in diagnostics.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// A kind of diagnostic.
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CodeInfo {
    /// `TG0101`
    pub id: &'static str,
    /// `duplicate-key`
    pub name: &'static str,
    /// The severity, unless the diagnostic overrides it.
    pub severity: Severity,
    /// A one-line description.
    pub summary: &'static str,
}

/// Declares codes: a constant for each, and `ALL`.
#[macro_export]
macro_rules! codes {
    ($($ident:ident: $id:literal $name:literal $severity:ident $summary:literal;)*) => {
        $(
            #[doc = $summary]
            pub const $ident: $crate::diag::CodeInfo = $crate::diag::CodeInfo {
                id: $id,
                name: $name,
                severity: $crate::diag::Severity::$severity,
                summary: $summary,
            };
        )*

        /// Every code, in order.
        pub const ALL: &[&$crate::diag::CodeInfo] = &[$(&$ident),*];
    };
}

pub use crate::codes;

codes! {
    USAGE: "TG0001" "usage" Error "The command line is invalid.";
    READ_FAILED: "TG0002" "read-failed" Error "A file cannot be read.";
    WRITE_FAILED: "TG0003" "write-failed" Error "A file cannot be written.";
    STALE_OUTPUT: "TG0004" "stale-output" Note "A file from an earlier run is no longer generated.";
    OUT_OF_DATE: "TG0005" "out-of-date" Error "An output would change.";
    WRONG_FAMILY: "TG0006" "wrong-family" Error "A YAML file belongs to another family.";
    MORE_ERRORS: "TG0008" "more-errors" Note "Not all errors are shown.";
    NOT_FORMATTED: "TG0009" "not-formatted" Error "A file does not have the layout of `torchgen-rs format`.";
    UNFORMATTABLE: "TG0010" "unformattable" Error "Formatting would change the meaning of a file.";
    NOT_FIXED: "TG0011" "not-fixed" Warning "`--fix` leaves a file as it is.";

    YAML_ENCODING: "TG0100" "yaml-encoding" Error "The bytes are not text in UTF-8 or, with a byte order mark, UTF-16.";
    DUPLICATE_KEY: "TG0101" "duplicate-key" Error "A mapping has the same key twice.";
    YAML_SYNTAX: "TG0102" "yaml-syntax" Error "The text is not valid YAML.";
    YAML_CHARACTER: "TG0103" "yaml-character" Error "YAML does not allow control characters.";
    YAML_ALIAS: "TG0104" "yaml-alias" Error "An anchor or alias is invalid.";
    YAML_LIMIT: "TG0105" "yaml-limit" Error "The document is nested too deeply or, with its aliases expanded, too large.";
    YAML_KEY: "TG0106" "yaml-key" Error "A list or mapping cannot be a key.";
    YAML_MERGE: "TG0107" "yaml-merge" Error "A merge key needs a mapping or a list of mappings.";
    YAML_TAG: "TG0108" "yaml-tag" Error "A YAML tag is unknown or does not fit its value.";
    DATA_TABLE: "TG0109" "data-table" Error "An addition of `--data-dir` does not fit its table.";

    SCHEMA_SYNTAX: "TG0201" "schema-syntax" Error "A schema string is malformed.";
    UNKNOWN_TYPE: "TG0203" "unknown-type" Error "A schema names a type that does not exist or is malformed.";
    BAD_ANNOTATION: "TG0204" "bad-annotation" Error "An alias annotation is malformed or misplaced.";
    BAD_DEFAULT: "TG0205" "bad-default" Error "A default value is malformed.";
    BAD_ARGUMENT: "TG0206" "bad-argument" Error "An argument conflicts with another.";

    EXPRESSION_SYNTAX: "TG0221" "expression-syntax" Error "An expression or statement is malformed.";
    EXPRESSION_INDENTATION: "TG0222" "expression-indentation" Error "A statement is indented wrongly.";
    EXPRESSION_NAME: "TG0223" "expression-name" Error "An expression uses a name that is not defined there.";
    EXPRESSION_CALL: "TG0224" "expression-call" Error "An expression calls an unknown function or passes it wrong arguments.";
    EXPRESSION_TYPE: "TG0225" "expression-type" Error "A part of an expression has the wrong type.";
    EXPRESSION_FLOW: "TG0226" "expression-flow" Error "A block of statements does not end correctly.";
    UNUSED_VARIABLE: "TG0227" "unused-variable" Warning "A variable is never used.";

    NOT_A_MAPPING: "TG0302" "not-a-mapping" Error "An entry must be a mapping.";
    UNKNOWN_KEY: "TG0303" "unknown-key" Error "An entry has an unknown key.";
    MISSING_KEY: "TG0304" "missing-key" Error "An entry lacks a required key.";
    WRONG_TYPE: "TG0305" "wrong-type" Error "A value has the wrong type.";

    DUPLICATE_OUTPUT: "TG0501" "duplicate-output" Error "Two outputs have the same path.";
    OUTPUT_PLACE: "TG0502" "output-place" Error "The path of an output is not below an install directory.";

    PYTHON_SYNTAX: "TG0561" "python-syntax" Error "The text is not valid Python.";

    TEMPLATE: "TG0801" "template" Error "A template cannot be read or rendered.";
    UNKNOWN_TEMPLATE: "TG0802" "unknown-template" Error "An overlay replaces no template.";

    BAD_HEADER: "TG0960" "bad-header" Error "A text cannot be the name of a header.";

    NO_FAMILY: "TG0974" "no-family" Warning "Nothing reads a YAML file beside those of a family.";
    SEVERAL_FAMILIES: "TG0975" "several-families" Error "The sources of a run belong to several families.";
}

/// The code with that id or name, in any case, among the known ones.
pub fn find<'a>(wanted: &str, known: &[&'a CodeInfo]) -> Option<&'a CodeInfo> {
    known.iter().copied().find(|code| code.id.eq_ignore_ascii_case(wanted) || code.name.eq_ignore_ascii_case(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_sorted_and_all_is_unique() {
        assert!(ALL.windows(2).all(|pair| pair[0].id < pair[1].id), "ids must ascend");
        for (i, code) in ALL.iter().enumerate() {
            assert!(code.id.len() == 6 && code.id.starts_with("TG"), "{}", code.id);
            assert!(ALL[..i].iter().all(|other| other.name != code.name), "{} twice", code.name);
            assert!(code.summary.ends_with('.'), "{}", code.summary);
        }
        assert_eq!(find("tg0101", ALL).map(|code| code.name), Some("duplicate-key"));
    }
}
