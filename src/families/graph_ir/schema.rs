//! From records to the model: schema strings are read, and the keys of each record are applied.
//!
//! Invariant: a record with an error in its schema gives no class, and every other record does, so that
//! all errors of a run are found at once.

use std::collections::{HashMap, HashSet};

use crate::diag::{Diagnostic, Diagnostics, did_you_mean};
use crate::families::graph_ir::codes;
use crate::kit::ir::{Numeric, ValueType, ValueTypes};
use crate::kit::schema::{
    self, Default as SchemaDefault, DefaultForm, Parameter, Presence, Rules, Schema, Spanned, Type, TypeRow, TypeTable,
    Value,
};
use crate::yaml::Text;

use super::gradient;
use super::model::{
    ByHand, Family, Gradient, Infer, Instruction, Lowering, Member, Name, Node, NodeResult, Operand, OperandKind,
    Scratch,
};
use super::records::{FileRecord, GradientRecord, OpRecord};
use super::verify;

/// What a type in a schema is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
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
pub(crate) fn family(files: Vec<FileRecord>, diagnostics: &mut Diagnostics) -> Family {
    let types = types(&files, diagnostics);
    let mut family = Family {
        namespace: namespace(&files, diagnostics),
        serial_prefix: "Glow_".to_owned(),
        includes: Vec::new(),
        verification: Vec::new(),
        declared_nodes: Vec::new(),
        declared_instructions: Vec::new(),
        declared_values: Vec::new(),
        enums: Vec::new(),
        nodes: Vec::new(),
        instructions: Vec::new(),
    };
    let words = |texts: &[Text]| texts.iter().map(|text| text.as_str().to_owned()).collect::<Vec<_>>();
    for file in files {
        if let Some(prefix) = file.serial_prefix {
            family.serial_prefix = prefix.into_string();
        }
        family.includes.extend(words(&file.includes));
        family.verification.extend(words(&file.verification));
        family.declared_nodes.extend(words(&file.declared_nodes));
        family.declared_instructions.extend(words(&file.declared_instructions));
        family.declared_values.extend(words(&file.declared_values));
        family.enums.extend(file.enums);
        for record in file.ops {
            add(record, &types, &mut family, diagnostics);
        }
    }
    family
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
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !crate::kit::ir::is_cpp_keyword(part)
    };
    if !first.as_str().split("::").all(part) {
        let message = format!("`{first}` is not a namespace");
        diagnostics.push(Diagnostic::new(&codes::IR_HEAD, message).at(first.span()));
    }
    first.as_str().to_owned()
}

fn types(files: &[FileRecord], diagnostics: &mut Diagnostics) -> TypeTable<Kind> {
    let mut values = ValueTypes::built_in();
    let twice = |name: &Text, old: Option<ValueType>, diagnostics: &mut Diagnostics| {
        if old.is_some() {
            let message = format!("the type `{name}` is declared already");
            diagnostics.push(Diagnostic::new(&codes::IR_DUPLICATE, message).at(name.span()));
        }
    };
    for file in files {
        for record in &file.enums {
            let mut seen = HashSet::new();
            for value in record.values.iter().filter(|value| !seen.insert(value.as_str())) {
                let message = format!("`{value}` is listed twice");
                diagnostics.push(Diagnostic::new(&codes::IR_DUPLICATE, message).at(value.span()));
            }
            let cpp = match file.namespace.as_ref().or(files.iter().find_map(|file| file.namespace.as_ref())) {
                Some(namespace) => format!("{namespace}::{}", record.name),
                None => format!("graph_ir::{}", record.name),
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
    table.add("Tensor", TypeRow::new(Kind::Tensor).alias().suffixes(&["[]"]));
    for (name, row) in values.rows(|ty| Kind::Data(ty.clone())) {
        table.add(name, row);
    }
    for (wrong, right) in [("double", "float"), ("unsigned", "uint"), ("int64_t", "int"), ("string", "str")] {
        table.hint(wrong, format!("write `{right}`"));
    }
    table
}

fn add(record: OpRecord, types: &TypeTable<Kind>, family: &mut Family, diagnostics: &mut Diagnostics) {
    let parsed = match schema::parse(record.schema.as_str(), types, &RULES) {
        Ok(parsed) => parsed,
        Err(errors) => {
            diagnostics.extend(errors.into_iter().map(|error| error.at_text(&record.schema)));
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

/// Reads one record.
struct Reader<'a> {
    text: &'a Text,
    record: &'a OpRecord,
    types: &'a TypeTable<Kind>,
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
    fn is_in_place(&mut self, parameter: &Spanned<Parameter<Kind>>) -> bool {
        let span = parameter.ty.span(self.text);
        let name = &*parameter.ty.name;
        match (&parameter.ty.kind, parameter.keyword_only) {
            (Kind::Tensor, false) | (Kind::Data(_), true) => true,
            (Kind::Tensor, true) => {
                let message = format!("`{name}` cannot be the type of a member");
                self.error(Diagnostic::new(&codes::IR_PART_TYPE, message).at(span).help("move it before the `*`"));
                false
            }
            (Kind::Data(_), false) => {
                let message = format!("`{name}` is the type of a member, and members follow the `*`");
                self.error(Diagnostic::new(&codes::IR_PART_TYPE, message).at(span).help("move it behind a `*`"));
                false
            }
        }
    }

    fn member(&mut self, parameter: &Spanned<Parameter<Kind>>) -> Option<Member> {
        let Kind::Data(ty) = &parameter.ty.kind else { return None };
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

    fn members(&mut self, schema: &Schema<Kind>) -> Vec<Member> {
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
                let Some(Kind::Data(ty)) = self.types.get(spelling).map(TypeRow::kind) else {
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
        for name in names {
            self.require_one(key, name, known);
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
    fn refuse(&mut self, what: &str, key: &str, place: Option<crate::diag::Span>) {
        if let Some(span) = place {
            let message = format!("`{key}` means nothing for {what}");
            self.error(Diagnostic::new(&codes::UNKNOWN_KEY, message).at(span).help("delete the key"));
        }
    }

    fn node(&mut self, schema: &Schema<Kind>) -> Node {
        let record = self.record;
        let first = |texts: &[Text]| texts.first().map(Text::span);
        let pair = |pairs: &[(Text, Text)]| pairs.first().map(|(key, _)| key.span());
        self.refuse("a node", "operand_order", record.operand_order.as_ref().map(|(_, span)| *span));
        self.refuse("a node", "scratch", first(&record.scratch));
        self.refuse("a node", "scratch_size", pair(&record.scratch_size));
        self.refuse("a node", "from_node", record.from_node.as_ref().map(Text::span));
        self.refuse("a node", "rename", pair(&record.rename));
        self.refuse("a node", "drop", first(&record.drop));
        self.refuse("a node", "convert", first(&record.convert));
        self.refuse("a node", "type", record.ty.as_ref().map(Text::span));

        let (mut inputs, mut variable_inputs) = (Vec::new(), Vec::new());
        for parameter in schema.positional() {
            if self.is_in_place(parameter) {
                let name = self.name(&parameter.name);
                if parameter.ty.is_list() { variable_inputs.push(name) } else { inputs.push(name) }
            }
        }
        let (mut results, mut variable_results) = (Vec::new(), Vec::new());
        for result in schema.results() {
            if !self.is_tensor(&result.ty) {
                continue;
            }
            let Some(name) = result.name.as_ref().map(|name| self.name(name)) else { continue };
            if result.ty.is_list() {
                variable_results.push(name);
            } else {
                results.push(NodeResult { name, same_as: None, infer: None });
            }
        }
        let members = self.members(schema);
        let input_names: Vec<&str> = inputs.iter().map(|name: &Name| name.text.as_str()).collect();
        let member_names: Vec<&str> = members.iter().map(|member| member.name.text.as_str()).collect();
        let result_names: Vec<String> = results.iter().map(|result: &NodeResult| result.name.text.clone()).collect();
        let result_names: Vec<&str> = result_names.iter().map(String::as_str).collect();
        self.require("setters", &record.setters, &member_names);
        self.require("overwrites", &record.overwrites, &input_names);
        for (result, input) in &record.same_type_as {
            if self.require_one("same_type_as", result, &result_names)
                && self.require_one("same_type_as", input, &input_names)
                && let Some(found) = results.iter_mut().find(|found| found.name.text == result.as_str())
            {
                found.same_as = Some(input.as_str().to_owned());
            }
        }
        for infer in &record.infer {
            if self.require_one("infer", &infer.result, &result_names)
                && self.require_one("infer", &infer.like, &input_names)
                && let Some(found) = results.iter_mut().find(|found| found.name.text == infer.result.as_str())
            {
                if let Some(element) = &infer.element {
                    verify::check_element(element, element.as_str(), self.diagnostics);
                }
                let element = infer.element.as_ref().map(|element| element.as_str().to_owned());
                found.infer = Some(Infer { like: infer.like.as_str().to_owned(), element });
            }
        }
        let overwrites = record.overwrites.iter();
        let overwrites = overwrites.filter_map(|name| input_names.iter().position(|input| *input == name.as_str()));
        let overwrites = overwrites.collect();
        let gradient = self.node_gradient(schema, results.len() + variable_results.len());
        let skips = |word: &str| record.skip.iter().any(|skip| skip.as_str() == word);
        let mut node = Node {
            name: schema.name.value.clone(),
            span: schema.name.span(self.text),
            doc: self.doc(),
            inputs,
            variable_inputs,
            results,
            variable_results,
            members,
            modes: record.modes.iter().map(|mode| mode.as_str().to_owned()).collect(),
            overwrites,
            data_parallel: record.data_parallel,
            side_effects: record.side_effects,
            extra_results: record.extra_results,
            fused_activation: record.fused_activation,
            backend_specific: record.backend_specific,
            by_hand: ByHand {
                serialization: skips("serialization"),
                debug: skips("debug"),
                visitor: skips("visitor"),
                hash: skips("hash"),
            },
            verify: super::model::Verify::Rules(Vec::new()),
            methods: record.methods.clone(),
            gradient,
            gradient_of: None,
        };
        let operands: Vec<&str> = node.operands().map(|name| name.text.as_str()).collect();
        node.verify = verify::read(&record.verify, &operands, self.diagnostics);
        node
    }

    fn is_tensor(&mut self, ty: &Spanned<Type<Kind>>) -> bool {
        if ty.kind == Kind::Tensor {
            return true;
        }
        let message = format!("a result is a Tensor, not `{}`", &*ty.name);
        self.error(Diagnostic::new(&codes::IR_PART_TYPE, message).at(ty.span(self.text)));
        false
    }

    fn node_gradient(&mut self, schema: &Schema<Kind>, results: usize) -> Gradient {
        let (span, kind) = match &self.record.gradient {
            None => return Gradient::None,
            Some(GradientRecord::Made(span)) => (*span, Gradient::Made),
            Some(GradientRecord::ByHand(span)) => (*span, Gradient::ByHand),
            Some(GradientRecord::Of { span, .. }) => {
                let error = Diagnostic::new(&codes::IR_GRADIENT, "the gradient of a node has all of its inputs");
                self.error(error.at(*span).help("write `gradient: true`"));
                return Gradient::None;
            }
        };
        let no_lists =
            !schema.parameters.iter().any(|parameter| parameter.ty.kind == Kind::Tensor && parameter.ty.is_list());
        let why = match () {
            () if results == 0 => "it has no results",
            () if kind == Gradient::Made && !no_lists => "it has a list of inputs",
            () if kind == Gradient::Made && schema.results().iter().any(|result| result.ty.is_list()) => {
                "it has a list of results"
            }
            () => return kind,
        };
        let message = format!("`{}` has no generated gradient: {why}", &*schema.name);
        let error = Diagnostic::new(&codes::IR_GRADIENT, message).at(span);
        let help = if results == 0 { "delete the key" } else { "write `gradient: custom` and a method `getGrad`" };
        self.error(error.also(schema.name.span(self.text), "this node").help(help));
        Gradient::None
    }

    fn instruction(&mut self, schema: &Schema<Kind>) -> Instruction {
        let record = self.record;
        let first = |texts: &[Text]| texts.first().map(Text::span);
        self.refuse("an instruction", "overwrites", first(&record.overwrites));
        self.refuse("an instruction", "skip", first(&record.skip));
        self.refuse("an instruction", "modes", first(&record.modes));
        self.refuse("an instruction", "same_type_as", record.same_type_as.first().map(|(key, _)| key.span()));
        self.refuse("an instruction", "infer", record.infer.first().map(|infer| infer.result.span()));

        let sets = |name: &str| record.setters.iter().any(|setter| setter.as_str() == name);
        let (mut outs, mut ins) = (Vec::new(), Vec::new());
        let (mut variable_outs, mut variable_ins) = (Vec::new(), Vec::new());
        let mut out_sets: HashMap<String, (Name, usize)> = HashMap::new();
        let mut reads: Vec<(Name, String)> = Vec::new();
        for result in schema.results() {
            if !self.is_tensor(&result.ty) {
                continue;
            }
            let Some(name) = result.name.as_ref().map(|name| self.name(name)) else { continue };
            if let Some(alias) = &result.ty.alias {
                for set in &alias.before {
                    let place = Name::new(set.value.clone(), set.span(self.text));
                    if let Some((other, _)) = out_sets.insert(set.value.clone(), (place.clone(), outs.len())) {
                        let message = format!("the alias set `{}` belongs to two results", place.text);
                        let error = Diagnostic::new(&codes::IR_INPLACE, message).at(place.span);
                        self.error(error.also(other.span, "first here").help("give each result a set of its own"));
                    }
                }
            }
            let operand = Operand { setter: sets(&name.text), name, kind: OperandKind::Out };
            if result.ty.is_list() { variable_outs.push(operand) } else { outs.push(operand) }
        }
        for parameter in schema.positional() {
            if !self.is_in_place(parameter) {
                continue;
            }
            let name = self.name(&parameter.name);
            let kind = if parameter.ty.is_write() { OperandKind::InOut } else { OperandKind::In };
            if let (OperandKind::In, Some(alias)) = (kind, &parameter.ty.alias) {
                for set in &alias.before {
                    reads.push((Name::new(set.value.clone(), set.span(self.text)), name.text.clone()));
                }
            }
            let operand = Operand { setter: sets(&name.text), name, kind };
            if parameter.ty.is_list() { variable_ins.push(operand) } else { ins.push(operand) }
        }
        let span = schema.name.span(self.text);
        let scratch_operands = record.scratch.iter().map(|name| {
            let name = Name::new(name.as_str(), name.span());
            Operand { name, kind: OperandKind::Scratch, setter: false }
        });
        let operands: Vec<Operand> = outs.into_iter().chain(ins).chain(scratch_operands).collect();
        let operands = self.ordered(operands);
        let members = self.members(schema);
        let inplace = self.inplace(&operands, &out_sets, &reads);
        let scratch = self.scratch(&members);
        let names = |operands: &[Operand]| operands.iter().map(|operand| operand.name.text.clone()).collect::<Vec<_>>();
        let mut settable = names(&operands);
        settable.extend(members.iter().map(|member| member.name.text.clone()));
        let settable: Vec<&str> = settable.iter().map(String::as_str).collect();
        self.require("setters", &record.setters, &settable);
        if let Some(ty) = &record.ty {
            let typed = members.iter().filter(|member| member.spelling == "Type");
            let mut known = names(&operands);
            known.extend(typed.map(|member| member.name.text.clone()));
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            self.require_one("type", ty, &known);
        }
        let operand_names = names(&operands);
        let operand_names: Vec<&str> = operand_names.iter().map(String::as_str).collect();
        let verify = verify::read(&record.verify, &operand_names, self.diagnostics);
        let lowering = self.lowering();
        Instruction {
            name: schema.name.value.clone(),
            span,
            doc: self.doc(),
            operands,
            variable_operands: variable_outs.into_iter().chain(variable_ins).collect(),
            members,
            inplace,
            scratch,
            ty: record.ty.as_ref().map(|ty| ty.as_str().to_owned()),
            data_parallel: record.data_parallel,
            side_effects: record.side_effects,
            backend_specific: record.backend_specific,
            memory: record.memory,
            verify,
            methods: record.methods.clone(),
            lowering,
            gradient_of: None,
        }
    }

    /// The operands in the order that the record asks for.
    fn ordered(&mut self, operands: Vec<Operand>) -> Vec<Operand> {
        let Some((order, span)) = &self.record.operand_order else { return operands };
        let names: Vec<String> = operands.iter().map(|operand| operand.name.text.clone()).collect();
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        self.require("operand_order", order, &known);
        let place = |operand: &Operand| order.iter().position(|name| name.as_str() == operand.name.text);
        let missing: Vec<&str> = operands
            .iter()
            .filter(|operand| place(operand).is_none())
            .map(|operand| operand.name.text.as_str())
            .collect();
        if !missing.is_empty() {
            let message = format!("`operand_order` leaves out `{}`", missing.join("`, `"));
            self.error(Diagnostic::new(&codes::IR_UNKNOWN_PART, message).at(*span).help("list every operand once"));
            return operands;
        }
        let unchanged = known.len() == order.len() && known.iter().zip(order).all(|(a, b)| *a == b.as_str());
        if unchanged {
            let error = Diagnostic::new(&codes::IR_IDLE, "`operand_order` is the order that holds anyway").at(*span);
            self.error(error.help("delete the key"));
        }
        let mut operands = operands;
        operands.sort_by_key(|operand| place(operand));
        operands
    }

    /// Which operand may be written in the memory of which.
    fn inplace(
        &mut self,
        operands: &[Operand],
        out_sets: &HashMap<String, (Name, usize)>,
        reads: &[(Name, String)],
    ) -> Vec<(usize, usize)> {
        let index = |name: &str| operands.iter().position(|operand| operand.name.text == name);
        let outs: Vec<usize> = (0..operands.len()).filter(|at| operands[*at].kind == OperandKind::Out).collect();
        let mut pairs = Vec::new();
        for (set, name) in reads {
            match out_sets.get(&set.text) {
                Some((_, result)) => pairs.extend(outs.get(*result).copied().zip(index(name))),
                None => {
                    let message = format!("no result is in the alias set `{}`", set.text);
                    let error = Diagnostic::new(&codes::IR_INPLACE, message).at(set.span);
                    self.error(error.help("a result in the same set says which one reuses the memory"));
                }
            }
        }
        let is_read = |text: &str| reads.iter().any(|(set, _)| set.text == text);
        let mut unread: Vec<_> = out_sets.values().map(|(place, _)| place).filter(|p| !is_read(&p.text)).collect();
        unread.sort_by_key(|place| place.span.start);
        for place in unread {
            let message = format!("no parameter is in the alias set `{}`", place.text);
            let error = Diagnostic::new(&codes::IR_INPLACE, message).at(place.span);
            self.error(error.help("put the parameters whose memory may be reused into the set"));
        }
        pairs
    }

    fn scratch(&mut self, members: &[Member]) -> Vec<Scratch> {
        let record = self.record;
        let known: Vec<&str> = record.scratch.iter().map(Text::as_str).collect();
        let mut list = Vec::new();
        for (name, _) in &record.scratch_size {
            self.require_one("scratch_size", name, &known);
        }
        for name in &record.scratch {
            let size = record.scratch_size.iter().find(|(scratch, _)| scratch.as_str() == name.as_str());
            let member = members.iter().find(|member| member.name.text == format!("{name}Size"));
            if let Some(member) = member {
                if member.ty.numeric != Numeric::Integer {
                    let message = format!("the size of `{name}` is a `{}`, not a number", member.spelling);
                    let error = Diagnostic::new(&codes::IR_SCRATCH, message).at(member.name.span);
                    self.error(error.also(name.span(), "the scratch operand").help("make it an `int` or `uint`"));
                } else if let Some((key, _)) = size {
                    let message = format!("the member `{}` says the size of `{name}` already", member.name.text);
                    let error = Diagnostic::new(&codes::IR_SCRATCH, message).at(key.span());
                    self.error(error.also(member.name.span, "the member").help("delete one of the two"));
                }
            }
            list.push(Scratch {
                name: name.as_str().to_owned(),
                size: size.map(|(_, size)| size.as_str().to_owned()),
                member: member.is_some(),
            });
        }
        list
    }

    fn lowering(&mut self) -> Option<Lowering> {
        let record = self.record;
        let name = |text: &Text| Name::new(text.as_str(), text.span());
        let Some(node) = &record.from_node else {
            for text in record.rename.iter().map(|(text, _)| text).chain(&record.drop).chain(&record.convert) {
                let error = Diagnostic::new(&codes::IR_IDLE, "this key belongs to `from_node:`").at(text.span());
                self.error(error.help("name the node that becomes this instruction"));
            }
            return None;
        };
        Some(Lowering {
            node: name(node),
            rename: record.rename.iter().map(|(own, node)| (name(own), name(node))).collect(),
            drop: record.drop.iter().map(name).collect(),
            convert: record.convert.iter().map(name).collect(),
        })
    }
}

/// A default as the schema and as C++ write it.
fn cpp_default(default: &Spanned<SchemaDefault>, ty: &ValueType) -> (String, String) {
    (default.text.clone(), cpp_value(&default.value.value, ty))
}

fn cpp_value(value: &Value, ty: &ValueType) -> String {
    match value {
        Value::None => "nullptr".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) if ty.numeric == Numeric::Float => format!("{value}.0f"),
        Value::Int(value) if *value == i128::from(i64::MIN) => "INT64_MIN".to_owned(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) if value.is_nan() => "std::numeric_limits<float>::quiet_NaN()".to_owned(),
        Value::Float(value) if value.is_infinite() => {
            let sign = if *value < 0.0 { "-" } else { "" };
            format!("{sign}std::numeric_limits<float>::infinity()")
        }
        Value::Float(value) => format!("{value:?}f"),
        Value::Str(text) => quoted(text),
        Value::Word(word) => format!("{}::{word}", ty.storage),
        Value::List(values) => {
            let values: Vec<String> = values.iter().map(|value| cpp_value(&value.value, ty)).collect();
            let (open, close) = ('{', '}');
            format!("{open}{}{close}", values.join(", "))
        }
    }
}

/// A string literal of C++.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// A text inside the quotes of a string literal of C++.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\{:03o}", c as u32)),
            // Two question marks in a row begin a trigraph in old dialects.
            '?' => out.push_str("\\?"),
            c => out.push(c),
        }
    }
    out
}
