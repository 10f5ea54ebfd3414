//! Resolves the records of an IR: types, bases, and the order in which nodes depend on each other.
//!
//! Invariant: a node comes after its base. Records with errors are reported and left out.

use std::collections::{HashMap, HashSet};

use super::super::codes as own;
use super::super::names;
use super::super::print_form::{self, Piece};
use super::super::records::{IrRecord, NamingRecord, NodeRecord, Sort, TRAIT_CODES};
use super::super::types::{self, FieldType, Many, SchemaTypeKind};
use super::place;
use super::{Ir, Naming, Node};
use torchgen_base::diag::{CodeInfo, Diagnostic, Diagnostics, Help, Span, did_you_mean};
use torchgen_base::lang::cpp::{is_keyword, is_macro};
use torchgen_base::lang::is_identifier;
use torchgen_base::yaml::Text;
use torchgen_kit::header::included;
use torchgen_kit::ir::{EnumRecord, Traits, TypeRecord, written_version};
use torchgen_kit::schema::{self, DefaultForm, Presence, Rules, Schema, TypeRow, TypeTable};

/// The enumerator after those of the intrinsics.
const LAST_INTRINSIC: &str = "NUM_INTRINSICS";

const SCHEMA_RULES: Rules = Rules {
    overload: Presence::Forbidden,
    keyword_only: Presence::Optional,
    returns: Presence::Forbidden,
    return_names: Presence::Forbidden,
};

/// Resolves records. Errors are diagnostics; what they are about is left out of the model.
pub(crate) fn build(record: IrRecord, diagnostics: &mut Diagnostics) -> Ir {
    let namespace = namespace(&record, diagnostics);
    let naming = Naming {
        field_suffix: record.naming.field_suffix.as_ref().map_or("_", |text| text.as_str()).to_owned(),
        expr_suffix: record.naming.expr_suffix.as_ref().map_or("_node", |text| text.as_str()).to_owned(),
        stmt_suffix: record.naming.stmt_suffix.as_ref().map_or("_node_t", |text| text.as_str()).to_owned(),
        macro_prefix: record.naming.macro_prefix.as_ref().map_or("", |text| text.as_str()).to_owned(),
    };
    spellings(&record.naming, diagnostics);
    let table = table(&record, diagnostics);
    let version = written_version(&record.versions, &own::TENSOR_IR_HEAD, diagnostics);
    let suffix = naming.field_suffix.clone();
    let traits = Traits::read(record.traits, TRAIT_CODES, diagnostics);
    let mut builder =
        Builder { table, traits: &traits, diagnostics, known: HashMap::new(), suffix, rejected: Vec::new() };
    builder.enums(&record.enums);
    let structs = builder.nodes(record.structs);
    let exprs = builder.nodes(record.exprs);
    let stmts = builder.nodes(record.stmts);
    let attributes = attributes(&record.attributes, builder.diagnostics);
    let includes = includes(&record.types, &traits, builder.diagnostics);
    let intrinsics = builder.nodes(record.intrinsics);
    let layouts = layouts(&record.layouts, builder.diagnostics);
    let function_print = builder.function(record.function.as_ref().and_then(|function| function.print.as_ref()));
    Ir {
        rejected: builder.rejected,
        namespace,
        version,
        naming,
        traits,
        enums: record.enums,
        types: record.types,
        includes,
        structs,
        attributes,
        layouts,
        function_doc: record.function.and_then(|function| function.doc).map(|doc| doc.to_string()),
        function_print,
        module_doc: record.module.and_then(|module| module.doc).map(|doc| doc.to_string()),
        exprs,
        stmts,
        intrinsics,
    }
}

/// What ends or begins names must leave them names; classes need an end, since pointers have the
/// bare name.
fn spellings(naming: &NamingRecord, diagnostics: &mut Diagnostics) {
    let mut check = |text: &Option<Text>, what: &str, name: &dyn Fn(&str) -> String, empty: bool| {
        let Some(text) = text else { return };
        if (text.is_empty() && !empty) || !names::is_identifier(&name(text)) {
            let message = format!("`{text}` cannot {what}");
            diagnostics.push(Diagnostic::new(&own::TENSOR_IR_HEAD, message).at(text.span()));
        }
    };
    let end = |text: &str| format!("x{text}");
    let begin = |text: &str| format!("x{text}x");
    check(&naming.field_suffix, "end the name of a field", &end, true);
    check(&naming.expr_suffix, "end the name of a class", &end, false);
    check(&naming.stmt_suffix, "end the name of a class", &end, false);
    check(&naming.macro_prefix, "begin the name of a macro", &begin, true);
    let first = naming.macro_prefix.as_ref().filter(|text| text.starts_with(|c: char| c.is_ascii_digit()));
    if let Some(text) = first {
        let message = format!("`{text}` cannot begin the name of a macro");
        diagnostics.push(Diagnostic::new(&own::TENSOR_IR_HEAD, message).at(text.span()));
    }
}

fn namespace(record: &IrRecord, diagnostics: &mut Diagnostics) -> String {
    let mut given = record.namespaces.iter();
    let Some(first) = given.next() else {
        if let Some(span) = record.first {
            diagnostics.push(
                Diagnostic::new(&own::TENSOR_IR_HEAD, "no file names the C++ namespace")
                    .at(span)
                    .help("write `namespace: tir`, for example"),
            );
        }
        return String::new();
    };
    for other in given.filter(|other| other.as_str() != first.as_str()) {
        diagnostics.push(
            Diagnostic::new(&own::TENSOR_IR_HEAD, format!("the namespace is `{other}` here"))
                .at(other.span())
                .also(first.span(), format!("and `{first}` here")),
        );
    }
    if first.split("::").iter().any(|part| !names::is_identifier(part) || is_keyword(part)) {
        let message = format!("`{first}` is not a C++ namespace");
        diagnostics.push(Diagnostic::new(&own::TENSOR_IR_HEAD, message).at(first.span()));
    }
    let parts = first.split("::");
    if let Some(part) = parts.iter().find(|part| part.as_str() == "std" || is_macro(part)) {
        let message = format!("`{part}` belongs to the standard library");
        let error = Diagnostic::new(&own::TENSOR_IR_HEAD, message).at(part.span());
        diagnostics.push(error.help("choose a namespace of your own, such as `tir`"));
    }
    first.to_string()
}

/// The attributes of intrinsics by the names of their constants.
fn attributes(records: &[(Text, Text)], diagnostics: &mut Diagnostics) -> Vec<(String, String)> {
    let mut seen: HashMap<&str, Span> = HashMap::new();
    for (name, _) in records {
        names::spelled(name, "the attribute", name.span(), diagnostics);
        if let Some(first) = seen.insert(name.as_str(), name.span()) {
            let message = format!("`{name}` is an attribute twice");
            let error = Diagnostic::new(&own::BAD_INTRINSIC, message).at(name.span());
            diagnostics.push(error.also(first, "the first time"));
        }
    }
    records.iter().map(|(name, key)| (name.to_string(), key.to_string())).collect()
}

/// The headers of the author's types.
fn includes(types: &[TypeRecord], traits: &Traits, diagnostics: &mut Diagnostics) -> Vec<String> {
    let mut includes = traits.includes.clone();
    for header in types.iter().filter_map(|ty| ty.include.as_ref()) {
        includes.extend(included(header, diagnostics).filter(|header| !includes.contains(header)));
    }
    includes
}

/// The types that schemas may name.
fn table(record: &IrRecord, diagnostics: &mut Diagnostics) -> TypeTable<SchemaTypeKind> {
    let (builtin, mut table) = (types::builtin(), types::builtin());
    let mut add = |name: &Text, kind: SchemaTypeKind, values: Option<Vec<String>>| {
        if builtin.get(name).is_some() {
            // What C++ cannot have is reported with the other names.
            if names::taken(name).is_none() {
                let message = format!("`{name}` is a type of schemas, which no field could have any more");
                let error = Diagnostic::new(&own::DUPLICATE_NODE, message).at(name.span());
                diagnostics.push(error.help(format!("call it `{name}_kind`, for example")));
            }
            return;
        }
        let mut row = TypeRow::new(kind.clone()).suffixes(types::suffixes(&kind));
        if let Some(values) = values {
            row = row.default(DefaultForm::OneOf(values));
        }
        if let Some(before) = table.add(name.to_string(), row)
            && !matches!((before.kind(), &kind), (SchemaTypeKind::Node(_), SchemaTypeKind::Node(_)))
        {
            let message = format!("there is a type `{name}` already");
            diagnostics.push(Diagnostic::new(&own::DUPLICATE_NODE, message).at(name.span()));
        }
    };
    for one in &record.enums {
        let values = one.values.iter().map(ToString::to_string).collect();
        add(&one.name, SchemaTypeKind::Enum(one.name.to_string()), Some(values));
    }
    for one in &record.types {
        add(&one.name, SchemaTypeKind::User(one.name.to_string()), None);
    }
    // A schema that cannot be read is reported when its node is made.
    let name = |node: &NodeRecord| {
        let end = node.schema.find('(')?;
        let name = node.schema.slice(0..end).trim();
        names::is_identifier(&name).then_some(name)
    };
    for name in record.structs.iter().filter_map(name) {
        add(&name, SchemaTypeKind::Struct(name.to_string()), None);
    }
    // A node may have the name of a type of schemas. Fields of the name are of that type then.
    let nodes = record.exprs.iter().chain(&record.stmts).filter_map(name);
    for name in nodes.filter(|name| builtin.get(name).is_none()) {
        add(&name, SchemaTypeKind::Node(name.to_string()), None);
    }
    table
}

fn layouts(records: &[(Text, Vec<Text>)], diagnostics: &mut Diagnostics) -> Vec<(String, Vec<&'static str>)> {
    let mut layouts = Vec::new();
    for (name, fields) in records {
        let mut known = Vec::new();
        for field in fields {
            match types::dtype_name(field) {
                Some(dtype) => known.push(dtype),
                None => {
                    let help = did_you_mean(field, types::DTYPES.iter().map(|(name, _)| *name));
                    let message = format!("`{field}` is not a type of data");
                    let error = Diagnostic::new(&own::BAD_INTRINSIC, message).at(field.span());
                    diagnostics.push(error.maybe_help(help));
                }
            }
        }
        layouts.push((name.to_string(), known));
    }
    layouts
}

/// What nodes are made with.
pub(super) struct Builder<'d> {
    table: TypeTable<SchemaTypeKind>,
    pub(super) traits: &'d Traits,
    pub(super) diagnostics: &'d mut Diagnostics,
    /// What ends the names of members.
    pub(super) suffix: String,
    /// The names of nodes with errors, which others may name.
    rejected: Vec<String>,
    /// Where each name was taken first.
    known: HashMap<(bool, String), Span>,
}

impl Builder<'_> {
    /// Reports an error.
    pub(super) fn error(&mut self, code: &'static CodeInfo, span: Span, message: String, help: Option<Help>) {
        self.diagnostics.push(Diagnostic::new(code, message).at(span).maybe_help(help));
    }

    fn enums(&mut self, enums: &[EnumRecord]) {
        for one in enums {
            names::free(&one.name, one.name.span(), self.diagnostics);
            for name in std::iter::once(&one.name).chain(&one.values) {
                if is_identifier(name) && !names::is_identifier(name) {
                    let message = format!("`{name}` begins with an underscore, or has two in a row");
                    let help = Some("C++ keeps such names for itself: choose another one".into());
                    self.error(&own::BAD_ENUM, name.span(), message, help);
                } else if is_macro(name) {
                    let message = format!("`{name}` is a macro of C++");
                    self.error(
                        &own::BAD_ENUM,
                        name.span(),
                        message,
                        Some(format!("append an underscore: `{name}_`").into()),
                    );
                }
            }
            let mut seen: HashMap<&str, Span> = HashMap::new();
            for value in &one.values {
                if let Some(first) = seen.insert(value.as_str(), value.span()) {
                    let message = format!("`{value}` is a value twice");
                    let error = Diagnostic::new(&own::BAD_ENUM, message).at(value.span());
                    self.diagnostics.push(error.also(first, "the first time"));
                }
            }
            // Without its values, nothing more can be said of it.
            if !one.readable {
                continue;
            }
            self.numbers(one);
            if one.values.is_empty() {
                let message = format!("the enumeration `{}` has no values", one.name);
                self.error(&own::BAD_ENUM, one.name.span(), message, None);
            }
            for (value, _) in &one.print {
                if !seen.contains_key(value.as_str()) {
                    let help = did_you_mean(value, seen.keys().copied().collect::<std::collections::BTreeSet<_>>());
                    let message = format!("`{}` has no value `{value}`", one.name);
                    self.error(&own::BAD_ENUM, value.span(), message, help);
                }
            }
        }
    }

    /// Each number is an `int` and belongs to one value: values are distinguished by their numbers.
    fn numbers(&mut self, one: &EnumRecord) {
        let mut seen: HashMap<i128, &Text> = HashMap::new();
        for (value, number) in &one.numbers {
            if i32::try_from(*number).is_err() {
                let message = format!("the number of `{value}` does not fit into an `int`");
                let help = format!("write a number from {} to {}", i32::MIN, i32::MAX);
                self.error(&own::BAD_ENUM, value.span(), message, Some(help.into()));
            }
            if let Some(first) = seen.insert(*number, value) {
                let message = format!("`{first}` and `{value}` have the same number, {number}");
                let error = Diagnostic::new(&own::BAD_ENUM, message).at(value.span());
                self.diagnostics
                    .push(error.also(first.span(), "the first").help("give each value a number of its own"));
            }
        }
    }

    fn function(&mut self, print: Option<&Text>) -> Option<Vec<Piece>> {
        let field = |name: &str, kind, many| (name.to_owned(), FieldType { kind, many });
        let fields = [
            field("name", SchemaTypeKind::Str, Many::One),
            field("params", SchemaTypeKind::Expr, Many::List),
            field("ret_type", SchemaTypeKind::Dtype, Many::One),
            field("body", SchemaTypeKind::Stmt, Many::Optional),
        ];
        print_form::read_form(print?, &fields, self.diagnostics)
    }

    /// The nodes of one list.
    fn nodes(&mut self, records: Vec<NodeRecord>) -> Vec<Node> {
        let mut schemas: Vec<Option<Schema<SchemaTypeKind>>> = Vec::with_capacity(records.len());
        for record in &records {
            let schema = match schema::parse(&record.schema, &self.table, &SCHEMA_RULES) {
                Ok(schema) => self.with_checked_names(record, schema),
                Err(errors) => {
                    for error in errors {
                        self.diagnostics.push(error.at_text(&record.schema));
                    }
                    self.rejected.extend(schema::declared_name(&record.schema).map(str::to_owned));
                    None
                }
            };
            schemas.push(schema);
        }
        let bases = self.bases(&records, &schemas);
        // Bases come before what extends them, whatever the order of the file.
        let mut order: Vec<usize> = (0..records.len()).collect();
        order.sort_by_key(|at| depth(*at, &bases));
        let mut places: HashMap<usize, usize> = HashMap::new();
        let mut made: Vec<(usize, Node)> = Vec::new();
        for at in order {
            let Some(schema) = &schemas[at] else { continue };
            let base = bases[at].and_then(|base| places.get(&base).copied());
            if records[at].extends.is_some() && base.is_none() {
                // Without its base, its fields and its type are not known.
                self.rejected.push(schema.name.to_string());
                continue;
            }
            let nodes: Vec<&Node> = made.iter().map(|(_, node)| node).collect();
            let node = self.node(&records[at], schema, base.map(|base| nodes[base]));
            places.insert(at, made.len());
            made.push((at, node));
            if let Some((_, node)) = made.last_mut() {
                node.base = base;
            }
        }
        // Back in the order of the file, with the places of bases to match.
        let mut sorted: Vec<usize> = (0..made.len()).collect();
        sorted.sort_by_key(|place| made[*place].0);
        let new: HashMap<usize, usize> = sorted.iter().enumerate().map(|(new, old)| (*old, new)).collect();
        made.sort_by_key(|(at, _)| *at);
        let mut nodes: Vec<Node> = made.into_iter().map(|(_, node)| node).collect();
        for node in &mut nodes {
            node.base = node.base.and_then(|base| new.get(&base).copied());
        }
        nodes
    }

    /// Checks the names of a schema.
    fn with_checked_names(
        &mut self,
        record: &NodeRecord,
        schema: Schema<SchemaTypeKind>,
    ) -> Option<Schema<SchemaTypeKind>> {
        let span = schema.name.span(&record.schema);
        let intrinsic = record.sort == Sort::Intrinsic;
        if intrinsic {
            if !names::is_identifier(&schema.name) || is_keyword(&schema.name) {
                let message = format!("`{}` cannot be the name of an intrinsic", *schema.name);
                self.error(&own::BAD_INTRINSIC, span, message, None);
                return None;
            }
            if *schema.name == LAST_INTRINSIC {
                let message = format!("`{LAST_INTRINSIC}` is the number of intrinsics, in the same enumeration");
                self.error(&own::BAD_INTRINSIC, span, message, None);
                return None;
            }
            if is_macro(&schema.name) {
                let message = format!("`{}` is a macro of C++", *schema.name);
                self.error(&own::BAD_INTRINSIC, span, message, Some(format!("call it `{}_op`", *schema.name).into()));
                return None;
            }
        } else if !names::check_name(&schema.name, "the node", span, self.diagnostics) {
            return None;
        }
        if let Some(first) = self.known.insert((intrinsic, schema.name.to_string()), span) {
            let message = format!("there are two nodes `{}`", *schema.name);
            let error = Diagnostic::new(&own::DUPLICATE_NODE, message).at_with(span, "second one");
            self.diagnostics.push(error.also(first, "first one"));
            return None;
        }
        let mut correct = true;
        for parameter in &schema.parameters {
            let name = &parameter.name;
            if is_keyword(name) || !names::is_identifier(name) {
                let message = format!("`{}` cannot be the name of a field", **name);
                let help = is_keyword(name).then(|| format!("call it `{}_value`, for example", **name));
                self.error(&own::BAD_NODE_NAME, name.span(&record.schema), message, help.map(Help::from));
                correct = false;
            } else if is_macro(name) {
                let message = format!("`{}` is a macro of C++", **name);
                let help = Some(format!("call it `{}_value`, for example", **name).into());
                self.error(&own::BAD_NODE_NAME, name.span(&record.schema), message, help);
                correct = false;
            }
            let ty = FieldType::from_schema_type(&parameter.ty);
            if let Some((reason, help)) = place::misplaced(record.sort, &ty, parameter.keyword_only) {
                let message =
                    format!("`{}` cannot be of the type `{}`: {reason}", **name, types::spelling(&parameter.ty));
                let span = parameter.ty.name.span(&record.schema);
                self.error(&own::MISPLACED_FIELD_TYPE, span, message, Some(help.into()));
                correct = false;
            }
        }
        correct.then_some(schema)
    }

    /// The place of the base of each node, cycles and unknown names reported.
    fn bases(&mut self, records: &[NodeRecord], schemas: &[Option<Schema<SchemaTypeKind>>]) -> Vec<Option<usize>> {
        let name = |at: usize| schemas[at].as_ref().map(|schema| schema.name.value.as_str());
        let mut bases = vec![None; records.len()];
        for (at, record) in records.iter().enumerate() {
            let Some(extends) = &record.extends else { continue };
            let named = (0..records.len()).find(|other| name(*other) == Some(extends.as_str()));
            match named {
                Some(base) if records[base].sort == Sort::Base => bases[at] = Some(base),
                Some(base) => {
                    let message = format!("`{extends}` is not a base");
                    let error = Diagnostic::new(&own::UNKNOWN_BASE, message).at(extends.span());
                    let label = "begins with `expr`, not with `base`";
                    self.diagnostics.push(error.also(records[base].schema.span(), label));
                }
                None if self.rejected.iter().any(|name| name == extends.as_str()) => {}
                None => {
                    let known: Vec<&str> =
                        (0..records.len()).filter(|at| records[*at].sort == Sort::Base).filter_map(name).collect();
                    let message = format!("there is no base `{extends}`");
                    let none = known.is_empty().then(|| format!("declare it: `- base: {extends}(expr x)`"));
                    let help = did_you_mean(extends, known).or(none.map(Help::from));
                    self.error(&own::UNKNOWN_BASE, extends.span(), message, help);
                }
            }
        }
        for at in 0..records.len() {
            let mut seen = HashSet::from([at]);
            let mut here = bases[at];
            while let Some(base) = here {
                if base == at {
                    if let Some(extends) = &records[at].extends {
                        let message = format!("`{}` extends itself", name(at).unwrap_or_default());
                        let help = Some("remove one of the `extends` that lead back to it".into());
                        self.error(&own::EXTENDS_CYCLE, extends.span(), message, help);
                    }
                    break;
                }
                if !seen.insert(base) {
                    break;
                }
                here = bases[base];
            }
        }
        // No cycle is left to walk.
        for at in 0..records.len() {
            let mut seen = HashSet::new();
            let mut here = Some(at);
            while let Some(one) = here {
                if !seen.insert(one) {
                    bases[at] = None;
                    break;
                }
                here = bases[one];
            }
        }
        bases
    }
}

fn depth(at: usize, bases: &[Option<usize>]) -> usize {
    let mut depth = 0;
    let mut here = bases[at];
    while let Some(base) = here {
        depth += 1;
        here = bases[base];
    }
    depth
}
