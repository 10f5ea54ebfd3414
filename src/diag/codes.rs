//! The table of diagnostic codes: what `explain` lists and what every diagnostic names.
//!
//! Invariant: an id, once released, keeps its meaning; ids are sorted and unique. Ranges: TG00 usage and I/O, TG01 YAML, TG02 schema
//! strings, TG03 entries of native_functions.yaml and tags.yaml, TG04 groups and variants, TG05 generation, TG06 derivatives and
//! deprecated signatures, TG07 selective build, TG08 templates, TG09 lints.

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The run fails.
    Error,
    /// The run goes on.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    /// The word that people and machines see.
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
    /// How bad it is unless said otherwise.
    pub severity: Severity,
    /// What it is about, in one line.
    pub summary: &'static str,
}

macro_rules! codes {
    ($($ident:ident: $id:literal $name:literal $severity:ident $summary:literal;)*) => {
        $(
            #[doc = $summary]
            pub const $ident: CodeInfo =
                CodeInfo { id: $id, name: $name, severity: Severity::$severity, summary: $summary };
        )*

        /// Every code, in order.
        pub const ALL: &[&CodeInfo] = &[$(&$ident),*];
    };
}

codes! {
    USAGE: "TG0001" "usage" Error "The command line makes no sense.";
    READ_FAILED: "TG0002" "read-failed" Error "A file cannot be read.";
    WRITE_FAILED: "TG0003" "write-failed" Error "A file cannot be written.";

    YAML_ENCODING: "TG0100" "yaml-encoding" Error "The bytes are not text in UTF-8 or, with a byte order mark, UTF-16.";
    DUPLICATE_KEY: "TG0101" "duplicate-key" Error "A mapping has the same key twice.";
    YAML_SYNTAX: "TG0102" "yaml-syntax" Error "The text is not YAML.";
    YAML_CHARACTER: "TG0103" "yaml-character" Error "YAML allows no control characters.";
    YAML_ALIAS: "TG0104" "yaml-alias" Error "An anchor or alias is wrong.";
    YAML_LIMIT: "TG0105" "yaml-limit" Error "The document is too deep or, its aliases expanded, too large.";
    YAML_KEY: "TG0106" "yaml-key" Error "A list or mapping cannot be a key.";
    YAML_MERGE: "TG0107" "yaml-merge" Error "A merge key needs a mapping or a list of mappings.";
    YAML_TAG: "TG0108" "yaml-tag" Error "A YAML tag is unknown or does not suit its value.";

    SCHEMA_SYNTAX: "TG0201" "schema-syntax" Error "A schema string does not have the form of a schema.";
    BAD_NAME: "TG0202" "bad-operator-name" Error "An operator name is malformed or reserved.";
    UNKNOWN_TYPE: "TG0203" "unknown-type" Error "A schema names a type that does not exist or is malformed.";
    BAD_ANNOTATION: "TG0204" "bad-annotation" Error "An alias annotation is malformed or stands in the wrong place.";
    BAD_DEFAULT: "TG0205" "bad-default" Error "A default cannot be read.";
    BAD_ARGUMENT: "TG0206" "bad-argument" Error "An argument clashes with another.";
    BAD_ALIASING: "TG0207" "bad-aliasing" Error "Written arguments and returns do not fit together.";
    BAD_KIND: "TG0208" "bad-kind" Error "A name and its arguments disagree on the kind of operator.";
    BAD_PRECOMPUTED: "TG0209" "bad-precomputed" Error "A line of `precomputed:` is malformed.";
    BAD_UFUNC: "TG0210" "bad-ufunc" Error "A value of `ufunc_inner_loop:` is malformed.";

    NOT_A_LIST: "TG0301" "not-a-list" Error "The file must be a list of entries.";
    NOT_A_MAPPING: "TG0302" "not-a-mapping" Error "An entry must be a mapping.";
    UNKNOWN_KEY: "TG0303" "unknown-key" Error "An entry has a key that means nothing.";
    MISSING_KEY: "TG0304" "missing-key" Error "An entry lacks a key that it must have.";
    WRONG_TYPE: "TG0305" "wrong-type" Error "A value has the wrong type.";
    FLAT_ENTRY: "TG0306" "flat-entry" Error "An entry is written as `- name:` with its keys beside the name.";
    EMPTY_TAG_DESCRIPTION: "TG0307" "empty-tag-description" Error "A tag in tags.yaml needs a description.";

    OPERATOR_NAME_MISMATCH: "TG0701" "operator-name-mismatch" Error "An operator's `name:` differs from its key.";
    UNKNOWN_SELECTED_OPERATOR: "TG0702" "unknown-selected-operator" Error "A selected operator does not exist.";
}

/// The code of that id or name, in any case.
pub fn find(wanted: &str) -> Option<&'static CodeInfo> {
    ALL.iter().copied().find(|code| code.id.eq_ignore_ascii_case(wanted) || code.name.eq_ignore_ascii_case(wanted))
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
        assert_eq!(find("tg0101").map(|code| code.name), Some("duplicate-key"));
    }
}
