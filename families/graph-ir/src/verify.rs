//! The rules of `verify:`: converts them from words to the model, and from the model to
//! expressions.
//!
//! Invariant: a rule in the model names existing operands, and has as many terms as it needs.

use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean};
use torchgen_base::yaml::Text;

use super::expression::Expression;
use super::model::{Name, Property, Returned, Rule, Term, Verify};
use super::records::{RuleRecord, VerifyRecord};

/// What precedes an element kind in a rule.
pub(crate) const ELEMENT: &str = "ElemKind::";

/// The element kinds of the support library.
pub(crate) const ELEMENTS: [&str; 17] = [
    "FloatTy",
    "Float16Ty",
    "BFloat16Ty",
    "Float64Ty",
    "Int8QTy",
    "UInt8QTy",
    "Int16QTy",
    "Int32QTy",
    "UInt8ITy",
    "Int32ITy",
    "Int64ITy",
    "UInt8FusedQTy",
    "UInt8FusedFP16QTy",
    "UInt4FusedFP16QTy",
    "UInt4FusedQTy",
    "BoolTy",
    "Int64QTy",
];

/// The words of rules.
const WORDS: [&str; 8] =
    ["same_shape", "same_type", "same_element_type", "inferred_shape", "one_of_types", "type_check", "check", "method"];

/// What rules can name.
pub(crate) struct Named<'n> {
    pub(crate) operands: &'n [&'n str],
    /// All parts of the schema, for expressions.
    pub(crate) parts: &'n [&'n str],
}

/// Reads the rules of a record; the shapes of results in `inferred` are found by `infer:`, which
/// instructions lack.
pub(crate) fn read_rules(
    record: &VerifyRecord,
    named: &Named<'_>,
    inferred: Option<&[&str]>,
    diagnostics: &mut Diagnostics,
) -> Verify {
    match record {
        VerifyRecord::ByHand => Verify::ByHand(Returned::Bool),
        VerifyRecord::Absent | VerifyRecord::Nothing => Verify::Rules(Vec::new()),
        VerifyRecord::Rules(rules) => {
            let rules = rules.iter().flat_map(|rule| match rule.word.as_str() {
                "inferred_shape" => inferred_shapes(rule, named.operands, inferred, diagnostics),
                _ => read_rule(rule, named, diagnostics).into_iter().collect(),
            });
            Verify::Rules(rules.collect())
        }
    }
}

/// Reports an element kind that does not exist.
pub(crate) fn check_element(place: &Text, element: &str, diagnostics: &mut Diagnostics) -> bool {
    if ELEMENTS.contains(&element) {
        return true;
    }
    let error = Diagnostic::new(&codes::IR_VERIFY_RULE, format!("`{element}` is not an element kind"));
    diagnostics.push(error.at(place.span()).maybe_help(did_you_mean(element, ELEMENTS)));
    false
}

fn read_rule(rule: &RuleRecord, named: &Named<'_>, diagnostics: &mut Diagnostics) -> Option<Rule> {
    let operands = named.operands;
    let word = rule.word.as_str();
    let property = match word {
        "same_shape" => Property::Shape,
        "same_type" => Property::Type,
        "same_element_type" => Property::ElementType,
        "one_of_types" => {
            let (first, rest) = few(rule, diagnostics)?;
            let name = operand(first, operands, diagnostics)?;
            let elements = rest.iter().map(|term| match term.as_str().strip_prefix(ELEMENT) {
                Some(element) => check_element(term, element, diagnostics).then(|| element.to_owned()),
                None => {
                    let error = Diagnostic::new(&codes::IR_VERIFY_RULE, format!("`{term}` is not an element kind"));
                    let meant = if ELEMENTS.contains(&term.as_str()) { term.as_str() } else { "Int32ITy" };
                    diagnostics.push(error.at(term.span()).help(format!("write it as `{ELEMENT}{meant}`")));
                    None
                }
            });
            return Some(Rule::OneOf(name, elements.collect::<Option<_>>()?));
        }
        "type_check" => {
            let (first, rest) = few(rule, diagnostics)?;
            let name = operand(first, operands, diagnostics)?;
            return Some(Rule::TypeCheck(name, rest.iter().map(|term| term.as_str().to_owned()).collect()));
        }
        "check" => {
            let [holds] = rule.terms.as_slice() else { return one(rule, diagnostics) };
            let message = rule.message.as_ref().unwrap_or(holds).as_str().to_owned();
            let holds = Expression::read_expression(holds, named.parts.iter().copied(), diagnostics);
            return Some(Rule::Check { holds, message });
        }
        "method" => {
            let [name] = rule.terms.as_slice() else { return one(rule, diagnostics) };
            return Some(Rule::Method(name.as_str().to_owned()));
        }
        other => {
            let error = Diagnostic::new(&codes::IR_VERIFY_RULE, format!("`{other}` is not a rule"));
            diagnostics.push(error.at(rule.word.span()).maybe_help(did_you_mean(other, WORDS)));
            return None;
        }
    };
    few(rule, diagnostics)?;
    let mut terms = Vec::new();
    for term in &rule.terms {
        match term.as_str().strip_prefix(ELEMENT) {
            Some(element) if property == Property::ElementType => {
                check_element(term, element, diagnostics).then_some(())?;
                terms.push(Term::Element(element.to_owned()));
            }
            Some(_) => {
                let message = match property {
                    Property::Type => "an element kind is a part of a type only",
                    Property::Shape | Property::ElementType => "an element kind has no shape",
                };
                let error = Diagnostic::new(&codes::IR_VERIFY_RULE, message).at(term.span());
                diagnostics.push(error.help("write `same_element_type`"));
                return None;
            }
            None => terms.push(Term::Operand(operand(term, operands, diagnostics)?)),
        }
    }
    Some(Rule::Same(property, terms))
}

/// A rule for each result whose shape `infer:` finds.
fn inferred_shapes(
    rule: &RuleRecord,
    operands: &[&str],
    inferred: Option<&[&str]>,
    diagnostics: &mut Diagnostics,
) -> Vec<Rule> {
    let Some(inferred) = inferred else {
        let error = Diagnostic::new(&codes::IR_VERIFY_RULE, "`inferred_shape` is a rule of nodes").at(rule.word.span());
        diagnostics.push(error.help("compare operands: `same_shape: [Dest, Src]`"));
        return Vec::new();
    };
    let mut rules = Vec::new();
    for term in &rule.terms {
        let Some(name) = operand(term, operands, diagnostics) else { continue };
        if inferred.contains(&term.as_str()) {
            rules.push(Rule::Inferred(name));
            continue;
        }
        let error = Diagnostic::new(&codes::IR_VERIFY_RULE, format!("`{term}` has no inferred shape"));
        let help = format!("add a rule to infer it: `infer: {{{term}: {{like: Input, shape: \"…\"}}}}`");
        diagnostics.push(error.at(term.span()).help(help));
    }
    if rule.terms.is_empty() {
        diagnostics
            .push(Diagnostic::new(&codes::IR_VERIFY_RULE, "`inferred_shape` names no result").at(rule.word.span()));
    }
    rules
}

/// The terms, which are two or more.
fn few<'a>(rule: &'a RuleRecord, diagnostics: &mut Diagnostics) -> Option<(&'a Text, &'a [Text])> {
    if let [first, rest @ ..] = rule.terms.as_slice()
        && !rest.is_empty()
    {
        return Some((first, rest));
    }
    let (message, help) = match rule.word.as_str() {
        "one_of_types" => ("needs an operand and element kinds", "[Indices, ElemKind::Int32ITy]"),
        "type_check" => ("needs an operand and what its type must satisfy", "[Src, isQuantizedType]"),
        _ => ("compares two or more operands", "[Result, Input]"),
    };
    let error = Diagnostic::new(&codes::IR_VERIFY_RULE, format!("`{}` {message}", rule.word)).at(rule.word.span());
    diagnostics.push(error.help(format!("list them: `{}: {help}`", rule.word)));
    None
}

fn one(rule: &RuleRecord, diagnostics: &mut Diagnostics) -> Option<Rule> {
    let message = format!("`{}` takes one string", rule.word);
    diagnostics.push(Diagnostic::new(&codes::IR_VERIFY_RULE, message).at(rule.word.span()));
    None
}

fn operand(term: &Text, operands: &[&str], diagnostics: &mut Diagnostics) -> Option<Name> {
    if operands.contains(&term.as_str()) {
        return Some(Name::new(term.as_str(), term.span()));
    }
    let message = format!("`verify` names `{term}`, which the schema lacks");
    let error = Diagnostic::new(&codes::IR_UNKNOWN_PART, message).at(term.span());
    diagnostics.push(error.maybe_help(did_you_mean(term.as_str(), operands.iter().copied())));
    None
}

/// A rule as an expression, and what is wrong if it does not hold.
pub(crate) struct Requirement {
    pub(crate) holds: String,
    /// The parts that the expression mentions by name.
    pub(crate) names: Vec<String>,
    pub message: String,
}

/// The requirements of a rule. `arrow` is what leads from an operand to its parts: `.` or `->`.
pub(crate) fn requirements(rule: &Rule, arrow: &str) -> Vec<Requirement> {
    let get = |name: &str| format!("get{name}(){arrow}");
    match rule {
        Rule::Method(_) | Rule::Inferred(_) => Vec::new(),
        Rule::Check { holds, message } => {
            vec![Requirement { holds: holds.text.clone(), names: holds.names.clone(), message: message.clone() }]
        }
        Rule::TypeCheck(name, predicates) => {
            let requirement = |predicate: &String| Requirement {
                holds: format!("{}getType()->{predicate}()", get(&name.text)),
                names: Vec::new(),
                message: format!("the type of {} does not satisfy {predicate}", name.text),
            };
            predicates.iter().map(requirement).collect()
        }
        Rule::OneOf(name, elements) => {
            let one = |element: &String| format!("{}getElementType() == {ELEMENT}{element}", get(&name.text));
            let holds: Vec<String> = elements.iter().map(one).collect();
            let message = format!("the element type of {} is none of {}", name.text, elements.join(", "));
            vec![Requirement { holds: holds.join(" || "), names: Vec::new(), message }]
        }
        Rule::Same(property, terms) => {
            let [first, rest @ ..] = terms.as_slice() else { return Vec::new() };
            rest.iter().map(|term| same(*property, first, term, &get)).collect()
        }
    }
}

fn same(property: Property, first: &Term, other: &Term, get: &impl Fn(&str) -> String) -> Requirement {
    let value = |term: &Term| match (term, property) {
        (Term::Element(element), _) => format!("{ELEMENT}{element}"),
        (Term::Operand(name), Property::Shape) => format!("{}dims()", get(&name.text)),
        (Term::Operand(name), Property::Type) => format!("{}getType()", get(&name.text)),
        (Term::Operand(name), Property::ElementType) => format!("{}getElementType()", get(&name.text)),
    };
    let words = |term: &Term| match term {
        Term::Element(element) => element.clone(),
        Term::Operand(name) => name.text.clone(),
    };
    let (left, right) = (value(first), value(other));
    let holds = match property {
        Property::Type => format!("equalTypes({left}, {right})"),
        Property::Shape | Property::ElementType => format!("{left} == {right}"),
    };
    let what = match property {
        Property::Shape => "shape",
        Property::Type => "type",
        Property::ElementType => "element type",
    };
    let message = match (first, other) {
        (Term::Operand(name), Term::Element(element)) | (Term::Element(element), Term::Operand(name)) => {
            format!("the element type of {} is not {element}", name.text)
        }
        _ => format!("{} and {} differ in {what}", words(first), words(other)),
    };
    Requirement { holds, names: Vec::new(), message }
}
