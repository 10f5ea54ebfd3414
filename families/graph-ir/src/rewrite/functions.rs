//! C++ functions of the user's: those of `functions:`, and those that fold constants.
//!
//! A function is declared with the types of conditions. In C++ it is a function of the family's
//! namespace; one that returns a value of the graph takes the `Function` first. Invariant: a rule
//! that folds a node is a rule as any other.

use super::bindings::tensor;
use super::vocabulary::{element, value_type};
use super::wrong;
use crate::model::{Family, Name, Node};
use crate::records::{ReplaceRecord, RewriteRecord};
use torchgen_base::diag::Diagnostics;
use torchgen_base::yaml::Text;
use torchgen_kit::expr::{Function, Type, core_functions};
use torchgen_kit::schema::{self, Presence, Rules, TypeRow, TypeTable};

const RULES: Rules = Rules {
    overload: Presence::Forbidden,
    keyword_only: Presence::Forbidden,
    returns: Presence::Required,
    return_names: Presence::Forbidden,
};

/// The group of rules that fold constants.
const GROUP: &str = "fold";

/// Reads the declarations of functions. Errors are diagnostics.
pub(crate) fn read_functions(texts: &[Text], family: &Family, diagnostics: &mut Diagnostics) -> Vec<Function> {
    texts.iter().filter_map(|text| read_function(text, family, diagnostics)).collect()
}

/// Whether a function makes a value of the graph.
pub(crate) fn makes(function: &Function) -> bool {
    function.result == tensor()
}

fn read_function(text: &Text, family: &Family, diagnostics: &mut Diagnostics) -> Option<Function> {
    let mut types = TypeTable::new();
    let known = [
        ("Tensor", tensor()),
        ("Type", value_type()),
        ("ElemKind", element()),
        ("int", Type::Int),
        ("float", Type::Float),
        ("bool", Type::Bool),
        ("str", Type::Str),
    ];
    let enums = family.enums.iter().map(|record| (record.name.as_str(), Type::with_name(record.name.as_str())));
    for (name, ty) in known.into_iter().chain(enums) {
        types.add(name, TypeRow::new(ty).suffixes(&["[]"]));
    }
    let schema = match schema::parse(text.as_str(), &types, &RULES) {
        Ok(schema) => schema,
        Err(errors) => {
            diagnostics.extend(errors.into_iter().map(|error| error.at_text(text)));
            return None;
        }
    };
    let name = schema.name.value.clone();
    let is_own = super::vocabulary::rule_functions().into_iter().chain(core_functions());
    if is_own.into_iter().any(|function| function.name == name) {
        super::report(
            text,
            wrong(schema.name.range.clone(), format!("rules have a function `{name}` already")),
            diagnostics,
        );
        return None;
    }
    let of = |ty: &schema::Type<Type>| if ty.is_list() { ty.kind.clone().list() } else { ty.kind.clone() };
    let parameters: Vec<(String, Type)> =
        schema.parameters.iter().map(|parameter| ((*parameter.name).clone(), of(&parameter.ty))).collect();
    let [result] = schema.results() else {
        super::report(text, wrong(0..text.as_str().len(), "a function of rules has one result"), diagnostics);
        return None;
    };
    Some(Function::new(name, &parameters, of(&result.ty), "A function of yours."))
}

/// The rules that fold nodes, as their records say, and the functions for it.
pub(crate) fn folding(family: &Family) -> (Vec<RewriteRecord>, Vec<Text>) {
    let named = family.nodes.iter().filter_map(|node| Some((node, node.fold.as_ref()?)));
    named.map(|(node, function)| fold(node, function)).unzip()
}

fn fold(node: &Node, function: &Name) -> (RewriteRecord, Text) {
    let made = |text: String| Text::made(text, function.span);
    let (name, called) = (&node.name, &function.text);
    let constants = vec!["Constant()"; node.all_inputs().count()].join(", ");
    let rule = RewriteRecord {
        name: made(format!("fold {name}")),
        doc: None,
        words: Vec::new(),
        pattern: made(format!("{name}!({constants}) as node")),
        conditions: Vec::new(),
        replace: ReplaceRecord::Only(made(format!("{called}(node)"))),
        group: Some(made(GROUP.to_owned())),
        priority: None,
        assumes: Vec::new(),
        examples: Vec::new(),
    };
    (rule, made(format!("{called}(Tensor node) -> Tensor")))
}
