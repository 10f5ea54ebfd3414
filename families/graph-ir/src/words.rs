//! Which names the generated code uses itself, and which C++ reserves.
//!
//! Invariant: the words of the generated code are those of the templates and C++ sources, and those
//! that views add.

use std::collections::HashSet;
use std::sync::LazyLock;

use torchgen_base::lang::cpp::{is_keyword, is_macro};
use torchgen_base::render::identifiers;

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
    static WORDS: LazyLock<Words> =
        LazyLock::new(|| in_files(&["AutoGenNodes.h", "AutoGenNodes.cpp", "AutoGenNodesImport", "AutoGenFactories"]));
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

/// Whether the support library or another generated file uses a word.
pub(crate) fn is_generated(word: &str) -> bool {
    static WORDS: LazyLock<Words> = LazyLock::new(|| {
        let chosen = |name: &str| {
            let cpp = [".h", ".cpp", ".h.j2", ".cpp.j2", ".def.j2"].iter().any(|ending| name.ends_with(ending));
            // What rules need is in namespaces of its own.
            let rules = ["rules/", "IRRule", "ir_rules"].iter().any(|part| name.contains(part));
            let own = name.starts_with("graph_ir/") && !name.starts_with("graph_ir/new/") && cpp && !rules;
            own || name.starts_with("kit/cpp/")
        };
        identifiers(&crate::TEMPLATES, chosen).collect()
    });
    WORDS.contains(word)
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
