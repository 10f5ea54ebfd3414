//! What an editor shows beside the word under the cursor.
//!
//! Invariant: the text is a template's, of facts.

use serde::Serialize;
use serde_json::Value;

use super::index::Thing;
use super::texts;

/// What is shown about a declaration or a key.
#[derive(Serialize, Default)]
pub(super) struct Shown {
    /// The declaration as it is written, or the name of a key.
    title: String,
    /// What its author says, or what a key means.
    doc: String,
    /// The C++ and Python signatures.
    signatures: Vec<Signature>,
    /// The variants that are written, and those that are generated.
    variants: String,
    tags: String,
    kernels: Vec<Kernel>,
    /// The formulas of its derivative.
    formulas: Vec<Formula>,
}

#[derive(Serialize)]
struct Signature {
    language: &'static str,
    text: String,
}

#[derive(Serialize)]
struct Kernel {
    key: String,
    function: String,
    /// Why there is such a kernel.
    origin: String,
}

#[derive(Serialize)]
struct Formula {
    of: String,
    formula: String,
}

impl Shown {
    /// What is shown about a declaration.
    pub(super) fn thing(of: &Thing) -> Shown {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let joined = |pointer: &str| of.list(pointer).map(text).collect::<Vec<_>>().join(", ");
        let signature = |value: &Value| {
            let language = match value["convention"].as_str()? {
                "cpp" | "stable" if value["form"] == "function" || value["form"] == "method" => "cpp",
                "native" | "structured" => "cpp",
                "python" => "python",
                _ => return None,
            };
            Some(Signature { language, text: text(&value["text"]) })
        };
        let kernel = |value: &Value| Kernel {
            key: text(&value["key"]),
            function: text(&value["function"]),
            origin: text(&value["origin"]),
        };
        let backward = of.list("/facts/derivatives").filter_map(|of| of["backward"].as_array()).flatten();
        let formula = |value: &Value| Formula {
            of: value["of"].as_array().into_iter().flatten().map(text).collect::<Vec<_>>().join(", "),
            formula: text(&value["formula"]),
        };
        let schema = of.text("schema");
        Shown {
            title: if schema.is_empty() { format!("{} {}", of.text("kind"), of.name) } else { schema.to_owned() },
            doc: of.text("doc").to_owned(),
            signatures: of.list("/signatures").filter_map(signature).collect(),
            variants: joined("/facts/variants"),
            tags: joined("/facts/tags"),
            kernels: of.list("/facts/dispatch").map(kernel).collect(),
            formulas: backward.map(formula).collect(),
        }
    }

    /// What is shown about a key.
    pub(super) fn key(name: &str, means: &str) -> Shown {
        Shown { title: name.to_owned(), doc: means.to_owned(), ..Shown::default() }
    }

    /// What is shown about a part of a declaration, such as an argument.
    pub(super) fn part(part: &Value, of: &Thing) -> Shown {
        let word = |key: &str| part[key].as_str().unwrap_or_default();
        let default = part["default"].as_str().map(|default| format!("={default}")).unwrap_or_default();
        let title = format!("{} {}{default}", word("type"), word("name"));
        Shown { title, doc: format!("{} of `{}`", word("role"), of.short()), ..Shown::default() }
    }

    /// The text, in Markdown.
    pub(super) fn markdown(&self) -> Option<String> {
        texts::rendered("editor/hover.md.j2", self)
    }
}
