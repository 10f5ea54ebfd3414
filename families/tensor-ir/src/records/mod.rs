//! Reads the YAML of a tensor IR to records: texts with their places, nothing resolved.
//!
//! Invariant: an error in one entry does not stop the others. The meaning of texts is in `model`.

mod keys;

pub(crate) use keys::FILE_KEYS;

use super::codes as own;
use keys::{ENUM_KEYS, FUNCTION_KEYS, NAMING_KEYS, NODE_KEYS, SCOPE_KEYS, TYPE_KEYS};
use torchgen_base::diag::{Diagnostic, Diagnostics, Span, codes};
use torchgen_base::yaml::fields::{Fields, items, text, text_map, wrong_type};
use torchgen_base::yaml::{Node, NodeKind, Resolved, Text, resolve};
use torchgen_kit::ir::{
    EnumForm, EnumRecord, NameCodes, TraitCodes, TypeRecord, named_pairs, read_enums_of, read_types_of,
};

/// What all files of an IR say together.
#[derive(Debug, Default)]
pub(crate) struct IrRecord {
    pub namespaces: Vec<Text>,
    /// The version of what trees are written as, in each file that gives it.
    pub(crate) versions: Vec<Node>,
    /// The first file, which represents the IR where nothing else does.
    pub(crate) first: Option<Span>,
    pub(crate) naming: NamingRecord,
    /// The mix-ins, in each file that has some.
    pub(crate) traits: Vec<Node>,
    pub(crate) enums: Vec<EnumRecord>,
    pub(crate) types: Vec<TypeRecord>,
    pub(crate) structs: Vec<NodeRecord>,
    pub(crate) attributes: Vec<(Text, Text)>,
    pub(crate) layouts: Vec<(Text, Vec<Text>)>,
    pub(crate) function: Option<FunctionRecord>,
    pub module: Option<FunctionRecord>,
    pub(crate) exprs: Vec<NodeRecord>,
    pub(crate) stmts: Vec<NodeRecord>,
    pub(crate) intrinsics: Vec<NodeRecord>,
}

/// How names are spelled.
#[derive(Debug, Default)]
pub(crate) struct NamingRecord {
    pub(crate) field_suffix: Option<Text>,
    pub(crate) expr_suffix: Option<Text>,
    pub(crate) stmt_suffix: Option<Text>,
    pub(crate) macro_prefix: Option<Text>,
}

/// What `function:` or `module:` says.
#[derive(Debug)]
pub(crate) struct FunctionRecord {
    pub(crate) doc: Option<Text>,
    pub(crate) print: Option<Text>,
}

/// What an entry of a list of nodes is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    /// An expression.
    Expr,
    /// An abstract base of expressions.
    Base,
    /// A statement.
    Stmt,
    /// A plain record.
    Struct,
    /// An intrinsic.
    Intrinsic,
}

impl Sort {
    /// The key that holds the schema.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Sort::Expr => "expr",
            Sort::Base => "base",
            Sort::Stmt => "stmt",
            Sort::Struct => "struct",
            Sort::Intrinsic => "intrinsic",
        }
    }
}

/// The name of a builder function.
#[derive(Debug, Default)]
pub(crate) enum BuilderRecord {
    /// The node's name.
    #[default]
    Usual,
    /// There is none.
    None,
    /// This.
    Named(Text),
}

/// One node.
#[derive(Debug)]
pub(crate) struct NodeRecord {
    pub(crate) sort: Sort,
    pub schema: Text,
    pub(crate) doc: Option<Text>,
    pub(crate) params: Vec<(Text, Text)>,
    pub(crate) extends: Option<Text>,
    pub dtype: Option<Text>,
    pub operator: Option<Text>,
    pub(crate) commutative: bool,
    pub(crate) identity: bool,
    pub(crate) print: Option<Text>,
    /// `print:` has an error, which was reported.
    pub(crate) print_rejected: bool,
    pub(crate) declare: Option<Text>,
    pub(crate) builder: BuilderRecord,
    pub(crate) role: Option<Text>,
    pub(crate) constraints: Vec<ConstraintRecord>,
    pub(crate) visit_order: Option<Vec<Text>>,
    pub scope: ScopeRecord,
    pub(crate) comments: bool,
    pub(crate) traits: Vec<Text>,
}

/// Where variables are known.
#[derive(Debug, Default)]
pub(crate) struct ScopeRecord {
    pub(crate) block: Option<Text>,
    pub(crate) declares: Option<Text>,
    pub(crate) var: Option<Text>,
    pub(crate) body: Option<Text>,
}

/// One constraint, and when it holds.
#[derive(Debug)]
pub(crate) struct ConstraintRecord {
    pub(crate) rule: ConstraintRule,
    pub when: Vec<(Text, Text)>,
    pub message: Option<Text>,
}

/// The two ways to write a constraint.
#[derive(Debug)]
pub(crate) enum ConstraintRule {
    /// `same_dtype(l, r)`
    Expression(Text),
    /// `same_dtype: [l, r]`
    Named(Text, Node),
}

const NAME_CODES: NameCodes = NameCodes { malformed: &own::BAD_NODE_NAME, reserved: &own::BAD_NODE_NAME };

pub(crate) const TRAIT_CODES: TraitCodes =
    TraitCodes { names: NAME_CODES, duplicate: &own::DUPLICATE_NODE, unknown: &own::UNKNOWN_NODE };

const ENUM_FORM: EnumForm = EnumForm {
    keys: &ENUM_KEYS,
    numbered: true,
    names: NAME_CODES,
    values: NameCodes { malformed: &own::BAD_ENUM, reserved: &own::BAD_ENUM },
};

/// Adds what a file says to what other files said.
pub(crate) fn read_records(root: Node, ir: &mut IrRecord, diagnostics: &mut Diagnostics) {
    let Some(mut fields) = Fields::new(root, &FILE_KEYS, diagnostics) else { return };
    ir.first.get_or_insert(fields.first_key());
    match fields.take_text("family") {
        Some(family) if family.as_str() != "tensor-ir" => fields.diagnostics().push(
            Diagnostic::new(&own::TENSOR_IR_HEAD, format!("the family is `{family}`, not `tensor-ir`"))
                .at(family.span())
                .help("write `family: tensor-ir`"),
        ),
        Some(_) => {}
        None => fields.missing("family", Some("write `family: tensor-ir` at the top")),
    }
    ir.namespaces.extend(fields.take_text("namespace"));
    ir.versions.extend(fields.take("version"));
    if let Some(node) = fields.take("naming") {
        naming(node, &mut ir.naming, fields.diagnostics());
    }
    ir.traits.extend(fields.take("traits"));
    if let Some(node) = fields.take("enums") {
        ir.enums.extend(read_enums_of(node, &ENUM_FORM, fields.diagnostics()));
    }
    if let Some(node) = fields.take("types") {
        ir.types.extend(read_types_of(node, &TYPE_KEYS, NAME_CODES, fields.diagnostics()));
    }
    if let Some(node) = fields.take("intrinsic_attributes")
        && let Some(map) = text_map(node, "intrinsic_attributes", fields.diagnostics())
    {
        ir.attributes.extend(map.value);
    }
    if let Some(node) = fields.take("layouts") {
        for (name, value) in named_pairs(node, "layouts", fields.diagnostics()) {
            if let Some(list) = torchgen_base::yaml::fields::texts(value, "a layout", fields.diagnostics()) {
                ir.layouts.push((name, list.value));
            }
        }
    }
    if let Some(node) = fields.take("function") {
        ir.function = function(node, fields.diagnostics());
    }
    if let Some(node) = fields.take("module") {
        ir.module = function(node, fields.diagnostics());
    }
    for (key, allowed) in LISTS {
        let Some(node) = fields.take(key) else { continue };
        let read = nodes(node, key, allowed, fields.diagnostics());
        match *key {
            "structs" => ir.structs.extend(read),
            "exprs" => ir.exprs.extend(read),
            "stmts" => ir.stmts.extend(read),
            _ => ir.intrinsics.extend(read),
        }
    }
    fields.finish();
}

const LISTS: &[(&str, &[Sort])] = &[
    ("structs", &[Sort::Struct]),
    ("exprs", &[Sort::Expr, Sort::Base]),
    ("stmts", &[Sort::Stmt]),
    ("intrinsics", &[Sort::Intrinsic]),
];

fn naming(node: Node, naming: &mut NamingRecord, diagnostics: &mut Diagnostics) {
    let Some(mut fields) = Fields::new(node, &NAMING_KEYS, diagnostics) else { return };
    naming.field_suffix = fields.take_text("field_suffix").or(naming.field_suffix.take());
    naming.expr_suffix = fields.take_text("expr_suffix").or(naming.expr_suffix.take());
    naming.stmt_suffix = fields.take_text("stmt_suffix").or(naming.stmt_suffix.take());
    naming.macro_prefix = fields.take_text("macro_prefix").or(naming.macro_prefix.take());
    fields.finish();
}

fn function(node: Node, diagnostics: &mut Diagnostics) -> Option<FunctionRecord> {
    let mut fields = Fields::new(node, &FUNCTION_KEYS, diagnostics)?;
    let record = FunctionRecord { doc: fields.take_text("doc"), print: fields.take_text("print") };
    fields.finish();
    Some(record)
}

fn nodes(node: Node, key: &str, allowed: &[Sort], diagnostics: &mut Diagnostics) -> Vec<NodeRecord> {
    let Some(entries) = items(node, format_args!("`{key}`"), &codes::WRONG_TYPE, diagnostics) else {
        return Vec::new();
    };
    entries.into_iter().filter_map(|entry| one(entry, key, allowed, diagnostics)).collect()
}

fn one(entry: Node, key: &str, allowed: &[Sort], diagnostics: &mut Diagnostics) -> Option<NodeRecord> {
    let mut fields = Fields::new(entry, &NODE_KEYS, diagnostics)?;
    let mut schema = None;
    let mut refused = false;
    for sort in [Sort::Expr, Sort::Base, Sort::Stmt, Sort::Struct, Sort::Intrinsic] {
        let Some(span) = fields.key_span(sort.key()) else { continue };
        let taken = fields.take_text(sort.key());
        if !allowed.contains(&sort) || schema.is_some() {
            refused = true;
            let wanted = allowed.iter().map(|sort| format!("`{}`", sort.key())).collect::<Vec<_>>().join(" or ");
            let message = format!("an entry of `{key}` cannot have the key `{}`", sort.key());
            let error = Diagnostic::new(&codes::UNKNOWN_KEY, message).at(span);
            fields.diagnostics().push(error.help(format!("it has one of the keys {wanted}, once")));
            continue;
        }
        refused |= taken.is_none();
        schema = taken.map(|text| (sort, text));
    }
    if allowed.contains(&Sort::Intrinsic) && schema.is_none() && fields.has("name") {
        schema = short_intrinsic(&mut fields).map(|text| (Sort::Intrinsic, text));
        refused |= schema.is_none();
    }
    let Some((sort, schema)) = schema else {
        if !refused {
            fields.missing(allowed[0].key(), Some("its value is the schema: `name(type field, …)`"));
        }
        let _ = fields.take_rest();
        return None;
    };
    let doc = fields.take_text("doc");
    let params = match fields.take("params") {
        Some(node) => text_map(node, "params", fields.diagnostics()).map(|map| map.value).unwrap_or_default(),
        None => Vec::new(),
    };
    let builder = match fields.take("builder") {
        Some(node) if resolve(&node) == Resolved::Bool(false) => BuilderRecord::None,
        Some(node) => match text(node, "`builder`", fields.diagnostics()) {
            Some(text) => BuilderRecord::Named(text),
            None => BuilderRecord::Usual,
        },
        None => BuilderRecord::Usual,
    };
    let mut constraints = Vec::new();
    if let Some(node) = fields.take("min_size") {
        let name = Text::made("min_size", node.span);
        let rule = ConstraintRule::Named(name, node);
        constraints.push(ConstraintRecord { rule, when: Vec::new(), message: None });
    }
    if let Some(node) = fields.take("constraints") {
        let listed = items(node, "`constraints`", &codes::WRONG_TYPE, fields.diagnostics()).unwrap_or_default();
        let listed = whole_items(listed, fields.diagnostics());
        constraints.extend(listed.into_iter().filter_map(|item| constraint(item, fields.diagnostics())));
    }
    let has_print = fields.has("print");
    let print = fields.take_text("print");
    let record = NodeRecord {
        sort,
        schema,
        doc,
        params,
        extends: fields.take_text("extends"),
        dtype: fields.take_text("dtype"),
        operator: fields.take_text("operator"),
        commutative: fields.take_bool("commutative").is_some_and(|bool| bool.value),
        identity: fields.take_bool("identity").is_some_and(|bool| bool.value),
        print_rejected: has_print && print.is_none(),
        print,
        declare: fields.take_text("declare"),
        builder,
        role: fields.take_text("role"),
        constraints,
        visit_order: fields.take_texts("visit_order").map(|texts| texts.value),
        scope: match fields.take("scope") {
            Some(node) => scope(node, fields.diagnostics()),
            None => ScopeRecord::default(),
        },
        comments: fields.take_bool("comments").is_some_and(|bool| bool.value),
        traits: fields.take_texts("traits").map(|texts| texts.value).unwrap_or_default(),
    };
    fields.finish();
    Some(record)
}

/// `{name: max, args: 2}`, written out as a schema.
fn short_intrinsic(fields: &mut Fields<'_>) -> Option<Text> {
    let name = fields.take_text("name")?;
    let Some(args) = fields.take("args") else {
        let message = format!("the intrinsic `{name}` needs `args`");
        let help = "say how many arguments it has, or write a schema: `intrinsic: max(expr l, expr r)`";
        fields.diagnostics().push(Diagnostic::new(&codes::MISSING_KEY, message).at(name.span()).help(help));
        return None;
    };
    let count: Option<usize> = match resolve(&args) {
        Resolved::Int(_) => args.as_text().and_then(|text| text.parse().ok()).filter(|count| *count <= MOST_ARGUMENTS),
        _ => None,
    };
    let Some(count) = count else {
        let wanted = format!("a whole number up to {MOST_ARGUMENTS}");
        fields.diagnostics().push(wrong_type(&args, "`args`", &wanted));
        return None;
    };
    let names: Vec<String> = match count {
        1 => vec!["expr v".to_owned()],
        2 => vec!["expr l".to_owned(), "expr r".to_owned()],
        _ => (1..=count).map(|at| format!("expr v_{at}")).collect(),
    };
    Some(Text::made(format!("{name}({})", names.join(", ")), name.span()))
}

/// The most arguments that an intrinsic without a schema has.
const MOST_ARGUMENTS: usize = 64;

fn scope(node: Node, diagnostics: &mut Diagnostics) -> ScopeRecord {
    let Some(mut fields) = Fields::new(node, &SCOPE_KEYS, diagnostics) else { return ScopeRecord::default() };
    let record = ScopeRecord {
        block: fields.take_text("block"),
        declares: fields.take_text("declares"),
        var: fields.take_text("var"),
        body: fields.take_text("body"),
    };
    fields.finish();
    record
}

/// The items of a list without those that a comma within parentheses divides, which are reported.
/// Parentheses that no later item closes are another mistake.
fn whole_items(listed: Vec<Node>, diagnostics: &mut Diagnostics) -> Vec<Node> {
    let opened = |item: &Node| {
        let NodeKind::Scalar(text) = &item.kind else { return 0 };
        text.matches('(').count().cast_signed() - text.matches(')').count().cast_signed()
    };
    let mut whole = vec![true; listed.len()];
    let mut at = 0;
    while at < listed.len() {
        let mut open = 0;
        let closed = listed[at..].iter().position(|item| {
            open += opened(item);
            open <= 0
        });
        let last = at + closed.unwrap_or(0);
        if last > at {
            let message = "in a list in brackets, each comma begins another item";
            let error = Diagnostic::new(&own::BAD_CONSTRAINT, message).at(listed[at].span);
            diagnostics.push(error.help("write it in quotes, or on a line of its own after `- `"));
            whole[at..=last].fill(false);
        }
        at = last + 1;
    }
    listed.into_iter().zip(whole).filter_map(|(item, whole)| whole.then_some(item)).collect()
}

fn constraint(node: Node, diagnostics: &mut Diagnostics) -> Option<ConstraintRecord> {
    let span = node.span;
    let pairs = match node.kind {
        NodeKind::Mapping(pairs) => pairs,
        NodeKind::Scalar(text) => {
            let rule = ConstraintRule::Expression(text);
            return Some(ConstraintRecord { rule, when: Vec::new(), message: None });
        }
        NodeKind::Sequence(_) => {
            let wanted = "an expression or a mapping";
            let help = "such as `same_dtype(l, r)` or `same_dtype: [l, r]`";
            diagnostics.push(wrong_type(&node, "a constraint", wanted).help(help));
            return None;
        }
    };
    let (mut rule, mut when, mut message) = (None, Vec::new(), None);
    for (key, value) in pairs {
        let Some(key) = text(key, "the name of a constraint", diagnostics) else { continue };
        match key.as_str() {
            "when" => when = text_map(value, "when", diagnostics).map(|map| map.value).unwrap_or_default(),
            "message" => message = text(value, "`message`", diagnostics),
            "check" if rule.is_none() => {
                rule = Some(ConstraintRule::Expression(text(value, "`check`", diagnostics)?));
            }
            _ if rule.is_none() => rule = Some(ConstraintRule::Named(key, value)),
            _ => diagnostics.push(
                Diagnostic::new(&own::BAD_CONSTRAINT, "a constraint has one name")
                    .at(key.span())
                    .help("make two of it"),
            ),
        }
    }
    let Some(rule) = rule else {
        diagnostics.push(Diagnostic::new(&own::BAD_CONSTRAINT, "a constraint needs a name").at(span));
        return None;
    };
    Some(ConstraintRecord { rule, when, message })
}
