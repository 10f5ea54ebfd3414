//! How parameters and local variables for the parts of a record are spelled.
//!
//! Invariant: a part has its own name, unless the generated functions use this name for something
//! else; then a suffix makes it a name that nothing else has. Getters keep the name in any case.

use std::collections::HashSet;

use crate::model::{Instruction, Member, Node};
use crate::words::{is_word_of_instructions, is_word_of_nodes};

/// The spelling of the parts of one record.
pub(super) struct Spelling {
    /// The names of all parts.
    parts: HashSet<String>,
    /// What functions of this record use besides the words of all records.
    taken: HashSet<String>,
    is_word: fn(&str) -> bool,
}

impl Spelling {
    pub(super) fn of_node(node: &Node) -> Spelling {
        let mut taken = types(&node.members);
        taken.insert(node.class());
        for part in node.parts() {
            taken.extend(["_", "Idx"].map(|suffix| format!("{}{suffix}", part.text)));
        }
        for result in node.results.iter().map(|result| &result.name).chain(&node.variable_results) {
            taken.extend(["dimsOf", "typesOf"].map(|prefix| format!("{prefix}{}", result.text)));
            taken.extend(["OutTy", "OutTyList", "Size"].map(|suffix| format!("{}{suffix}", result.text)));
        }
        let parts = node.parts().map(|part| part.text.clone()).collect();
        Spelling { parts, taken, is_word: is_word_of_nodes }
    }

    pub(super) fn of_instruction(instruction: &Instruction) -> Spelling {
        let mut taken = types(&instruction.members);
        taken.insert(instruction.class());
        taken.extend(instruction.lowering.as_ref().map(|lowering| format!("{}Node", lowering.node.text)));
        for part in instruction.parts() {
            taken.extend(["_", "Idx", "Num_", "Off_"].map(|suffix| format!("{}{suffix}", part.text)));
        }
        for scratch in &instruction.scratch {
            taken.extend(["Bytes", "Type"].map(|suffix| format!("{}{suffix}", scratch.name)));
        }
        let parts = instruction.parts().map(|part| part.text.clone()).collect();
        Spelling { parts, taken, is_word: is_word_of_instructions }
    }

    /// The parameter or variable for a part.
    pub(super) fn of_part(&self, part: &str) -> String {
        let is_used = |name: &str| (self.is_word)(name) || self.taken.contains(name);
        let mut name = part.to_owned();
        while is_used(&name) || (name != part && self.parts.contains(&name)) {
            name.push_str("Arg");
        }
        name
    }
}

/// The names that the types of members begin with: `Node` of `std::vector<Node *>`.
fn types(members: &[Member]) -> HashSet<String> {
    members.iter().flat_map(|member| unqualified(&member.ty.argument).chain(unqualified(&member.ty.storage))).collect()
}

/// The words that are neither qualified nor qualify others. Those cannot be taken for parameters.
pub(crate) fn unqualified(ty: &str) -> impl Iterator<Item = String> + '_ {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begins = ty.char_indices().filter(move |(at, c)| is_part(*c) && !ty[..*at].ends_with(is_part));
    begins.filter_map(move |(at, _)| {
        let rest = &ty[at..];
        let word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        let alone = !ty[..at].trim_end().ends_with("::") && !rest[word.len()..].trim_start().starts_with("::");
        alone.then(|| word.to_owned())
    })
}
