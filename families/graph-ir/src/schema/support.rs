//! What `support:` says: where the base classes are, and what is written by hand.
//!
//! Invariant: what the user's sources define is not defined again. A pattern that matches nothing
//! is reported.

use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean};
use torchgen_base::lang::is_qualified_identifier;
use torchgen_base::yaml::Text;
use torchgen_kit::header::included;

use crate::codes;
use crate::model::{Family, Instruction, Node, Returned, Verify};
use crate::records::{FileRecord, SupportRecord};
use crate::support::{Declared, Support};

/// The names that IRKit.h declares, in groups that only make sense together.
const VIEWS: &[&str] = &["StringRef", "ArrayRef"];
const CASTING: &[&str] = &["isa", "cast", "dyn_cast"];
const OPERAND_KINDS: &[&str] = &["OperandKind", "getOperandKindStr"];
/// The names that only the headers declare.
const ONLY_THEIRS: &[&str] = &["hash_code", "raw_ostream"];

/// The record of the files: there is at most one.
pub(crate) fn only<'f>(files: &'f [FileRecord], diagnostics: &mut Diagnostics) -> Option<&'f SupportRecord> {
    let mut records = files.iter().filter_map(|file| file.support.as_ref());
    let first = records.next()?;
    for other in records {
        let error = Diagnostic::new(&codes::IR_BASE_CLASSES, "`support` is in another file too");
        let error = error.at(other.nodes.span());
        diagnostics.push(error.also(first.nodes.span(), "first here").help("write it in one of the files"));
    }
    Some(first)
}

/// Makes the model of a record.
pub(crate) fn support(record: &SupportRecord, diagnostics: &mut Diagnostics) -> Option<Support> {
    let mut header = |text: &Option<Text>, default: String| match text {
        Some(text) => included(text, diagnostics).unwrap_or(default),
        None => default,
    };
    let nodes = header(&Some(record.nodes.clone()), String::new());
    let instructions = header(&record.instructions, nodes.clone());
    let builder = header(&record.builder, instructions.clone());
    let declared = declared(&record.declares, diagnostics);
    (!nodes.is_empty()).then_some(Support { nodes, instructions, builder, declared, const_visits: record.const_visits })
}

/// The name without its namespace.
fn unqualified(name: &str) -> &str {
    name.rsplit_once("::").map_or(name, |(_, last)| last)
}

fn declared(names: &[Text], diagnostics: &mut Diagnostics) -> Declared {
    let known = || [VIEWS, CASTING, OPERAND_KINDS, ONLY_THEIRS].concat();
    let mut elsewhere = Vec::new();
    for name in names {
        let last = unqualified(name.as_str());
        if !known().contains(&last) || !is_qualified_identifier(name.as_str()) {
            let message = format!("`declares` names `{name}`, which IRKit.h would not declare");
            let error = Diagnostic::new(&codes::IR_BASE_CLASSES, message).at(name.span());
            let help = did_you_mean(last, known());
            diagnostics
                .push(error.help(help.unwrap_or_else(|| format!("it can name `{}`", known().join("`, `")).into())));
        } else if last.len() < name.len() {
            elsewhere.push(name.as_str().to_owned());
        }
    }
    let place = |name: &str| names.iter().find(|text| unqualified(text.as_str()) == name);
    let mut group = |group: &[&str]| {
        let Some(first) = group.iter().find_map(|name| place(name)) else { return false };
        let missing: Vec<&str> = group.iter().copied().filter(|name| place(name).is_none()).collect();
        if !missing.is_empty() {
            let message = format!("`declares` names `{first}` without `{}`", missing.join("`, `"));
            let error = Diagnostic::new(&codes::IR_BASE_CLASSES, message).at(first.span());
            let help = "IRKit.h leaves them out together: let your header declare all of them, or none";
            diagnostics.push(error.help(help));
        }
        true
    };
    let [views, casting, operand_kinds] = [VIEWS, CASTING, OPERAND_KINDS].map(&mut group);
    Declared { views, casting, operand_kinds, elsewhere }
}

/// Leaves out of the classes what the user's sources define.
pub(crate) fn leave_out(patterns: &[Text], family: &mut Family, diagnostics: &mut Diagnostics) {
    for text in patterns {
        let Some(pattern) = Pattern::read(text, diagnostics) else { continue };
        let mut found = false;
        for node in &mut family.nodes {
            found |= pattern.leave_out_of_node(node);
        }
        for instruction in &mut family.instructions {
            found |= pattern.leave_out_of_instruction(instruction);
        }
        if !found {
            let message = format!("no generated class has a member `{}` that you could define", pattern.named);
            let error = Diagnostic::new(&codes::IR_BASE_CLASSES, message).at(text.span());
            diagnostics.push(error.help(pattern.meant(family)));
        }
    }
}

/// The members of nodes that sources may define.
const NODE_MEMBERS: [&str; 4] = ["verify", "visit", "getDebugDesc", "getHash"];

/// A pattern of `defines:`.
struct Pattern<'t> {
    /// What verification returns, if it says that.
    returns: Returned,
    class: &'t str,
    member: &'t str,
    /// Class and member.
    named: &'t str,
}

impl<'t> Pattern<'t> {
    fn read(text: &'t Text, diagnostics: &mut Diagnostics) -> Option<Pattern<'t>> {
        let whole = text.as_str().trim();
        let (returned, named) = whole.split_once(' ').map_or(("", whole), |(first, rest)| (first, rest.trim()));
        let mut error = |message: String, help: &'static str| {
            let error = Diagnostic::new(&codes::IR_BASE_CLASSES, message).at(text.span());
            diagnostics.push(error.help(help));
            None
        };
        let Some((class, member)) = named.split_once("::") else {
            return error(
                format!("`{whole}` does not name a member of a class"),
                "write the class and the member, `CopyInst::verify`; `*` is any letters",
            );
        };
        let returns = match returned {
            "" | "bool" => Returned::Bool,
            "void" => Returned::Void,
            _ => return error(format!("`{returned}` is not what verification returns"), "write `bool` or `void`"),
        };
        if !returned.is_empty() && member != "verify" {
            return error(format!("`{returned}` before `{member}`"), "only `verify` has a type that you choose");
        }
        Some(Pattern { returns, class, member, named })
    }

    fn leave_out_of_node(&self, node: &mut Node) -> bool {
        if !matches(self.class, &node.class()) {
            return false;
        }
        let named = NODE_MEMBERS.map(|member| matches(self.member, member));
        let [verify, visit, debug, hash] = named;
        if verify {
            node.verify = Verify::ByHand(self.returns);
        }
        node.by_hand.visitor |= visit;
        node.by_hand.debug |= debug;
        node.by_hand.hash |= hash;
        named.contains(&true)
    }

    fn leave_out_of_instruction(&self, instruction: &mut Instruction) -> bool {
        if !matches(self.class, &instruction.class()) {
            return false;
        }
        let verify = matches(self.member, "verify");
        if verify {
            instruction.verify = Verify::ByHand(self.returns);
        }
        let mut found = verify;
        for scratch in instruction.scratch.iter_mut().filter(|scratch| !scratch.member) {
            if matches(self.member, &size_getter(&scratch.name)) {
                scratch.size = None;
                found = true;
            }
        }
        found
    }

    /// What may be meant by a pattern that matches nothing.
    fn meant(&self, family: &Family) -> torchgen_base::diag::Help {
        let node = family.nodes.iter().find(|node| matches(self.class, &node.class()));
        let instruction = family.instructions.iter().find(|instruction| matches(self.class, &instruction.class()));
        let members: Vec<String> = match (node, instruction) {
            (None, None) => {
                let nodes = family.nodes.iter().map(Node::class);
                let classes: Vec<String> = nodes.chain(family.instructions.iter().map(Instruction::class)).collect();
                let nearest = did_you_mean(self.class, classes.iter().map(String::as_str));
                return nearest.unwrap_or_else(|| "classes end in `Node` or `Inst`, as in `*Node::verify`".into());
            }
            (Some(_), _) => NODE_MEMBERS.map(str::to_owned).to_vec(),
            (None, Some(instruction)) => {
                let sizes = instruction.scratch.iter().filter(|scratch| !scratch.member);
                std::iter::once("verify".to_owned()).chain(sizes.map(|scratch| size_getter(&scratch.name))).collect()
            }
        };
        let nearest = did_you_mean(self.member, members.iter().map(String::as_str));
        nearest.unwrap_or_else(|| format!("you can define `{}`", members.join("`, `")).into())
    }
}

/// The method that says the size of a scratch operand.
fn size_getter(scratch: &str) -> String {
    format!("get{scratch}Size")
}

/// Whether a name matches a pattern, in which `*` is any letters.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(after) = name.strip_prefix(first) else { return false };
    (0..=after.len()).filter(|at| after.is_char_boundary(*at)).any(|at| matches(rest, &after[at..]))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_stand_for_any_letters() {
        for (pattern, name) in [("*", ""), ("*Node", "AddNode"), ("get*Size", "getSize"), ("a*b*c", "abbbc")] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("Add", "AddNode"), ("*Node", "AddInst"), ("get*Size", "getSiz"), ("a*b*c", "acb")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
