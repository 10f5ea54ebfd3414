//! Converts records to the model: reads schema strings, and applies the keys of each record.
//!
//! Invariant: an error in one record does not stop the others, so that all errors of a run are
//! reported together.

mod effects;
mod instruction;
mod literal;
mod node;
mod support;

pub(crate) use literal::{escaped, quoted};

use std::collections::{HashMap, HashSet};

use crate::codes;
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean};
use torchgen_base::lang::cpp::is_keyword;
use torchgen_base::lang::is_qualified_identifier;
use torchgen_base::yaml::Text;
use torchgen_kit::header::included;
use torchgen_kit::ir::{Numeric, Traits, ValueType, ValueTypes, written_version};
use torchgen_kit::schema::{self, DefaultForm, Parameter, Presence, Rules, Schema, Spanned, Type, TypeRow, TypeTable};

use super::gradient;
use super::model::{Family, Member, Name};
use super::records::{FileRecord, OpRecord, TRAIT_CODES};
use super::rewrite::{self, RewriteSet};
use super::words::{enumeration_path, is_declared};
use literal::cpp_default;

/// What a type in a schema is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SchemaTypeKind {
    /// A value of the graph.
    Tensor,
    /// Plain data.
    Data(ValueType),
}

const RULES: Rules = Rules {
    overload: Presence::Forbidden,
    keyword_only: Presence::Optional,
    returns: Presence::Required,
    return_names: Presence::Required,
};

/// Makes the model of all files.
pub(crate) fn family(mut files: Vec<FileRecord>, diagnostics: &mut Diagnostics) -> (Family, RewriteSet) {
    let types = types(&files, diagnostics);
    let mut family = Family {
        namespace: namespace(&files, diagnostics),
        serial_prefix: "Glow_".to_owned(),
        includes: Vec::new(),
        verification: Vec::new(),
        declared_nodes: Vec::new(),
        declared_instructions: Vec::new(),
        declared_values: Vec::new(),
        version: written_version(files.iter().filter_map(|file| file.version.as_ref()), &codes::IR_HEAD, diagnostics),
        traits: Traits::read(files.iter_mut().filter_map(|file| file.traits.take()), TRAIT_CODES, diagnostics),
        enums: Vec::new(),
        support: None,
        nodes: Vec::new(),
        instructions: Vec::new(),
        rejected: Vec::new(),
    };
    let support = support::only(&files, diagnostics);
    family.support = support.and_then(|record| support::support(record, diagnostics));
    let defined = support.map(|record| record.defines.clone()).unwrap_or_default();
    let words = |texts: &[Text]| texts.iter().map(|text| text.as_str().to_owned()).collect::<Vec<_>>();
    let (mut rewrites, mut functions) = (Vec::new(), Vec::new());
    let mut set = RewriteSet::default();
    for mut file in files {
        rewrites.append(&mut file.rewrites);
        functions.append(&mut file.functions);
        if let Some(prefix) = file.serial_prefix {
            if !prefix.is_empty() && !is_qualified_identifier(&prefix) {
                let message = format!("`{prefix}` cannot begin the names of nodes in files");
                let error = Diagnostic::new(&codes::IR_HEAD, message).at(prefix.span());
                diagnostics.push(error.help("write letters, digits and underscores: `serial_prefix: Own_`"));
            }
            family.serial_prefix = prefix.into_string();
        }
        set.evaluator = file.evaluator.and_then(|header| included(&header, diagnostics)).or(set.evaluator);
        set.includes.extend(file.rule_includes.iter().filter_map(|header| included(header, diagnostics)));
        family.includes.extend(file.includes.iter().filter_map(|header| included(header, diagnostics)));
        family.verification.extend(file.verification.iter().filter_map(|header| included(header, diagnostics)));
        family.declared_nodes.extend(words(&file.declared_nodes));
        family.declared_instructions.extend(words(&file.declared_instructions));
        family.declared_values.extend(words(&file.declared_values));
        family.enums.extend(file.enums);
        for record in file.ops {
            add(record, &types, &mut family, diagnostics);
        }
    }
    support::leave_out(&defined, &mut family, diagnostics);
    mix_in(&mut family, diagnostics);
    // A rule about a record with errors would have errors too.
    if !diagnostics.has_errors() {
        let (folding, fold_functions) = rewrite::folding(&family);
        rewrites.extend(folding);
        functions.extend(fold_functions);
        let functions = rewrite::read_functions(&functions, &family, diagnostics);
        set.functions =
            functions.iter().map(|function| (function.name.to_string(), rewrite::makes(function))).collect();
        set.rules = rewrite::read_rewrites(&rewrites, functions, &family, diagnostics);
        rewrite::check_order(&mut set.rules, diagnostics);
        set.records = rewrites;
    }
    (family, set)
}

fn namespace(files: &[FileRecord], diagnostics: &mut Diagnostics) -> String {
    let mut named = files.iter().filter_map(|file| file.namespace.as_ref());
    let Some(first) = named.next() else { return "graph_ir".to_owned() };
    for other in named.filter(|other| other.as_str() != first.as_str()) {
        let message = format!("the namespace is `{first}` in another file");
        diagnostics.push(
            Diagnostic::new(&codes::IR_HEAD, message)
                .at(other.span())
                .also(first.span(), "given here")
                .help("files that are generated together share a namespace; name it once"),
        );
    }
    if !is_qualified_identifier(first.as_str()) || first.as_str().split("::").any(is_keyword) {
        let message = format!("`{first}` is not a namespace");
        diagnostics.push(Diagnostic::new(&codes::IR_HEAD, message).at(first.span()));
    }
    let outer = first.as_str().split("::").next().unwrap_or_default();
    let taken = match outer {
        "std" | "posix" => Some("is reserved by C++"),
        // A function of the name would not be found before `::`.
        _ if outer.starts_with(|c: char| c.is_ascii_uppercase()) && is_declared(outer) => {
            Some("has the name of a class of the generated code")
        }
        _ => None,
    };
    if let Some(why) = taken {
        let error = Diagnostic::new(&codes::IR_HEAD, format!("the namespace `{outer}` {why}")).at(first.span());
        diagnostics.push(error.help("choose another name, such as that of your project"));
    }
    first.as_str().to_owned()
}

fn types(files: &[FileRecord], diagnostics: &mut Diagnostics) -> TypeTable<SchemaTypeKind> {
    let mut values = ValueTypes::built_in();
    let twice = |name: &Text, old: Option<ValueType>, diagnostics: &mut Diagnostics| {
        if old.is_some() {
            let message = format!("the type `{name}` is declared already");
            diagnostics.push(Diagnostic::new(&codes::IR_DUPLICATE, message).at(name.span()));
        }
    };
    let mut enumerators: HashMap<&str, &Text> = HashMap::new();
    for file in files {
        let names = file.enums.iter().map(|record| &record.name).chain(file.types.iter().map(|record| &record.name));
        for name in names.filter(|name| name.as_str() == "Tensor") {
            let error = Diagnostic::new(&codes::IR_DUPLICATE, "`Tensor` is the type of the values of a graph");
            diagnostics.push(error.at(name.span()).help("give the type of members another name"));
        }
        for record in &file.enums {
            // Enumerators that are not scoped share the namespace.
            for value in record.values.iter().filter(|_| !record.scoped) {
                if let Some(first) = enumerators.get(value.as_str()).filter(|first| first.span() != value.span()) {
                    let message = format!("`{value}` is an enumerator of another enumeration too");
                    let error = Diagnostic::new(&codes::IR_DUPLICATE, message).at(value.span());
                    let help = "rename one of them, or write `scoped: true` in its enumeration";
                    diagnostics.push(error.also(first.span(), "first here").help(help));
                }
            }
            enumerators.extend(record.values.iter().filter(|_| !record.scoped).map(|value| (value.as_str(), value)));
            let mut seen = HashSet::new();
            for value in record.values.iter().filter(|value| !seen.insert(value.as_str())) {
                let message = format!("`{value}` is listed twice");
                diagnostics.push(Diagnostic::new(&codes::IR_DUPLICATE, message).at(value.span()));
            }
            let cpp = match file.namespace.as_ref().or(files.iter().find_map(|file| file.namespace.as_ref())) {
                Some(namespace) => format!("{namespace}::{}", enumeration_path(&record.name)),
                None => format!("graph_ir::{}", enumeration_path(&record.name)),
            };
            let ty = ValueType::plain(&cpp, Numeric::Enumerator);
            let words = record.values.iter().map(|value| value.as_str().to_owned()).collect();
            let old = values.add(record.name.as_str(), ty, vec![DefaultForm::OneOf(words)]);
            twice(&record.name, old, diagnostics);
        }
        for record in &file.types {
            let old = values.add(record.name.as_str(), record.ty.clone(), Vec::new());
            twice(&record.name, old, diagnostics);
        }
    }
    let mut table = TypeTable::new();
    table.add("Tensor", TypeRow::new(SchemaTypeKind::Tensor).alias().suffixes(&["[]"]));
    for (name, row) in values.rows(|ty| SchemaTypeKind::Data(ty.clone())).filter(|(name, _)| *name != "Tensor") {
        table.add(name, row);
    }
    for (wrong, right) in [("double", "float"), ("unsigned", "uint"), ("int64_t", "int"), ("string", "str")] {
        table.hint(wrong, format!("write `{right}`"));
    }
    table
}

fn add(record: OpRecord, types: &TypeTable<SchemaTypeKind>, family: &mut Family, diagnostics: &mut Diagnostics) {
    let parsed = match schema::parse(record.schema.as_str(), types, &RULES) {
        Ok(parsed) => parsed,
        Err(errors) => {
            diagnostics.extend(errors.into_iter().map(|error| error.at_text(&record.schema)));
            family.rejected.extend(schema::declared_name(record.schema.as_str()).map(str::to_owned));
            return;
        }
    };
    if record.is_node {
        let node = Reader { text: &record.schema, record: &record, types, diagnostics }.node(&parsed);
        family.nodes.extend(gradient::with_gradient_node(node));
    } else {
        let mut reader = Reader { text: &record.schema, record: &record, types, diagnostics };
        let instruction = reader.instruction(&parsed);
        family.instructions.extend(gradient::with_gradient_instruction(instruction, &record, diagnostics));
    }
}

/// Finds the mix-ins of each class.
fn mix_in(family: &mut Family, diagnostics: &mut Diagnostics) {
    let headers = family.traits.includes.iter().filter(|header| !family.includes.contains(header));
    let headers: Vec<String> = headers.cloned().collect();
    family.includes.extend(headers);
    let mut templates = |listed: &[Name]| {
        let listed: Vec<_> = listed.iter().map(|name| (name.text.as_str(), name.span)).collect();
        family.traits.templates(&listed, diagnostics)
    };
    for node in &mut family.nodes {
        node.mix_ins = templates(&node.traits);
    }
    for instruction in &mut family.instructions {
        instruction.mix_ins = templates(&instruction.traits);
    }
}

/// Reads one record.
struct Reader<'a> {
    text: &'a Text,
    record: &'a OpRecord,
    types: &'a TypeTable<SchemaTypeKind>,
    diagnostics: &'a mut Diagnostics,
}

impl Reader<'_> {
    fn name(&self, name: &Spanned<String>) -> Name {
        Name::new(name.value.clone(), name.span(self.text))
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Tensors before the `*`, data behind it; anything else is reported.
    fn is_in_place(&mut self, parameter: &Spanned<Parameter<SchemaTypeKind>>) -> bool {
        let span = parameter.ty.span(self.text);
        let name = &*parameter.ty.name;
        match (&parameter.ty.kind, parameter.keyword_only) {
            (SchemaTypeKind::Tensor, false) | (SchemaTypeKind::Data(_), true) => true,
            (SchemaTypeKind::Tensor, true) => {
                let message = format!("`{name}` cannot be the type of a member");
                self.error(Diagnostic::new(&codes::IR_PART_TYPE, message).at(span).help("move it before the `*`"));
                false
            }
            (SchemaTypeKind::Data(_), false) => {
                let message = format!("`{name}` is the type of a member, and members follow the `*`");
                self.error(Diagnostic::new(&codes::IR_PART_TYPE, message).at(span).help("move it behind a `*`"));
                false
            }
        }
    }

    fn member(&mut self, parameter: &Spanned<Parameter<SchemaTypeKind>>) -> Option<Member> {
        let SchemaTypeKind::Data(ty) = &parameter.ty.kind else { return None };
        let list = parameter.ty.is_list();
        let default = parameter.default.as_ref().map(|default| cpp_default(default, ty));
        let setter = self.record.setters.iter().any(|name| name.as_str() == *parameter.name);
        Some(Member {
            name: self.name(&parameter.name),
            spelling: parameter.ty.to_string(),
            ty: if list { ty.list() } else { ty.clone() },
            default,
            setter,
        })
    }

    fn members(&mut self, schema: &Schema<SchemaTypeKind>) -> Vec<Member> {
        let mut members = Vec::new();
        for parameter in schema.keyword_only() {
            if self.is_in_place(parameter) {
                members.extend(self.member(parameter));
            }
        }
        if self.record.fused_activation {
            let span = schema.name.span(self.text);
            for (name, spelling, list) in
                [("FusedActivation", "FusedActivation", false), ("FusedActivationArgs", "float", true)]
            {
                let Some(SchemaTypeKind::Data(ty)) = self.types.get(spelling).map(TypeRow::kind) else {
                    let message = format!("`fused_activation` needs an enumeration `{spelling}`");
                    let error = Diagnostic::new(&codes::IR_PART_TYPE, message).at(span);
                    self.error(error.help("declare it under `enums:` with NONE as the first value"));
                    continue;
                };
                let ty = if list { ty.list() } else { ty.clone() };
                let spelling = if list { format!("{spelling}[]") } else { spelling.to_owned() };
                let setter = self.record.is_node;
                members.push(Member { name: Name::new(name, span), spelling, ty, default: None, setter });
            }
        }
        members
    }

    fn doc(&self) -> String {
        self.record.doc.as_ref().map(|doc| doc.as_str().trim().to_owned()).unwrap_or_default()
    }

    /// Reports names of a key that are not among `known`.
    fn require(&mut self, key: &str, names: &[Text], known: &[&str]) {
        for (at, name) in names.iter().enumerate() {
            if self.require_one(key, name, known)
                && let Some(first) = names[..at].iter().find(|other| other.as_str() == name.as_str())
            {
                let warning = Diagnostic::new(&codes::IR_IDLE, format!("`{key}` names `{name}` twice")).at(name.span());
                self.error(warning.also(first.span(), "first here").help("delete one of them"));
            }
        }
    }

    fn require_one(&mut self, key: &str, name: &Text, known: &[&str]) -> bool {
        if known.contains(&name.as_str()) {
            return true;
        }
        let message = format!("`{key}` names `{name}`, which the schema lacks");
        let error = Diagnostic::new(&codes::IR_UNKNOWN_PART, message).at(name.span());
        self.error(error.maybe_help(did_you_mean(name.as_str(), known.iter().copied())));
        false
    }

    /// Reports a key that means nothing here.
    fn refuse(&mut self, what: &str, key: &str, place: Option<torchgen_base::diag::Span>) {
        if let Some(span) = place {
            let message = format!("`{key}` has no meaning for {what}");
            self.error(Diagnostic::new(&codes::UNKNOWN_KEY, message).at(span).help("delete the key"));
        }
    }

    fn is_tensor(&mut self, ty: &Spanned<Type<SchemaTypeKind>>) -> bool {
        if ty.kind == SchemaTypeKind::Tensor {
            return true;
        }
        let message = format!("a result is a Tensor, not `{}`", &*ty.name);
        self.error(Diagnostic::new(&codes::IR_PART_TYPE, message).at(ty.span(self.text)));
        false
    }
}
