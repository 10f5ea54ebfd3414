//! Which names the generated code uses itself, and which C++ reserves.
//!
//! Invariant: the words of the generated code are those of the templates and C++ sources, and those
//! that views add. A name of the namespace collides only with what is declared there.

use std::collections::HashSet;
use std::sync::LazyLock;

use torchgen_base::lang::cpp::{is_keyword, is_macro};
use torchgen_base::render::{declared_names, identifiers};

type Words = HashSet<&'static str>;

/// Words that views write into the files for nodes.
const VIEW_WORDS: [&str; 14] = [
    "ArrayRef",
    "ElemKind",
    "NodeValue",
    "StringRef",
    "TypeRef",
    "Value",
    "builder",
    "diagnostics_",
    "dim_t",
    "firstOf",
    "mode",
    "name",
    "opName",
    "parent_",
];

fn in_files(prefixes: &'static [&'static str]) -> Words {
    let chosen = |name: &str| {
        let file = name.strip_prefix("graph_ir/");
        file.is_some_and(|file| prefixes.iter().any(|prefix| file.starts_with(prefix)))
    };
    identifiers(&crate::TEMPLATES, chosen).collect()
}

/// The words of functions that take the parts of a node as parameters, or have variables for them.
pub(crate) fn is_word_of_nodes(word: &str) -> bool {
    static WORDS: LazyLock<Words> = LazyLock::new(|| {
        in_files(&["AutoGenNodes.h", "AutoGenNodes.cpp", "AutoGenNodesImport", "AutoGenFactories", "IRRuleWords"])
    });
    // Only classes with modes have this one, and they refuse a part of that name.
    word != "Mode" && (WORDS.contains(word) || (VIEW_WORDS.contains(&word) && word != "Value"))
}

/// The same for the operands and members of an instruction.
pub(crate) fn is_word_of_instructions(word: &str) -> bool {
    static WORDS: LazyLock<Words> =
        LazyLock::new(|| in_files(&["AutoGenInstr.h", "AutoGenInstr.cpp", "AutoGenIRBuilder", "AutoGenIRGen"]));
    WORDS.contains(word) || VIEW_WORDS.contains(&word)
}

/// Whether a word may be a function of `IRShapes.h`.
pub(crate) fn is_word_of_shapes(word: &str) -> bool {
    static WORDS: LazyLock<Words> = LazyLock::new(|| in_files(&["IRShapes.h"]));
    WORDS.contains(word)
}

/// A class or an enumeration of the family's where functions may hide its name, which begin with a
/// small letter: the keyword leaves out what is not a type.
pub(crate) fn elaborated(keyword: &str, name: &str) -> String {
    match name.starts_with(|c: char| c.is_ascii_lowercase()) {
        true => format!("{keyword} {name}"),
        false => name.to_owned(),
    }
}

/// Whether a generated file declares a name in the namespace, or a macro.
pub(crate) fn is_declared(name: &str) -> bool {
    static NAMES: LazyLock<HashSet<String>> = LazyLock::new(|| {
        let is_cpp = |name: &str| [".h", ".cpp", ".h.j2", ".cpp.j2", ".def.j2"].iter().any(|end| name.ends_with(end));
        let own = || crate::TEMPLATES.list().iter().filter(|file| is_cpp(file.name) && !file.name.contains("/new/"));
        // A shared source is one that a template names.
        let chosen = |name: &str| own().any(|file| file.name == name || file.text().contains(name));
        declared_names(&crate::TEMPLATES, |name| is_cpp(name) && chosen(name))
    });
    NAMES.contains(name) || name == EVALUATOR
}

/// The name of the functions that users write to compute nodes.
const EVALUATOR: &str = "evaluate";

/// Whether an enumeration of that name is found in a namespace of its own only, since a function
/// has the name. One that has the name of a class is refused.
pub(crate) fn is_apart(enumeration: &str) -> bool {
    enumeration.starts_with(|c: char| c.is_ascii_lowercase()) && is_declared(enumeration)
}

/// Where an enumeration is declared, below the namespace of the family.
pub(crate) fn enumeration_path(name: &str) -> String {
    if is_apart(name) { format!("enumerators::of_{name}::{name}") } else { name.to_owned() }
}

/// Why a name cannot be written in C++, as the end of a sentence about it.
pub(crate) fn reserved(name: &str) -> Option<&'static str> {
    let mut chars = name.chars();
    let begins = chars.next() == Some('_') && chars.next().is_some_and(|second| second.is_ascii_uppercase());
    if is_keyword(name) {
        Some("is a keyword of C++")
    } else if is_macro(name) {
        Some("is a macro of C++")
    } else if name.contains("__") {
        Some("has two underscores in a row, which C++ reserves")
    } else if begins {
        Some("begins with an underscore and a capital letter, which C++ reserves")
    } else {
        None
    }
}
