//! Nodes, fields and intrinsics, as data for templates.
//!
//! Invariant: a class comes after the classes that it needs.

use std::collections::BTreeMap;

use super::super::model::{Carried, Ir, Node, Param};
use super::super::print_form::{Piece, Style};
use super::super::records::Sort;
use super::super::roles::ROLES;
use super::super::types::{DENSE, FieldType, Many, SchemaTypeKind, cpp_string};
use torchgen_base::yaml::Text;
use torchgen_kit::comment::Comment;
use torchgen_kit::ir::{Comparison, EnumRecord, TypeRecord};

use super::{
    AttributeView, EnumValueView, EnumView, FieldView, IntrinsicView, IrView, NodeView, RoleView, TypeView, numbered,
};

/// The view of a whole IR.
pub(crate) fn ir(ir: &Ir) -> IrView {
    let maker = Maker { ir };
    let node = |node: &Node| maker.node(node);
    let bases: Vec<NodeView> = ir.exprs.iter().filter(|n| n.sort == Sort::Base).map(node).collect();
    let exprs: Vec<NodeView> = ir.exprs.iter().filter(|n| n.sort == Sort::Expr).map(node).collect();
    let stmts: Vec<NodeView> = ir.stmts.iter().map(node).collect();
    let mut classes = Vec::with_capacity(ir.exprs.len());
    let mut done = vec![false; ir.exprs.len()];
    for at in 0..ir.exprs.len() {
        maker.declare(at, &mut done, &mut classes);
    }
    let mut roles: BTreeMap<&'static str, Option<RoleView>> = ROLES.iter().map(|role| (role.name, None)).collect();
    for node in ir.exprs.iter().chain(&ir.stmts) {
        if let Some(role) = node.role {
            let (name, ty) = (node.name.clone(), maker.spelled(&node.name));
            roles.insert(role, Some(RoleView { name, ty, class: maker.qualified(&maker.class(node)) }));
        }
    }
    let operator = |node: &Node| Some((node.operator.clone()?, node.builder.clone()?));
    IrView {
        guard: ir.namespace.replace("::", "_").to_uppercase(),
        namespace: ir.namespace.clone(),
        version: ir.version,
        field_suffix: ir.naming.field_suffix.clone(),
        macro_prefix: ir.naming.macro_prefix.clone(),
        enums: ir.enums.iter().map(|one| maker.enumeration(one)).collect(),
        includes: ir.includes.clone(),
        types: ir.types.iter().map(user_type).collect(),
        structs: ir.structs.iter().map(node).collect(),
        simple_stmt: (ir.stmts.iter())
            .find(|node| {
                !node.params.iter().any(|param| matches!(param.ty.kind, SchemaTypeKind::Stmt | SchemaTypeKind::Node(_)))
            })
            .map(|node| node.name.clone()),
        bases,
        exprs,
        stmts,
        classes,
        intrinsics: ir.intrinsics.iter().map(|one| maker.intrinsic(one)).collect(),
        attributes: ir.attributes.iter().map(|(name, key)| (name.clone(), cpp_string(key))).collect(),
        layouts: ir.layouts.iter().map(|(name, fields)| (cpp_string(name), fields.clone())).collect(),
        function_doc: Comment::from_optional_text(ir.function_doc.as_deref()),
        function_print: maker.function(),
        module_doc: Comment::from_optional_text(ir.module_doc.as_deref()),
        roles,
        has_clip: ir.has_clip(),
        operators: ir.exprs.iter().chain(&ir.intrinsics).filter_map(operator).collect(),
    }
}

fn user_type(record: &TypeRecord) -> TypeView {
    TypeView {
        name: record.name.to_string(),
        cpp: record.ty.storage.clone(),
        parse: record.parse.as_ref().map(ToString::to_string),
    }
}

/// Makes views of the parts of an IR.
pub(super) struct Maker<'a> {
    pub(super) ir: &'a Ir,
}

impl Maker<'_> {
    /// What a pointer to any node is called, for the kind of a field that is one.
    fn root(&self, kind: &SchemaTypeKind) -> &'static str {
        match kind {
            SchemaTypeKind::Stmt => "stmt",
            SchemaTypeKind::Node(name) if self.ir.stmts.iter().any(|node| node.name == *name) => "stmt",
            _ => "expr",
        }
    }

    /// The C++ of a name that the IR declares, which no member, parameter or variable hides.
    pub(super) fn qualified(&self, name: &str) -> String {
        format!("::{}::{name}", self.ir.namespace)
    }

    /// The C++ type of a name of the IR's: a node, an enumeration, a record or a type of the
    /// author's.
    pub(super) fn spelled(&self, name: &str) -> String {
        let found = self.ir.types.iter().find(|ty| ty.name.as_str() == name);
        found.map_or_else(|| self.qualified(name), |ty| ty.ty.storage.clone())
    }

    /// Adds a class after those that it needs.
    fn declare(&self, at: usize, done: &mut [bool], classes: &mut Vec<NodeView>) {
        if std::mem::replace(&mut done[at], true) {
            return;
        }
        let node = &self.ir.exprs[at];
        if let Some(base) = node.base {
            self.declare(base, done, classes);
        }
        for param in &node.params {
            if let SchemaTypeKind::Node(name) = &param.ty.kind
                && let Some(needed) = self.ir.exprs.iter().position(|other| other.name == *name)
            {
                self.declare(needed, done, classes);
            }
        }
        classes.push(self.node(node));
    }

    fn enumeration(&self, one: &EnumRecord) -> EnumView {
        let value = |value: &Text| {
            let print = one.print.iter().find(|(name, _)| name == value).map_or(value, |(_, text)| text);
            let number = one.numbers.iter().find(|(name, _)| name == value).map(|(_, number)| *number);
            EnumValueView { name: value.to_string(), number, print: cpp_string(print) }
        };
        EnumView {
            name: one.name.to_string(),
            ty: self.qualified(&one.name),
            doc: Comment::from_optional_text(one.doc.as_ref().map(|doc| doc.as_str())),
            values: one.values.iter().map(value).collect(),
        }
    }

    fn class(&self, node: &Node) -> String {
        let naming = &self.ir.naming;
        match node.sort {
            Sort::Stmt => format!("{}{}", node.name, naming.stmt_suffix),
            Sort::Struct => node.name.clone(),
            _ => format!("{}{}", node.name, naming.expr_suffix),
        }
    }

    fn member(&self, param: &Param) -> String {
        format!("{}{}", param.name, self.ir.naming.field_suffix)
    }

    /// How a member function of the node reads a parameter.
    pub(super) fn read_parameter(&self, param: &Param) -> String {
        match param.carried {
            Carried::No => self.member(param),
            Carried::Dtype => "dtype_".to_owned(),
            Carried::Lanes => "dtype_.lanes_".to_owned(),
        }
    }

    /// A field, as a parameter of a name.
    fn field(&self, param: &Param, parameter: String) -> FieldView {
        let user = |name: &str| self.spelled(name);
        let lanes = param.carried == Carried::Lanes;
        let cpp = if lanes { "uint16_t".to_owned() } else { param.ty.field(user) };
        let (kind, of) = kind(&param.ty);
        let own = match &param.ty.kind {
            SchemaTypeKind::User(name) => self.ir.types.iter().find(|ty| ty.name.as_str() == name),
            _ => None,
        };
        FieldView {
            name: param.name.clone(),
            member: (param.carried == Carried::No).then(|| self.member(param)),
            read: self.read_parameter(param),
            decl: declaration(if lanes { cpp.clone() } else { param.ty.param(user) }, &parameter),
            builder_decl: declaration(if lanes { cpp.clone() } else { param.ty.builder(user) }, &parameter),
            builder_default: param.default.as_ref().map(|default| param.ty.builder_default(default, user)),
            argument: argument(param, &parameter),
            parameter,
            cpp,
            moved: param.ty.is_moved(),
            default: param.default.as_ref().map(|default| param.ty.default(default, user)),
            doc: Comment::from_optional_text(param.doc.as_deref()),
            kind,
            of_type: self.spelled(&of),
            of,
            list: param.ty.many == Many::List,
            optional: param.ty.many == Many::Optional,
            required: param.ty.is_pointer() && param.ty.many == Many::One,
            child: param.ty.is_pointer().then(|| self.root(&param.ty.kind)),
            dense: None,
            inherited: param.inherited,
            carried: match param.carried {
                Carried::No => "",
                Carried::Dtype => "dtype",
                Carried::Lanes => "lanes",
            },
            equal: own.filter(|own| own.ty.comparison != Comparison::Same).map(|own| own.ty.equal("a", "b")),
            hash: own.and_then(|own| own.ty.hash.clone()),
        }
    }

    fn fields(&self, node: &Node) -> Vec<FieldView> {
        node.params.iter().zip(self.parameters(node)).map(|(param, name)| self.field(param, name)).collect()
    }

    fn node(&self, node: &Node) -> NodeView {
        let is_stmt = node.sort == Sort::Stmt;
        let mut params = self.fields(node);
        let parameters = self.parameters(node);
        for at in 0..params.len() {
            if node.params[at].default.as_ref().is_some_and(|default| default.text == DENSE) {
                let before = params[..at].iter().rev().find(|param| param.kind == "expr" && param.list);
                params[at].dense = before.and_then(|param| param.member.clone());
            }
        }
        let base = node.base.map(|base| &self.ir.exprs[base]);
        let (root, pointer, kinds) =
            if is_stmt { ("stmt_base_t", "stmt", "sc_stmt_type") } else { ("expr_base", "expr", "sc_expr_type") };
        let named = |name: &str| node.params.iter().find(|param| param.name == name);
        let value = |param: &Param, read: String| match (&param.ty.kind, param.ty.many) {
            (SchemaTypeKind::Expr | SchemaTypeKind::Node(_), Many::One | Many::Optional) => format!("dtype_of({read})"),
            _ => read,
        };
        let of_params = |name: &str| {
            let at = node.params.iter().position(|param| param.name == name);
            at.map_or_else(|| name.to_owned(), |at| value(&node.params[at], parameters[at].clone()))
        };
        let of_fields = |name: &str| named(name).map_or_else(|| name.to_owned(), |p| value(p, self.read_parameter(p)));
        // A form that begins with an expression is read when the expression is.
        let first = match node.print.as_deref().and_then(<[Piece]>::first) {
            Some(Piece::Field { name, style: Style::Plain, .. }) => named(name),
            _ => None,
        };
        let stored = |param: &&FieldView| param.member.is_some();
        let place = |at: Option<usize>| at.map(|at| node.params[at].name.clone());
        NodeView {
            name: node.name.clone(),
            ty: self.qualified(&node.name),
            class: self.class(node),
            full_class: self.qualified(&self.class(node)),
            schema: node.schema.clone(),
            doc: Comment::from_optional_text(node.doc.as_deref()),
            is_expr: !is_stmt,
            is_base: node.sort == Sort::Base,
            is_struct: node.sort == Sort::Struct,
            base: base.map(|base| base.name.clone()),
            base_type: base.map(|base| self.qualified(&base.name)),
            base_class: base.map_or_else(|| root.to_owned(), |base| self.qualified(&self.class(base))),
            traits: node.traits.clone(),
            mix_ins: node.mix_ins.clone(),
            root,
            pointer,
            kind: format!("{kinds}::{}", node.name),
            own: params.iter().filter(stored).filter(|param| !param.inherited).cloned().collect(),
            fields: params.iter().filter(stored).cloned().collect(),
            owns: (params.iter().filter(stored).filter(|param| !param.inherited))
                .filter(|param| ["expr", "stmt", "node", "callee", "func", "struct"].contains(&param.kind))
                .cloned()
                .collect(),
            children: node.visits.iter().map(|at| params[*at].clone()).collect(),
            rule: node.rule.as_ref().map(|rule| rule.cpp(&of_params)),
            rule_of_fields: node.rule.as_ref().map(|rule| rule.cpp(&of_fields)),
            own_rule: node.own_rule,
            operator: node.operator.clone(),
            commutative: node.commutative,
            is_binary: node.is_binary() && params.iter().all(|param| !param.carried.is_empty() || param.kind == "expr"),
            identity: node.identity,
            print: numbered(self.pieces(node.print.as_deref().unwrap_or_default(), node)),
            declare: numbered(self.pieces(node.declare.as_deref().unwrap_or_default(), node)),
            builder: node.builder.clone(),
            role: node.role,
            constraints: node.constraints.iter().map(|one| self.constraint(one, node)).collect(),
            block: place(node.scope.block),
            declares: place(node.scope.declares),
            scope_var: place(node.scope.var),
            scope_body: place(node.scope.body),
            comments: node.comments,
            kind_words: kind_words(node),
            parsed: !node.identity
                && !matches!(&first, Some(param) if matches!(param.ty.kind, SchemaTypeKind::Expr | SchemaTypeKind::Stmt)),
            follows_callee: first.is_some_and(|param| param.ty.kind == SchemaTypeKind::Callee),
            follows: (first.filter(|param| {
                matches!(param.ty.kind, SchemaTypeKind::Expr | SchemaTypeKind::Callee) && param.ty.many == Many::One
            }))
            .map(|param| param.name.clone()),
            params,
        }
    }

    fn intrinsic(&self, node: &Node) -> IntrinsicView {
        let params = self.fields(node);
        let both = || node.params.iter().zip(&params);
        let rest = both().find(|(param, _)| !param.keyword_only && param.ty.many == Many::List);
        let rest = rest.map(|(_, field)| field.parameter.clone());
        let args: Vec<FieldView> = both()
            .filter(|(param, _)| !param.keyword_only && param.ty.many != Many::List)
            .map(|(_, field)| field.clone())
            .collect();
        let key = |name: &str| {
            let known = self.ir.attributes.iter().find(|(attribute, _)| attribute == name);
            cpp_string(known.map_or(name, |(_, key)| key))
        };
        let user = |name: &str| self.spelled(name);
        let attributes: Vec<AttributeView> = (both().filter(|(param, _)| param.keyword_only))
            .map(|(param, field)| AttributeView {
                name: param.name.clone(),
                parameter: field.parameter.clone(),
                key: key(&param.name),
                cpp: param.ty.field(user),
                default: param.default.as_ref().map(|default| param.ty.default(default, user)),
            })
            .collect();
        let value = |name: &str| match node.params.iter().position(|param| param.name == *name) {
            Some(at) if !node.params[at].keyword_only => format!("dtype_of(detail::argument(args, {at}))"),
            Some(at) => format!("detail::attribute<{}>(attrs, {})", node.params[at].ty.field(user), key(name)),
            None => name.to_owned(),
        };
        IntrinsicView {
            name: node.name.clone(),
            doc: Comment::from_optional_text(node.doc.as_deref()),
            schema: node.schema.clone(),
            count: args.len(),
            args,
            attributes,
            rest,
            rule: node.rule.as_ref().map_or_else(|| "datatypes::undef".to_owned(), |rule| rule.cpp(&value)),
            operator: node.operator.clone(),
            builder: node.builder.clone(),
            constraints: node.constraints.iter().map(|one| self.constraint(one, node)).collect(),
            params,
        }
    }
}

/// The fields whose kind a form names.
fn kind_words(node: &Node) -> Vec<String> {
    let pieces = node.print.iter().flatten().filter_map(|piece| match piece {
        Piece::Field { name, style: Style::Declared, .. } => Some(name.clone()),
        _ => None,
    });
    pieces.collect()
}

/// A parameter: its type and its name.
fn declaration(ty: String, name: &str) -> String {
    if ty.ends_with('&') { format!("{ty}{name}") } else { format!("{ty} {name}") }
}

/// The word by which templates distinguish types of fields, and the name of what it is of.
pub(super) fn kind(ty: &FieldType) -> (&'static str, String) {
    match &ty.kind {
        SchemaTypeKind::Expr => ("expr", String::new()),
        SchemaTypeKind::Stmt => ("stmt", String::new()),
        SchemaTypeKind::Node(name) => ("node", name.clone()),
        SchemaTypeKind::Dtype => ("dtype", String::new()),
        SchemaTypeKind::Str => ("str", String::new()),
        SchemaTypeKind::Int => ("int", String::new()),
        SchemaTypeKind::Int64 => ("int64", String::new()),
        SchemaTypeKind::Float => ("float", String::new()),
        SchemaTypeKind::Bool => ("bool", String::new()),
        SchemaTypeKind::Func => ("func", String::new()),
        SchemaTypeKind::Callee => ("callee", String::new()),
        SchemaTypeKind::Scalar => ("scalar", String::new()),
        SchemaTypeKind::Attrs => ("attrs", String::new()),
        SchemaTypeKind::Data => ("data", String::new()),
        SchemaTypeKind::Index => ("index", String::new()),
        SchemaTypeKind::Intrinsic => ("intrinsic", String::new()),
        SchemaTypeKind::Enum(name) => ("enum", name.clone()),
        SchemaTypeKind::Struct(name) => ("struct", name.clone()),
        SchemaTypeKind::User(name) => ("user", name.clone()),
    }
}

/// What a builder passes to the constructor for a parameter.
fn argument(param: &Param, name: &str) -> String {
    match (&param.ty.kind, param.ty.many) {
        (SchemaTypeKind::Stmt, Many::List) => format!("vector_remove_const({name})"),
        (SchemaTypeKind::Expr | SchemaTypeKind::Stmt | SchemaTypeKind::Node(_), Many::One | Many::Optional) => {
            format!("{name}.remove_const()")
        }
        (SchemaTypeKind::Index, _) => format!("expr({name})"),
        _ => name.to_owned(),
    }
}
