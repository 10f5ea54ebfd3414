//! A node: its fields, what it inherits, its rules, and its place in scopes.
//!
//! Invariant: a node refers to fields by their positions in its own parameters.

use super::super::codes as own;
use super::super::constraint;
use super::super::dtype_rule::{self, Rule};
use super::super::names;
use super::super::print_form::{self, Piece};
use super::super::records::{BuilderRecord, NodeRecord, Sort};
use super::super::roles::ROLES;
use super::super::types::{self, FieldType, Many, SchemaTypeKind};
use super::build::Builder;
use super::{Carried, Node, Param, Scope, place};
use torchgen_base::diag::{Diagnostic, did_you_mean};
use torchgen_base::yaml::Text;
use torchgen_kit::schema::Schema;

impl Builder<'_> {
    /// The node of a record whose schema is read and whose base is known.
    pub(super) fn node(&mut self, record: &NodeRecord, schema: &Schema<SchemaTypeKind>, base: Option<&Node>) -> Node {
        let params = self.params(record, schema, base);
        let fields: Vec<(String, FieldType)> =
            params.iter().map(|param| (param.name.clone(), param.ty.clone())).collect();
        let own_rule = self.own_rule(record, &fields);
        let rule = own_rule.clone().or_else(|| base.and_then(|base| base.rule.clone()));
        if is_typed(record) && rule.is_none() && record.dtype.is_none() {
            let message = format!("the dtype of `{}` is not known", *schema.name);
            let help = Some("add a rule: `dtype: common(l, r)`, or `dtype: undef`".into());
            self.error(&own::BAD_DTYPE_RULE, schema.name.span(&record.schema), message, help);
        }
        let mut node = Node {
            sort: record.sort,
            name: schema.name.to_string(),
            span: schema.name.span(&record.schema),
            schema: record.schema.to_string(),
            doc: record.doc.as_ref().map(|doc| doc.to_string()),
            params,
            base: None,
            rule,
            own_rule: own_rule.is_some(),
            operator: record.operator.as_ref().map(|operator| operator.to_string()),
            commutative: record.commutative,
            identity: record.identity,
            print: self.print(record, schema, &fields),
            form: record.print.as_ref().map(ToString::to_string),
            declare: record.declare.as_ref().and_then(|text| print_form::read_form(text, &fields, self.diagnostics)),
            builder: self.builder(record, schema),
            role: None,
            constraints: Vec::new(),
            visits: Vec::new(),
            scope: Scope::default(),
            comments: record.comments,
            traits: record.traits.iter().map(ToString::to_string).collect(),
            mix_ins: self.mix_ins(record),
        };
        if record.sort == Sort::Expr || record.sort == Sort::Base {
            carry(&mut node.params, node.rule.as_ref());
        }
        if record.sort != Sort::Intrinsic {
            place::members(&node, &self.suffix, self.diagnostics);
        }
        node.visits = self.visits(record, &node);
        node.scope = self.scope(record, &node);
        node.role = self.role(record, &node);
        self.lanes(record, schema, &node);
        self.operators(record, &node);
        if record.identity && node.declare.is_none() {
            let message = format!("nothing says how `{}` is printed where it is declared", node.name);
            let help = Some("add `declare: \"{name}: {type}\"`, for example".into());
            self.error(&own::BAD_PRINT_FORM, node.span, message, help);
        }
        for one in &record.constraints {
            node.constraints.extend(constraint::read_constraint(one, &node, self.diagnostics));
        }
        node
    }

    /// The class templates of the traits.
    fn mix_ins(&mut self, record: &NodeRecord) -> Vec<String> {
        if let (Sort::Intrinsic, Some(first)) = (record.sort, record.traits.first()) {
            let message = "an intrinsic has no class".to_owned();
            self.error(&own::BAD_INTRINSIC, first.span(), message, Some("remove `traits`".into()));
            return Vec::new();
        }
        let listed: Vec<_> = record.traits.iter().map(|name| (name.as_str(), name.span())).collect();
        self.traits.templates(&listed, self.diagnostics)
    }

    /// The parameters of a schema, with what the base says of them.
    fn params(&mut self, record: &NodeRecord, schema: &Schema<SchemaTypeKind>, base: Option<&Node>) -> Vec<Param> {
        let mut params: Vec<Param> = Vec::with_capacity(schema.parameters.len());
        for parameter in &schema.parameters {
            let doc = record.params.iter().find(|(name, _)| name.as_str() == parameter.name.as_str());
            params.push(Param {
                name: parameter.name.to_string(),
                ty: FieldType::from_schema_type(&parameter.ty),
                spelling: types::spelling(&parameter.ty),
                default: parameter.default.as_ref().map(|default| default.value.clone()),
                doc: doc.map(|(_, doc)| doc.to_string()),
                keyword_only: parameter.keyword_only,
                span: parameter.name.span(&record.schema),
                inherited: false,
                carried: Carried::No,
            });
        }
        for (name, _) in &record.params {
            if !params.iter().any(|param| param.name == name.as_str()) {
                let help = did_you_mean(name, params.iter().map(|param| param.name.as_str()));
                let message = format!("`{}` has no field `{name}`", *schema.name);
                self.error(&own::FIELD_MISMATCH, name.span(), message, help);
            }
        }
        self.defaults(schema, record, &params);
        if let Some(base) = base {
            self.inherit(record, schema, &mut params, base);
        }
        params
    }

    /// The rule of `dtype:`.
    fn own_rule(&mut self, record: &NodeRecord, fields: &[(String, FieldType)]) -> Option<Rule> {
        let text = record.dtype.as_ref()?;
        if is_typed(record) {
            return dtype_rule::read_rule(text, &dtype_rule::Scope { fields }, self.diagnostics);
        }
        let message = "only expressions have a type".to_owned();
        self.error(&own::BAD_DTYPE_RULE, text.span(), message, Some("remove `dtype`".into()));
        None
    }

    /// The printed form, which is required of what is printed by itself.
    fn print(
        &mut self,
        record: &NodeRecord,
        schema: &Schema<SchemaTypeKind>,
        fields: &[(String, FieldType)],
    ) -> Option<Vec<Piece>> {
        if let Some(text) = &record.print {
            return print_form::read_form(text, fields, self.diagnostics);
        }
        if matches!(record.sort, Sort::Expr | Sort::Stmt | Sort::Struct) && !record.print_rejected {
            let message = format!("`{}` has no printed form", *schema.name);
            let help = Some(format!("add one: `print: \"{}({{…}})\"`", *schema.name).into());
            self.error(&own::BAD_PRINT_FORM, schema.name.span(&record.schema), message, help);
        }
        None
    }

    /// The name of the builder function, without `make_`.
    fn builder(&mut self, record: &NodeRecord, schema: &Schema<SchemaTypeKind>) -> Option<String> {
        let name = match &record.builder {
            BuilderRecord::Usual => return Some(schema.name.to_string()),
            BuilderRecord::None => return None,
            BuilderRecord::Named(name) => name,
        };
        if !names::is_identifier(name) {
            let message = format!("`{name}` cannot be a part of a function's name");
            self.error(&own::BAD_NODE_NAME, name.span(), message, None);
        }
        if let Some(rest) = name.strip_prefix("make_") {
            let message = format!("the builder would be called `make_{name}`");
            let help = Some(format!("write `builder: {rest}` for `make_{rest}`").into());
            self.error(&own::BAD_NODE_NAME, name.span(), message, help);
        }
        Some(name.to_string())
    }

    /// A default that the grammar cannot judge: `None` for what is always there.
    fn defaults(&mut self, schema: &Schema<SchemaTypeKind>, record: &NodeRecord, params: &[Param]) {
        let mut optional = false;
        for (parameter, param) in schema.parameters.iter().zip(params) {
            if parameter.default.is_some() {
                optional = true;
            } else if optional {
                let message = format!("`{}` has no default, but comes after one that has", param.name);
                let help = Some("give it a default, or move it forward".into());
                self.error(&own::BAD_FIELD_DEFAULT, parameter.name.span(&record.schema), message, help);
            }
        }
    }

    /// What the base declares must be there with the base's type; it is the base's then.
    fn inherit(&mut self, record: &NodeRecord, schema: &Schema<SchemaTypeKind>, params: &mut [Param], base: &Node) {
        for field in &base.params {
            match params.iter_mut().find(|param| param.name == field.name) {
                Some(param) if param.ty == field.ty => {
                    param.inherited = true;
                    param.doc = param.doc.take().or_else(|| field.doc.clone());
                }
                Some(param) => {
                    let message = format!("`{}` hides the field of `{}`, whose type differs", param.name, base.name);
                    let error = Diagnostic::new(&own::FIELD_MISMATCH, message).at(param.span);
                    self.diagnostics.push(error.also(field.span, "the field of the base"));
                }
                None => {
                    let message = format!("`{}` lacks the field `{}` of `{}`", *schema.name, field.name, base.name);
                    let error = Diagnostic::new(&own::FIELD_MISMATCH, message);
                    self.diagnostics.push(
                        error
                            .at(schema.parentheses.span(&record.schema))
                            .also(field.span, "the field of the base")
                            .help("a schema lists all fields, the base's first"),
                    );
                }
            }
        }
    }

    /// The children in the order in which visitors go to them.
    fn visits(&mut self, record: &NodeRecord, node: &Node) -> Vec<usize> {
        let children: Vec<usize> = (0..node.params.len()).filter(|at| node.params[*at].ty.is_child()).collect();
        let Some(order) = &record.visit_order else { return children };
        let mut visits = Vec::with_capacity(children.len());
        for name in order {
            match node.place(name).filter(|at| children.contains(at)) {
                Some(at) if visits.contains(&at) => {
                    let message = format!("`{name}` is visited twice");
                    self.error(&own::BAD_VISIT_ORDER, name.span(), message, None);
                }
                Some(at) => visits.push(at),
                None => {
                    let known = children.iter().map(|at| node.params[*at].name.as_str());
                    let message = format!("`{}` has no child `{name}`", node.name);
                    self.error(&own::BAD_VISIT_ORDER, name.span(), message, did_you_mean(name, known));
                }
            }
        }
        for at in children.iter().filter(|at| !visits.contains(*at)) {
            if let Some(first) = order.first() {
                let message = format!("`visit_order` leaves out the child `{}`", node.params[*at].name);
                self.error(&own::BAD_VISIT_ORDER, first.span(), message, Some("list all children".into()));
            }
        }
        visits
    }

    fn scope(&mut self, record: &NodeRecord, node: &Node) -> Scope {
        let mut place = |text: &Option<Text>, kind: SchemaTypeKind, many: Many| {
            let text = text.as_ref()?;
            match node.place(text) {
                Some(at) if node.params[at].ty == (FieldType { kind: kind.clone(), many }) => Some(at),
                Some(at) => {
                    let wanted = match (kind, many) {
                        (_, Many::List) => "a list of statements",
                        (SchemaTypeKind::Stmt, _) => "a statement",
                        _ => "an expression",
                    };
                    let message = format!("`{text}` is not {wanted}");
                    let error = Diagnostic::new(&own::BAD_SCOPE, message).at(text.span());
                    self.diagnostics.push(error.also(node.params[at].span, "the field"));
                    None
                }
                None => {
                    let help = did_you_mean(text, node.params.iter().map(|param| param.name.as_str()));
                    let message = format!("`{}` has no field `{text}`", node.name);
                    self.diagnostics.push(Diagnostic::new(&own::BAD_SCOPE, message).at(text.span()).maybe_help(help));
                    None
                }
            }
        };
        let scope = Scope {
            block: place(&record.scope.block, SchemaTypeKind::Stmt, Many::List),
            declares: place(&record.scope.declares, SchemaTypeKind::Expr, Many::One),
            var: place(&record.scope.var, SchemaTypeKind::Expr, Many::One),
            body: place(&record.scope.body, SchemaTypeKind::Stmt, Many::One),
        };
        if let (Some(var), None) = (&record.scope.var, &record.scope.body) {
            let message = "`scope` says which variable is known, but not where".to_owned();
            self.error(&own::BAD_SCOPE, var.span(), message, Some("add `body`".into()));
        }
        scope
    }

    fn role(&mut self, record: &NodeRecord, node: &Node) -> Option<&'static str> {
        if !matches!(record.sort, Sort::Expr | Sort::Stmt) {
            return None;
        }
        let fields = node.fields();
        let wanted = record.role.as_ref().map_or(node.name.as_str(), |role| role.as_str());
        let found = ROLES.iter().find(|role| role.name == wanted && role.is_stmt == (record.sort == Sort::Stmt));
        match (&record.role, found) {
            (None, found) => found.filter(|role| role.lacks(&fields).is_none()).map(|role| role.name),
            (Some(text), Some(role)) => match role.lacks(&fields) {
                None => Some(role.name),
                Some(field) => {
                    let message = format!("as `{text}`, `{}` needs other fields, such as `{field}`", node.name);
                    self.error(&own::BAD_ROLE, text.span(), message, None);
                    None
                }
            },
            (Some(text), None) => {
                let help = did_you_mean(text, ROLES.iter().map(|role| role.name));
                self.error(&own::BAD_ROLE, text.span(), format!("there is no role `{text}`"), help);
                None
            }
        }
    }

    /// Only literals have lanes: what prints and reads them needs to know their type.
    fn lanes(&mut self, record: &NodeRecord, schema: &Schema<SchemaTypeKind>, node: &Node) {
        for parameter in schema.parameters.iter().filter(|parameter| parameter.ty.kind == SchemaTypeKind::Scalar) {
            if record.sort == Sort::Expr && node.role != Some("constant") {
                let message = format!("`{}` is not a literal, so that it has no lanes", node.name);
                let span = parameter.ty.name.span(&record.schema);
                let help = "a literal has the fields `scalar[] value, dtype type` and is called `constant`, or has \
                            the key `role: constant`";
                self.error(&own::MISPLACED_FIELD_TYPE, span, message, Some(help.into()));
            }
        }
    }

    /// Whether the operands fit `operator:` and `commutative:`.
    fn operators(&mut self, record: &NodeRecord, node: &Node) {
        if let Some(text) = &record.operator {
            self.operator(text, node);
        }
        if record.commutative && !node.is_binary() {
            let message = format!("`{}` is commutative, but its children are not two expressions", node.name);
            self.error(&own::BAD_OPERATOR, node.span, message, None);
        }
    }

    fn operator(&mut self, text: &Text, node: &Node) {
        let is_operand = |param: &&Param| param.ty.kind == SchemaTypeKind::Expr && param.ty.many != Many::List;
        let operands = node.params.iter().filter(is_operand).filter(|param| !param.keyword_only).count();
        let needs = if text.as_str() == "!" || text.as_str() == "~" { 1 } else { 2 };
        if !OPERATORS.contains(&text.as_str()) {
            let message = format!("`{text}` is not an operator that can make a node");
            let help = Some(format!("the operators are {}", OPERATORS.join(" ")).into());
            self.error(&own::BAD_OPERATOR, text.span(), message, help);
        } else if operands != needs || node.params.iter().filter(|param| param.default.is_none()).count() != needs {
            let operands_of = if needs == 1 { "one operand" } else { "two operands" };
            let message = format!("the operator `{text}` takes {operands_of}, and `{}` needs others", node.name);
            let help = Some("only what has a default may follow the operands".into());
            self.error(&own::BAD_OPERATOR, text.span(), message, help);
        }
    }
}

/// Whether what a record describes has a type.
fn is_typed(record: &NodeRecord) -> bool {
    matches!(record.sort, Sort::Expr | Sort::Base | Sort::Intrinsic)
}

/// The operators that can make a node.
const OPERATORS: &[&str] =
    &["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "&", "|", "^", "<<", ">>", "!", "~"];

/// Which parameters the type of the node says.
fn carry(params: &mut [Param], rule: Option<&Rule>) {
    let Some(rule) = rule else { return };
    let (dtype, lanes) = rule.carried();
    for param in params {
        let plain = param.ty.many == Many::One;
        if plain && param.ty.kind == SchemaTypeKind::Dtype && dtype == Some(param.name.as_str()) {
            param.carried = Carried::Dtype;
        }
        if plain
            && matches!(param.ty.kind, SchemaTypeKind::Int | SchemaTypeKind::Int64)
            && lanes == Some(param.name.as_str())
        {
            param.carried = Carried::Lanes;
        }
    }
}
