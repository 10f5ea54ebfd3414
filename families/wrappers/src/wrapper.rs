//! A wrapper that calls the backend's graph API: from a mapping to the data of its template.
//!
//! Invariant: every argument of the operator is passed on, checked when the wrapper runs, or
//! dropped by the author; otherwise there is no wrapper.

use super::call::{CallView, GuardView, InputView, LocalView, OutputView, ReturnedView};
use super::defaults;
use super::dims;
use super::expression::Language;
use super::matching::{Mapping, Source};
use super::model::functions::{Class, Function, ParameterType};
use super::model::operators::Operator;
use super::pairing::{self, Review};
use super::reason::Reason;
use super::records::{EntryRecord, ShapeRecord};
use super::results::{self, Results};
use super::shapes::{NoShape, Shapes, Subject, local_of};
use super::types::{TypeSuffixes, form, kind};
use super::values::{self, Surroundings};
use torchgen_base::diag::Diagnostic;
use torchgen_base::lang::whole_words;
use torchgen_base::yaml::Text;
use torchgen_kit::expr::string_literal;
use torchgen_model::model::{Argument, BaseTy, SchemaKind};

/// The facts about a wrapper for reports.
#[derive(Debug, Clone)]
pub(super) struct Wrapped {
    pub(super) call: CallView,
    /// The function that is called, as written.
    pub(super) function: String,
    /// The class of each input, then the parameters with values of their own.
    pub(super) classes: Vec<(String, Class)>,
    /// For each parameter the position of its argument.
    pub(super) order: Vec<usize>,
    /// The names of the parameters.
    pub(super) parameters: Vec<String>,
    /// What names say about pairs of parameters and arguments.
    pub(super) review: Review,
    /// The results of the function.
    pub(super) results: Results,
    /// The operator that `shape: meta` calls, and the one whose kernel PyTorch lacks, if so.
    pub(super) meta_missing: Option<(String, String)>,
    /// Whether it counts lists of dimensions one by one.
    pub(super) wraps_each: bool,
    pub(super) shape: String,
    /// Arguments that are checked to have their default, because nothing else is known about them.
    pub(super) lossy: Vec<String>,
    /// Conditions, as written.
    pub(super) conditions: Vec<String>,
}

/// Why there is no wrapper.
#[derive(Debug)]
pub(super) enum Refusal {
    /// An error in the file.
    Wrong(Vec<Diagnostic>),
    /// This operator cannot have one.
    Skip(Reason, String),
}

/// What a wrapper is made from.
pub(super) struct Maker<'a> {
    pub(super) operator: &'a Operator,
    pub(super) entry: &'a EntryRecord,
    pub(super) function: &'a Function,
    pub(super) mapping: &'a Mapping,
    pub(super) language: &'a Language,
    /// The default of `contiguous:`.
    pub(super) contiguous: bool,
    pub(super) is_factory: bool,
    pub(super) functional: Option<&'a Operator>,
    /// The backend's name, for messages.
    pub(super) backend: &'a str,
    pub(super) dispatch_key: &'a str,
}

impl Maker<'_> {
    /// The wrapper.
    ///
    /// # Errors
    /// A value or an expression of the entry is wrong, or an argument would be lost.
    pub(super) fn make(&self) -> Result<Wrapped, Refusal> {
        let inputs: Vec<&Argument> = self.operator.inputs().collect();
        let classes: Vec<Class> = (0..inputs.len()).map(|at| self.mapping.class(at)).collect();
        self.results_fit()?;
        let review = pairing::review(self.operator, self.function, self.mapping);
        if let Some(wrong) = review.contradiction(self.entry, self.function) {
            return Err(Refusal::Wrong(vec![wrong]));
        }
        let results = results::results(self.operator, self.functional, self.entry, self.function)
            .map_err(|wrong| Refusal::Wrong(vec![wrong]))?;
        let subject = Subject {
            operator: self.operator,
            entry: self.entry,
            language: self.language,
            classes: &classes,
            is_factory: self.is_factory,
            functional: self.functional,
        };
        let shapes = match subject.shapes() {
            Ok(shapes) => shapes,
            Err(NoShape::Wrong(diagnostic)) => return Err(Refusal::Wrong(vec![*diagnostic])),
            Err(NoShape::Unfit(why)) => return Err(Refusal::Skip(Reason::ShapeFailed, why)),
        };
        let (mut guards, conditions) = self.guards(&inputs)?;
        let lossy = self.lost(&inputs, &classes, &mut guards)?;
        let mut call = CallView {
            guards,
            locals: Vec::new(),
            device: self.device(&inputs),
            inputs: Vec::new(),
            keys: Vec::new(),
            outputs: Vec::new(),
            method: self.function.name.clone(),
            arguments: Vec::new(),
            several: self.function.results.len() > 1,
            returned: Vec::new(),
        };
        call.locals.extend(
            shapes.locals.iter().map(|local| LocalView { name: local.name.clone(), value: local.value.clone() }),
        );
        if classes.contains(&Class::PrimaryInputScalar) {
            call.locals.push(LocalView { name: "common_".to_owned(), value: shapes.common.clone() });
        }
        let mut order = Vec::new();
        let mut reported: Vec<(String, Class)> =
            inputs.iter().zip(&classes).map(|(input, class)| (input.name.clone(), *class)).collect();
        for (source, parameter) in self.mapping.sources.iter().zip(&self.function.parameters) {
            match source {
                Source::Argument(at, class) => {
                    order.push(*at);
                    self.argument(inputs[*at], *class, parameter.taken, &shapes, &mut call)?;
                }
                Source::Extra(at) => {
                    order.push(reported.len());
                    reported.push((parameter.name.clone(), Class::Default));
                    let (_, node) = &self.entry.extra[*at];
                    // A number for a tensor becomes one without dimensions.
                    let is_node = parameter.taken == ParameterType::Node;
                    let taken = if is_node { ParameterType::Float } else { parameter.taken };
                    let value = values::cpp(node, taken, &parameter.name, &self.around(&shapes))
                        .map_err(|diagnostic| Refusal::Wrong(vec![diagnostic]))?;
                    if is_node {
                        self.number_node(&parameter.name, &value, &shapes, &mut call);
                        continue;
                    }
                    // The local of an argument may have the name of the parameter.
                    let is_argument = inputs.iter().any(|input| input.name.as_str() == parameter.name);
                    let suffix = if is_argument { "_extra" } else { "" };
                    self.constant(parameter.taken, &format!("{}{suffix}", parameter.name), value, &mut call);
                }
            }
        }
        self.outputs(&shapes, &results.order, &mut call);
        let wraps_each = call.locals.iter().any(|local| local.value.contains("wrap_each("));
        Ok(Wrapped {
            call,
            function: self.function.text.to_string(),
            classes: reported,
            order,
            parameters: self.function.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
            review,
            results,
            meta_missing: shapes.meta_missing,
            wraps_each,
            shape: shapes.mode,
            lossy,
            conditions,
        })
    }

    fn around<'s>(&'s self, shapes: &'s Shapes) -> Surroundings<'s> {
        Surroundings {
            shape: self.language.shape(),
            helpers: self.language.helpers(),
            rank: &shapes.rank,
            dtype: "dtype_",
            language: self.language,
            operator: self.operator,
        }
    }

    /// Whether the operator's results are tensors, as many as the function has.
    fn results_fit(&self) -> Result<(), Refusal> {
        let results = &self.operator.schema.returns;
        let are_tensors =
            results.iter().all(|result| result.ty.is_tensor_like() && form(&result.ty).0 == TypeSuffixes::Plain);
        let count = if results.is_empty() { self.operator.outs().count() } else { results.len() };
        if !are_tensors || self.operator.outs().any(|out| form(&out.ty).0 != TypeSuffixes::Plain) {
            return Err(Refusal::Skip(Reason::UnsupportedType, "its results are not tensors".to_owned()));
        }
        let given = self.function.results.len();
        if count != given {
            let message = format!("it has {count} results, and `{}` has {given}", self.function.name);
            return Err(Refusal::Skip(Reason::UnsupportedType, message));
        }
        Ok(())
    }

    fn message(&self, argument: &str, what: &str) -> String {
        string_literal(&format!("{}: {}: {argument}: {what}", self.backend, self.operator.full_name()))
    }

    /// The conditions of the entry.
    fn guards(&self, inputs: &[&Argument]) -> Result<(Vec<GuardView>, Vec<String>), Refusal> {
        let (mut guards, mut conditions, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
        for (name, text) in &self.entry.guard {
            // Another overload has the argument.
            if !inputs.iter().any(|input| input.name.as_str() == name.as_str()) {
                continue;
            }
            match self.language.condition(name.as_str(), text, self.operator) {
                Ok((source, condition)) => {
                    let message = self.message(name.as_str(), &format!("the backend requires `{source}`"));
                    guards.push(GuardView { condition, message });
                    conditions.push(source);
                }
                Err(diagnostic) => wrong.push(diagnostic),
            }
        }
        if wrong.is_empty() { Ok((guards, conditions)) } else { Err(Refusal::Wrong(wrong)) }
    }

    /// Checks the arguments that nothing takes: those that the entry does not mention must have
    /// their defaults. Returns the latter.
    fn lost(
        &self,
        inputs: &[&Argument],
        classes: &[Class],
        guards: &mut Vec<GuardView>,
    ) -> Result<Vec<String>, Refusal> {
        let mentioned = |name: &str| {
            let is = |text: &Text| text.as_str() == name;
            self.entry.drop.iter().any(is) || self.entry.guard.iter().any(|(text, _)| is(text))
        };
        let used_elsewhere = |name: &str| {
            let in_shape = self
                .entry
                .shapes
                .iter()
                .flat_map(|shape| &shape.texts)
                .any(|text| whole_words(text, name).next().is_some());
            let taken = |parameter: &str| {
                let found = self.function.parameters.iter().find(|one| one.name == parameter);
                found.is_some_and(|one| one.taken != ParameterType::Str)
            };
            let in_value = self.entry.extra.iter().any(|(of, node)| taken(of) && values::mentions(node, name));
            in_shape || in_value || (self.is_factory && ["size", "device", "dtype"].contains(&name))
        };
        let mut lossy = Vec::new();
        for (input, class) in inputs.iter().zip(classes) {
            let name = input.name.as_str();
            if *class != Class::Ignore || mentioned(name) || used_elsewhere(name) || self.is_reduced(name) {
                continue;
            }
            // The type of a result that the wrapper finds by itself is more than an option.
            let is_option = defaults::OPTIONS.contains(&name)
                && form(&input.ty).0 == TypeSuffixes::Optional
                && (name != "dtype" || self.is_factory);
            match defaults::condition(self.language, input) {
                Some(condition) => {
                    let message = self.message(name, "the backend supports only its default");
                    guards.push(GuardView { condition, message });
                    if !is_option {
                        lossy.push(name.to_owned());
                    }
                }
                None => {
                    let message = format!("`{}` does not take `{name}`", self.function.name);
                    return Err(Refusal::Skip(Reason::LossyArguments, message));
                }
            }
        }
        Ok(lossy)
    }

    /// Whether the shape of the result follows from the argument.
    fn is_reduced(&self, name: &str) -> bool {
        let mode = |shape: &ShapeRecord| shape.texts.first().map_or("", |text| text.as_str()) == "reduce";
        name == "keepdim" && self.entry.shapes.iter().any(|shape| !shape.is_list && mode(shape))
    }

    fn device(&self, inputs: &[&Argument]) -> String {
        let tensor = inputs.iter().find(|input| input.ty.is_tensor_like());
        match tensor {
            Some(input) if form(&input.ty).0 == TypeSuffixes::List => {
                format!("{}plain({}).at(0).device()", self.language.shape(), input.name)
            }
            Some(input) => format!("{}.device()", input.name),
            None if inputs.iter().any(|input| input.name.as_str() == "device") => {
                format!("device.value_or(at::Device(at::DeviceType::{}))", self.dispatch_key)
            }
            None => format!("at::Device(at::DeviceType::{})", self.dispatch_key),
        }
    }

    fn is_contiguous(&self, name: &str) -> bool {
        match &self.entry.contiguous {
            None => self.contiguous,
            Some(texts) => texts.iter().any(|text| text.as_str() == "all" || text.as_str() == name),
        }
    }

    /// Adds what is passed for a parameter that takes an argument.
    fn argument(
        &self,
        input: &Argument,
        class: Class,
        taken: ParameterType,
        shapes: &Shapes,
        call: &mut CallView,
    ) -> Result<(), Refusal> {
        let name = input.name.as_str();
        let literal = string_literal(name);
        let is_optional = matches!(form(&input.ty).0, TypeSuffixes::Optional | TypeSuffixes::OptionalList);
        let slot = call.inputs.len();
        match class {
            Class::PrimaryInput | Class::PrimaryInputList => {
                if is_optional && taken == ParameterType::Node {
                    let message = self.message(name, "the backend requires a tensor");
                    call.guards.push(GuardView { condition: format!("{name}.has_value()"), message });
                }
                let of = match (class, taken) {
                    (Class::PrimaryInputList, _) => "list",
                    (_, ParameterType::OptionalNode) => "optional",
                    _ => "one",
                };
                call.inputs.push(InputView { literal, value: name.to_owned(), contiguous: self.is_contiguous(name) });
                call.arguments.push(format!("in_.{of}({slot})"));
                return Ok(());
            }
            Class::PrimaryInputScalar => {
                let given = self.unwrapped(input, taken, shapes, call)?;
                let value = format!("{}as_tensor({given}, common_, {})", self.language.shape(), call.device);
                call.inputs.push(InputView { literal, value, contiguous: false });
                call.arguments.push(format!("in_.one({slot})"));
                return Ok(());
            }
            _ => {}
        }
        let value = if shapes.dims.iter().any(|dim| dim == name) {
            local_of(name)
        } else if self.is_factory && taken == ParameterType::Dtype {
            // What is asked for, or what follows from the other arguments.
            "dtype_".to_owned()
        } else {
            let ns = self.language.shape();
            let rank = dims::rank(self.operator, &shapes.rank);
            let is_dimension = dims::is_dimension(self.operator, input, self.entry);
            let has_default = self.entry.default.iter().any(|(text, _)| text.as_str() == name);
            let all = taken == ParameterType::Shape && !has_default && dims::none_is_all(self.operator, self.entry);
            let is_list = is_optional || form(&input.ty).0 == TypeSuffixes::List;
            if is_dimension && all && is_list {
                let value = format!("{ns}wrap({name}, {rank}, {literal})");
                self.constant(taken, name, value, call);
                return Ok(());
            }
            let given = self.unwrapped(input, taken, shapes, call)?;
            match (taken, kind(&input.ty)) {
                (ParameterType::Shape, _) if is_dimension => {
                    format!("{ns}wrap_each({ns}plain({given}), {rank}, {literal})")
                }
                _ if is_dimension => format!("{ns}wrap({given}, {rank}, {literal})"),
                (ParameterType::Int, BaseTy::Scalar) => format!("{ns}integer({given}, {literal})"),
                (ParameterType::Float | ParameterType::Const | ParameterType::ConstInt, BaseTy::Scalar) => {
                    format!("{ns}number({given}, {literal})")
                }
                (ParameterType::Shape, _) => format!("{ns}plain({given})"),
                (ParameterType::Str, _) => format!("std::string({given})"),
                _ => given,
            }
        };
        self.constant(taken, name, value, call);
        Ok(())
    }

    /// Adds a number that becomes a tensor without dimensions, of the common type of the inputs.
    fn number_node(&self, name: &str, value: &str, shapes: &Shapes, call: &mut CallView) {
        if !call.locals.iter().any(|local| local.name == "common_") {
            call.locals.push(LocalView { name: "common_".to_owned(), value: shapes.common.clone() });
        }
        call.arguments.push(format!("in_.one({})", call.inputs.len()));
        let value = format!("{}as_tensor({value}, common_, {})", self.language.shape(), call.device);
        call.inputs.push(InputView { literal: string_literal(name), value, contiguous: false });
    }

    /// Adds a value that is not a tensor.
    fn constant(&self, taken: ParameterType, name: &str, value: String, call: &mut CallView) {
        let local = format!("{name}_value_");
        call.locals.push(LocalView { name: local.clone(), value });
        call.keys.push(local.clone());
        call.arguments.push(match taken {
            ParameterType::Const | ParameterType::ConstInt => {
                format!("graph_.ConstInput({}, {local})", string_literal(name))
            }
            _ => local,
        });
    }

    /// The value of an argument that may be `None`.
    fn unwrapped(
        &self,
        input: &Argument,
        taken: ParameterType,
        shapes: &Shapes,
        call: &mut CallView,
    ) -> Result<String, Refusal> {
        let name = input.name.as_str();
        if !matches!(form(&input.ty).0, TypeSuffixes::Optional | TypeSuffixes::OptionalList) {
            return Ok(name.to_owned());
        }
        if let Some((_, node)) = self.entry.default.iter().find(|(text, _)| text.as_str() == name) {
            let taken = if taken == ParameterType::Node { ParameterType::Float } else { taken };
            let value = values::cpp(node, taken, name, &self.around(shapes))
                .map_err(|diagnostic| Refusal::Wrong(vec![diagnostic]))?;
            let ty = if kind(&input.ty) == BaseTy::Scalar { format!("at::Scalar({value})") } else { value };
            let given = if taken == ParameterType::Shape { format!("{name}->vec()") } else { format!("*{name}") };
            return Ok(format!("({name}.has_value() ? {given} : {ty})"));
        }
        let message = self.message(name, "the backend requires a value");
        call.guards.push(GuardView { condition: format!("{name}.has_value()"), message });
        Ok(format!("(*{name})"))
    }

    /// Adds the results: those of the graph in the order of the function, what is returned in that
    /// of the operator.
    fn outputs(&self, shapes: &Shapes, order: &[usize], call: &mut CallView) {
        let outs: Vec<String> = match self.operator.kind() {
            SchemaKind::Out => self.operator.outs().map(|out| out.name.clone()).collect(),
            SchemaKind::Inplace => vec!["self".to_owned()],
            _ => Vec::new(),
        };
        let resizes = self.operator.kind() == SchemaKind::Out;
        for &at in order {
            let output = &shapes.outputs[at];
            let into = outs.get(at).cloned();
            call.outputs.push(OutputView { sizes: output.sizes.clone(), dtype: output.dtype.clone(), into, resizes });
        }
        if !self.operator.schema.returns.is_empty() {
            let place = |at: usize| order.iter().position(|&other| other == at).unwrap_or(at);
            let returned = |at: usize| ReturnedView { into: outs.get(at).cloned(), at: place(at) };
            call.returned = (0..order.len()).map(returned).collect();
        }
    }
}
