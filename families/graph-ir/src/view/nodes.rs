//! The view of the files for nodes.

use serde::Serialize;

use super::{
    COMMENT, Defaults, File, MemberView, MethodView, OperandInfo, VerifyView, declared, joined, mark,
    member_parameters, methods, moved, owns, spelling::Spelling, verify_view,
};
use crate::effects::Operand;
use crate::model::{Family, Gradient, Infer, Node, NodeResult};
use crate::schema::{escaped, quoted};
use crate::words::elaborated;
use torchgen_base::lang::cpp::mentions;
use torchgen_kit::comment::Comment;

/// Everything about nodes.
#[derive(Debug, Serialize)]
pub(crate) struct Nodes {
    #[serde(flatten)]
    file: File,
    /// The header of the base classes, in quotes or angle brackets.
    graph_header: String,
    /// The header that defines `OperandKind`, if IRKit.h does not.
    operand_kinds: Option<String>,
    /// Whether nodes have a visit that is const.
    const_visits: bool,
    includes: Vec<String>,
    verification_includes: Vec<String>,
    serial_prefix: String,
    /// Whether shapes of results are inferred.
    has_shapes: bool,
    /// Classes that have a kind and no record.
    declared: Vec<String>,
    /// In the order of kinds: gradients follow their originals, and what only backends have comes
    /// last.
    nodes_def: Vec<ClassName>,
    /// In the order of classes: gradients come before their originals.
    nodes: Vec<NodeView>,
}

#[derive(Debug, Serialize)]
struct ClassName {
    name: String,
    class: String,
}

#[derive(Debug, Serialize)]
struct Indexed {
    name: String,
    /// The parameter for it.
    param: String,
    index: usize,
}

#[derive(Debug, Serialize)]
struct ResultView {
    name: String,
    param: String,
    index: usize,
    /// The expression of its type in the constructor.
    #[serde(rename = "type")]
    ty: String,
    from_ctor: bool,
}

#[derive(Debug, Serialize)]
struct VariableResult {
    name: String,
    param: String,
    /// The expression of the number of its first result.
    offset: String,
}

#[derive(Debug, Serialize)]
struct GradientView {
    /// The generated class; none if the user writes `getGrad`.
    class: Option<String>,
    returns: String,
    arguments: String,
}

#[derive(Debug, Serialize)]
struct Inferred {
    parameters: String,
    parameters_plain: String,
    arguments: String,
}

/// How the dimensions of a result are found.
#[derive(Debug, Serialize)]
struct Shape {
    result: String,
    /// The parameters: inputs and members.
    parameters: String,
    /// The same in the definition, without the names of those that it does not use.
    parameters_defined: String,
    /// The names of these.
    arguments: String,
    /// The same of an object.
    own_arguments: String,
    /// The parts whose getters the expression calls.
    getters: Vec<String>,
    expression: String,
}

#[derive(Debug, Serialize)]
struct ByHandView {
    debug: bool,
    visitor: bool,
    hash: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct NodeView {
    name: String,
    class: String,
    /// The class where members may hide it.
    typename: String,
    doc: Comment,
    doc_literal: String,
    inputs: Vec<Indexed>,
    variable_inputs: Vec<Indexed>,
    results: Vec<ResultView>,
    variable_results: Vec<VariableResult>,
    members: Vec<MemberView>,
    modes: Vec<String>,
    /// The enumeration of modes.
    mode_type: String,
    mode_typename: String,
    /// The parameters of the constructor.
    parameters: String,
    clone_arguments: String,
    import_arguments: String,
    factory_parameters: String,
    factory_parameters_plain: String,
    factory_arguments: String,
    inferred: Option<Inferred>,
    shapes: Vec<Shape>,
    num_inputs: String,
    /// The condition on `idx` that an input is written; empty for none.
    overwrites: String,
    side_effects: bool,
    canonical: bool,
    data_parallel: bool,
    extra_results: bool,
    fused_activation: bool,
    serialized: bool,
    by_hand: ByHandView,
    verify: VerifyView,
    custom_checks: Vec<String>,
    methods: Vec<MethodView>,
    /// The names of its mix-ins, and these as base classes.
    traits: Vec<String>,
    mix_ins: Vec<String>,
    gradient: Option<GradientView>,
    is_gradient: bool,
    operands_info: Vec<OperandInfo>,
    /// The literal of the related class, or a null pointer.
    related: String,
}

/// Makes the view.
pub(crate) fn nodes(family: &Family, declared: Vec<String>) -> Nodes {
    let mut order: Vec<&Node> = Vec::new();
    for node in family.nodes.iter().filter(|node| node.gradient_of.is_none()) {
        order.push(node);
        order.extend(family.nodes.iter().filter(|other| other.gradient_of.as_ref() == Some(&node.name)));
    }
    // Stable: what only backends have comes last, each in its order.
    order.sort_by_key(|node| node.backend_specific);
    let support = family.support.as_ref();
    Nodes {
        file: File { namespace: family.namespace.clone(), comment: COMMENT },
        graph_header: support.map_or("\"IRGraph.h\"", |support| support.nodes.as_str()).to_owned(),
        operand_kinds: support.filter(|support| support.declared.operand_kinds).map(|it| it.instructions.clone()),
        const_visits: support.is_none_or(|support| support.const_visits),
        includes: family.includes.clone(),
        verification_includes: family.verification.clone(),
        serial_prefix: family.serial_prefix.clone(),
        has_shapes: family.infers_shapes(),
        declared,
        nodes_def: order.iter().map(|node| ClassName { name: node.name.clone(), class: node.class() }).collect(),
        nodes: family.nodes.iter().map(node_view).collect(),
    }
}

pub(super) fn node_view(node: &Node) -> NodeView {
    let (verify, custom_checks) = verify_view(&node.verify, ".");
    let spelling = Spelling::of_node(node);
    let indexed = |(index, input): (usize, &Operand)| Indexed {
        name: input.name.text.clone(),
        param: spelling.of_part(&input.name.text),
        index,
    };
    let results = node.results.iter().enumerate().map(|(index, result)| ResultView {
        name: result.name.text.clone(),
        param: spelling.of_part(&result.name.text),
        index,
        ty: match &result.same_as {
            Some(input) => format!("{}.getType()", spelling.of_part(input)),
            None => spelling.of_part(&result.name.text),
        },
        from_ctor: result.same_as.is_none(),
    });
    let mut offset = node.results.len().to_string();
    let mut variable_results = Vec::new();
    for result in &node.variable_results {
        variable_results.push(VariableResult {
            name: result.text.clone(),
            param: spelling.of_part(&result.text),
            offset: offset.clone(),
        });
        offset = format!("{offset} + {}Size_", result.text);
    }
    let sizes = node.variable_inputs.iter().map(|list| format!("static_cast<unsigned>({}_.size())", list.name.text));
    let num_inputs: Vec<String> = std::iter::once(node.inputs.len().to_string()).chain(sizes).collect();
    NodeView {
        name: node.name.clone(),
        class: node.class(),
        typename: elaborated("class", &node.class()),
        doc: Comment::new(&node.doc),
        doc_literal: escaped(&node.doc),
        inputs: node.inputs.iter().enumerate().map(indexed).collect(),
        variable_inputs: node.variable_inputs.iter().enumerate().map(indexed).collect(),
        results: results.collect(),
        variable_results,
        members: node.members.iter().map(|member| MemberView::new(member, &spelling)).collect(),
        modes: node.modes.clone(),
        mode_type: node.mode_type(),
        mode_typename: elaborated("enum", &node.mode_type()),
        parameters: joined(parameters(node, &spelling, Types::All, Defaults::Shown)),
        clone_arguments: joined(clone_arguments(node)),
        import_arguments: joined(import_arguments(node, &spelling)),
        factory_parameters: joined(parameters(node, &spelling, Types::All, Defaults::Shown)),
        factory_parameters_plain: joined(parameters(node, &spelling, Types::All, Defaults::Hidden)),
        factory_arguments: joined(arguments(node, &spelling, |_| None)),
        inferred: inferred(node, &spelling),
        shapes: shapes(node, &spelling),
        num_inputs: num_inputs.join(" + "),
        overwrites: overwrites(node),
        side_effects: node.side_effects,
        canonical: !node.backend_specific,
        data_parallel: node.data_parallel,
        extra_results: node.extra_results,
        fused_activation: node.fused_activation,
        serialized: !node.by_hand.serialization,
        by_hand: ByHandView { debug: node.by_hand.debug, visitor: node.by_hand.visitor, hash: node.by_hand.hash },
        verify,
        custom_checks,
        traits: node.traits.iter().map(|name| name.text.clone()).collect(),
        mix_ins: node.mix_ins.clone(),
        methods: methods(&node.methods, &node.class(), &node.name),
        gradient: gradient(node),
        is_gradient: node.gradient_of.is_some(),
        operands_info: operands_info(node),
        related: related(node),
    }
}

/// The condition on `idx` that an input is written; empty for none.
fn overwrites(node: &Node) -> String {
    let fixed = node.inputs.iter().enumerate().filter(|(_, input)| input.kind.writes());
    let mut terms: Vec<String> = fixed.map(|(index, _)| format!("idx == {index}")).collect();
    // Where a list begins, as terms of a sum.
    let mut begin = Vec::new();
    if !node.inputs.is_empty() {
        begin.push(node.inputs.len().to_string());
    }
    for list in &node.variable_inputs {
        let size = format!("{}_.size()", list.name.text);
        if list.kind.writes() {
            let end = begin.iter().chain([&size]).cloned().collect::<Vec<_>>().join(" + ");
            terms.push(match begin.is_empty() {
                true => format!("idx < {end}"),
                false => format!("(idx >= {} && idx < {end})", begin.join(" + ")),
            });
        }
        begin.push(size);
    }
    terms.join(" || ")
}

/// Which types of results are parameters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Types {
    All,
    /// Those that cannot be inferred.
    NotInferred,
}

fn parameters(node: &Node, spelling: &Spelling, types: Types, defaults: Defaults) -> Vec<String> {
    let named = |ty: &str, part: &str| format!("{ty} {}", spelling.of_part(part));
    let mut list = vec!["StringRef name".to_owned()];
    let taken = node.results.iter().filter(|result| result.same_as.is_none());
    let taken = taken.filter(|result| types == Types::All || result.infer.is_none());
    list.extend(taken.map(|result| named("TypeRef", &result.name.text)));
    list.extend(node.variable_results.iter().map(|result| named("ArrayRef<TypeRef>", &result.text)));
    if !node.modes.is_empty() {
        // The class may be incomplete where the factory method is declared.
        list.push(format!("{} mode", elaborated("enum", &node.mode_type())));
    }
    list.extend(node.inputs.iter().map(|input| named("NodeValue", &input.name.text)));
    list.extend(node.variable_inputs.iter().map(|input| named("std::vector<NodeValue>", &input.name.text)));
    list.extend(member_parameters(&node.members, |member| spelling.of_part(member), defaults));
    list
}

/// The arguments of the constructor, from parameters of the same names; `ty` may give a type of a
/// result.
fn arguments(node: &Node, spelling: &Spelling, ty: impl Fn(&NodeResult) -> Option<String>) -> Vec<String> {
    let mut list = vec!["name".to_owned()];
    let taken = node.results.iter().filter(|result| result.same_as.is_none());
    list.extend(taken.map(|result| ty(result).unwrap_or_else(|| spelling.of_part(&result.name.text))));
    list.extend(node.variable_results.iter().map(|result| spelling.of_part(&result.text)));
    if !node.modes.is_empty() {
        list.push("mode".to_owned());
    }
    list.extend(node.inputs.iter().map(|input| spelling.of_part(&input.name.text)));
    // What a type is found of, in an argument before, is not moved: arguments have no order.
    let types = list.join(" ");
    let taken = |param: String, owns: bool| match owns && !mentions(&types, &param) {
        true => format!("std::move({param})"),
        false => param,
    };
    let lists = node.variable_inputs.iter().map(|input| taken(spelling.of_part(&input.name.text), true));
    let members = node.members.iter();
    let members = members.map(|member| taken(spelling.of_part(&member.name.text), owns(&member.ty.argument)));
    let rest: Vec<String> = lists.chain(members).collect();
    list.extend(rest);
    list
}

fn inferred(node: &Node, spelling: &Spelling) -> Option<Inferred> {
    let can = node.results.iter().any(|result| result.same_as.is_none() && result.infer.is_some());
    can.then(|| Inferred {
        parameters: joined(parameters(node, spelling, Types::NotInferred, Defaults::Shown)),
        parameters_plain: joined(parameters(node, spelling, Types::NotInferred, Defaults::Hidden)),
        arguments: joined(arguments(node, spelling, |result| {
            result.infer.as_ref().map(|infer| inferred_type(node, spelling, result, infer))
        })),
    })
}

/// The type of a result; its dimensions are in a variable if an expression finds them.
fn inferred_type(node: &Node, spelling: &Spelling, result: &NodeResult, infer: &Infer) -> String {
    let like = match node.variable_inputs.iter().any(|list| list.name.text == infer.like) {
        true => format!("firstOf({}, \"{}\").getType()", spelling.of_part(&infer.like), infer.like),
        false => format!("{}.getType()", spelling.of_part(&infer.like)),
    };
    let dims = format!("dimsOf{}", result.name.text);
    match (&infer.element, &infer.shape) {
        (None, None) => like,
        (Some(element), None) => format!("parent_->uniqueType(ElemKind::{element}, {like}->dims())"),
        (None, Some(_)) => format!("parent_->uniqueTypeWithNewShape({like}, {dims})"),
        (Some(element), Some(_)) => format!("parent_->uniqueType(ElemKind::{element}, {dims})"),
    }
}

fn shapes(node: &Node, spelling: &Spelling) -> Vec<Shape> {
    // Nothing of the parameters is kept, so that none is copied.
    let read = |ty: &str| if owns(ty) { format!("const {ty} &") } else { ty.to_owned() };
    let inputs = node.inputs.iter().map(|input| ("NodeValue".to_owned(), &input.name.text));
    let lists = node.variable_inputs.iter().map(|list| (read("std::vector<NodeValue>"), &list.name.text));
    let members = || node.members.iter().map(|member| &member.name.text);
    let types = node.members.iter().map(|member| read(&member.ty.argument));
    let parameters: Vec<(String, &String)> = inputs.chain(lists).chain(types.zip(members())).collect();
    let names = node.all_inputs().map(|input| &input.name.text);
    let arguments = joined(names.chain(members()).map(|name| spelling.of_part(name)));
    let getters = node.all_inputs().map(|input| format!("get{}()", input.name.text));
    let own_arguments = joined(getters.chain(members().map(|member| format!("{member}_"))));
    let shape = |result: &NodeResult| {
        let expression = result.shape()?;
        let defined = |(ty, name): &(String, &String)| {
            let is_used = expression.names.contains(name) || expression.getters.contains(name);
            match is_used {
                true => mark(&expression.text).to_owned() + &declared(ty, name),
                false if mentions(&expression.text, name) => format!("[[maybe_unused]] {}", declared(ty, name)),
                false => ty.trim_end().to_owned(),
            }
        };
        Some(Shape {
            result: result.name.text.clone(),
            parameters: joined(parameters.iter().map(|(ty, name)| declared(ty, name))),
            parameters_defined: joined(parameters.iter().map(defined)),
            arguments: arguments.clone(),
            own_arguments: own_arguments.clone(),
            getters: expression.getters.clone(),
            expression: expression.text.clone(),
        })
    };
    node.results.iter().filter_map(shape).collect()
}

fn clone_arguments(node: &Node) -> Vec<String> {
    let mut list = vec!["getName()".to_owned()];
    let taken = node.results.iter().filter(|result| result.same_as.is_none());
    list.extend(taken.map(|result| format!("get{}().getType()", result.name.text)));
    list.extend(node.variable_results.iter().map(|result| format!("typesOf{}", result.text)));
    if !node.modes.is_empty() {
        list.push("mode_".to_owned());
    }
    list.extend(node.all_inputs().map(|input| format!("get{}()", input.name.text)));
    list.extend(node.members.iter().map(|member| format!("{}_", member.name.text)));
    list
}

fn import_arguments(node: &Node, spelling: &Spelling) -> Vec<String> {
    let mut list = vec!["opName".to_owned()];
    let taken = node.results.iter().filter(|result| result.same_as.is_none());
    list.extend(taken.map(|result| format!("{}OutTy", result.name.text)));
    list.extend(node.variable_results.iter().map(|result| format!("{}OutTyList", result.text)));
    if !node.modes.is_empty() {
        list.push(format!("static_cast<{}::Mode>(mode__)", node.class()));
    }
    list.extend(node.inputs.iter().map(|input| spelling.of_part(&input.name.text)));
    list.extend(node.variable_inputs.iter().map(|input| format!("std::move({})", spelling.of_part(&input.name.text))));
    list.extend(node.members.iter().map(|member| moved(member, &spelling.of_part(&member.name.text))));
    list
}

fn gradient(node: &Node) -> Option<GradientView> {
    match node.gradient {
        Gradient::None => None,
        Gradient::ByHand => Some(GradientView { class: None, returns: "Node".to_owned(), arguments: String::new() }),
        Gradient::Made => {
            let class = format!("{}GradNode", node.name);
            let mut list = vec!["getName().str() + \"_grad\"".to_owned()];
            if !node.modes.is_empty() {
                list.push(format!("static_cast<{class}::Mode>(getMode())"));
            }
            list.extend(node.inputs.iter().map(|input| format!("get{}()", input.name.text)));
            for result in &node.results {
                let value = format!("get{}()", result.name.text);
                list.push(value.clone());
                list.push(format!("builder.getGradient({value})"));
            }
            list.extend(node.members.iter().map(|member| format!("{}_", member.name.text)));
            Some(GradientView { returns: class.clone(), class: Some(class), arguments: joined(list) })
        }
    }
}

fn operands_info(node: &Node) -> Vec<OperandInfo> {
    let info = |name: &str, kind, variable| OperandInfo { name: name.to_owned(), kind, variable, scratch: false };
    let inputs = node.inputs.iter().map(|input| info(&input.name.text, input.kind.cpp(), false));
    let lists = node.variable_inputs.iter().map(|list| info(&list.name.text, list.kind.cpp(), true));
    let results = node.results.iter().map(|result| info(&result.name.text, "Out", false));
    let result_lists = node.variable_results.iter().map(|list| info(&list.text, "Out", true));
    inputs.chain(lists).chain(results).chain(result_lists).collect()
}

fn related(node: &Node) -> String {
    match (&node.gradient_of, node.gradient) {
        (Some(original), _) => quoted(original),
        (None, Gradient::Made) => quoted(&format!("{}Grad", node.name)),
        (None, _) => "nullptr".to_owned(),
    }
}
