//! The sizes and the element type of results: from the words of `shape:` and `dtype:` to C++.
//!
//! Invariant: a wrapper whose results cannot be described is not generated.

use super::dims;
use super::expression::{Language, dtype};
use super::model::functions::Class;
use super::model::operators::Operator;
use super::records::{EntryRecord, ShapeRecord};
use super::types::{TypeSuffixes, form, kind};
use torchgen_base::diag::{Diagnostic, Help, did_you_mean, meant};
use torchgen_base::yaml::Text;
use torchgen_kit::expr::Type;
use torchgen_model::model::{Argument, BaseTy, SchemaKind};

/// The words of `shape:`.
pub(super) const MODES: [&str; 10] =
    ["bypass", "broadcast", "matmul", "concat", "stack", "transpose", "reduce", "meta", "infer", "size"];

/// The words of `dtype:`.
pub(super) const DTYPE_RULES: [&str; 7] = ["first", "promote", "promote_float", "sum", "option", "boolean", "int64"];

/// A value that is computed before the call.
#[derive(Debug, Clone)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) value: String,
}

/// A result.
#[derive(Debug, Clone)]
pub(super) struct Output {
    pub(super) sizes: String,
    pub(super) dtype: String,
}

/// What is known about the results of a wrapper.
#[derive(Debug, Clone, Default)]
pub(super) struct Shapes {
    pub(super) locals: Vec<Local>,
    pub(super) outputs: Vec<Output>,
    /// The first tensor's number of dimensions, as an expression.
    pub(super) rank: String,
    /// Arguments that are dimensions, which have locals of their own.
    pub(super) dims: Vec<String>,
    /// The common type of all inputs, as an expression.
    pub(super) common: String,
    /// The word of the mode.
    pub(super) mode: String,
    /// The operator that `meta` calls, and the one whose kernel PyTorch lacks, if so.
    pub(super) meta_missing: Option<(String, String)>,
}

/// Why the results are not known.
#[derive(Debug)]
pub(super) enum NoShape {
    /// An error in the file.
    Wrong(Box<Diagnostic>),
    /// This operator lacks what the mode needs.
    Unfit(String),
}

/// What the description depends on.
pub(super) struct Subject<'a> {
    pub(super) operator: &'a Operator,
    pub(super) entry: &'a EntryRecord,
    pub(super) language: &'a Language,
    /// The class of each input.
    pub(super) classes: &'a [Class],
    pub(super) is_factory: bool,
    /// The functional overload that has the same inputs.
    pub(super) functional: Option<&'a Operator>,
}

/// The local that holds a wrapped dimension.
pub(super) fn local_of(argument: &str) -> String {
    format!("{argument}_")
}

impl Subject<'_> {
    fn inputs(&self) -> impl Iterator<Item = &Argument> {
        self.operator.inputs()
    }

    fn is_list(argument: &Argument) -> bool {
        argument.ty.is_tensor_like() && form(&argument.ty).0 == TypeSuffixes::List
    }

    fn tensors(&self) -> Vec<&Argument> {
        let single = |argument: &&Argument| argument.ty.is_tensor_like() && form(&argument.ty).0 == TypeSuffixes::Plain;
        self.inputs().filter(single).collect()
    }

    fn list(&self) -> Option<&Argument> {
        self.inputs().find(|argument| Self::is_list(argument))
    }

    /// The first argument that is a dimension: by its name, else by its type.
    fn dim(&self, at: usize) -> Option<&Argument> {
        let is_int = |argument: &&Argument| matches!(kind(&argument.ty), BaseTy::Int | BaseTy::SymInt);
        let named = |argument: &&Argument| ["dim", "dims", "axis", "dim0", "dim1"].contains(&argument.name.as_str());
        let by_name: Vec<&Argument> = self.inputs().filter(is_int).filter(named).collect();
        if by_name.len() > at {
            return Some(by_name[at]);
        }
        self.inputs().filter(is_int).nth(at)
    }

    fn argument_named(&self, name: &str) -> Option<&Argument> {
        self.inputs().find(|argument| argument.name.as_str() == name)
    }

    /// Everything about the results.
    ///
    /// # Errors
    /// The mode does not fit the operator, or a word or expression is wrong.
    pub(super) fn shapes(&self) -> Result<Shapes, NoShape> {
        let ns = self.language.shape();
        let modes: Vec<String> = match self.entry.shapes.as_slice() {
            [] => vec![self.mode(None)],
            records => records.iter().map(|record| self.mode(Some(record))).collect(),
        };
        let mut shapes = Shapes { mode: modes.join(", "), ..Shapes::default() };
        shapes.rank = match (self.tensors().first(), self.list()) {
            (_, Some(list)) if self.tensors().is_empty() => format!("{ns}rank({})", list.name),
            (Some(first), _) => format!("{}.dim()", first.name),
            _ => "0".to_owned(),
        };
        shapes.common = self.common();
        let rank = dims::rank(self.operator, &shapes.rank);
        for name in self.entry.dims.iter().flatten() {
            // Another overload has the argument. Lists that are not reduced keep their order.
            let argument = self.argument_named(name.as_str());
            let is_list =
                |argument: &Argument| matches!(form(&argument.ty).0, TypeSuffixes::List | TypeSuffixes::OptionalList);
            if argument.is_some_and(|one| !is_list(one) || dims::none_is_all(self.operator, self.entry)) {
                self.wrap(name.as_str(), &rank, &mut shapes);
            }
        }
        let count = self.operator.schema.returns.len().max(1);
        if matches!(shapes.mode.as_str(), "meta" | "infer") {
            self.meta(count, &mut shapes)?;
            return Ok(shapes);
        }
        let (records, dtypes) = (&self.entry.shapes, &self.entry.dtypes);
        for (key, given) in [("shapes", records.len()), ("dtypes", dtypes.len())] {
            if given > 1 && given != count {
                return Err(NoShape::Unfit(format!("`{key}` lists {given}, and it has {count} results")));
            }
        }
        let distinct = records.len().max(dtypes.len()).max(1);
        for at in 0..distinct {
            let record = records.get(at.min(records.len().saturating_sub(1)));
            let sizes = self.sizes(record, &mut shapes)?;
            let mode = self.mode(record);
            let dtype = self.dtype(dtypes.get(at.min(dtypes.len().saturating_sub(1))), &mode, &shapes.common)?;
            let name = if at == 0 { "dtype_".to_owned() } else { format!("dtype_{at}_") };
            shapes.locals.push(Local { name: name.clone(), value: dtype });
            shapes.outputs.push(Output { sizes, dtype: name });
        }
        if let [only] = shapes.outputs.as_slice() {
            shapes.outputs = vec![only.clone(); count];
        }
        Ok(shapes)
    }

    /// The word of a mode, or the text of an expression.
    fn mode(&self, record: Option<&ShapeRecord>) -> String {
        match record {
            Some(record) if !record.is_list => record.texts.first().map_or(String::new(), Text::to_string),
            Some(_) => "sizes".to_owned(),
            None if self.is_factory => "size".to_owned(),
            None => "bypass".to_owned(),
        }
    }

    /// Adds a local for an argument that is a dimension.
    fn wrap(&self, argument: &str, rank: &str, shapes: &mut Shapes) {
        if shapes.dims.iter().any(|name| name == argument) {
            return;
        }
        let value = format!("{}wrap({argument}, {rank}, \"{argument}\")", self.language.shape());
        shapes.locals.push(Local { name: local_of(argument), value });
        shapes.dims.push(argument.to_owned());
    }

    fn sizes(&self, record: Option<&ShapeRecord>, shapes: &mut Shapes) -> Result<String, NoShape> {
        let ns = self.language.shape();
        let mode = self.mode(record);
        let unfit = |what: &str| Err(NoShape::Unfit(format!("`shape: {mode}` needs {what}")));
        let tensors = self.tensors();
        let texts: &[Text] = record.map_or(&[], |record| &record.texts);
        if record.is_some_and(|record| record.is_list) {
            let size = |text: &Text| self.expression(text, &Type::Int);
            let sizes = texts.iter().map(size).collect::<Result<Vec<String>, NoShape>>()?;
            return Ok(format!("{}list_of<std::int64_t>({})", ns.replace("::shape::", "::expr::"), sizes.join(", ")));
        }
        let rank = shapes.rank.clone();
        match mode.as_str() {
            "meta" | "infer" => unfit("to be the only mode, as `shape: meta`"),
            "bypass" => match (tensors.first(), self.list()) {
                (Some(first), _) => Ok(format!("{}.sizes().vec()", first.name)),
                (None, Some(list)) => Ok(format!("{ns}plain({}).at(0).sizes().vec()", list.name)),
                _ => unfit("a tensor"),
            },
            "broadcast" => {
                let names: Vec<&str> = self
                    .inputs()
                    .zip(self.classes)
                    .filter(|(_, class)| **class == Class::PrimaryInput)
                    .map(|(argument, _)| argument.name.as_str())
                    .collect();
                if names.is_empty() { unfit("a tensor") } else { Ok(format!("{ns}broadcast_of({})", names.join(", "))) }
            }
            "matmul" => match tensors.as_slice() {
                [.., a, b] => Ok(format!("{ns}matmul({}.sizes(), {}.sizes())", a.name, b.name)),
                _ => unfit("two tensors"),
            },
            "concat" | "stack" => {
                let (Some(list), Some(dim)) = (self.list(), self.dim(0)) else {
                    return unfit("a list of tensors and a dimension");
                };
                let is_stack = mode == "stack";
                let rank = if is_stack { format!("{rank} + 1") } else { rank };
                let word = if is_stack { "stack" } else { "concat" };
                self.wrap(&dim.name, &rank, shapes);
                Ok(format!("{ns}{word}({ns}plain({}), {})", list.name, local_of(&dim.name)))
            }
            "transpose" => {
                let (Some(first), Some(a), Some(b)) = (tensors.first(), self.dim(0), self.dim(1)) else {
                    return unfit("a tensor and two dimensions");
                };
                self.wrap(&a.name, &rank, shapes);
                self.wrap(&b.name, &rank, shapes);
                Ok(format!("{ns}transpose({}.sizes(), {}, {})", first.name, local_of(&a.name), local_of(&b.name)))
            }
            "reduce" => {
                let Some(first) = tensors.first() else { return unfit("a tensor") };
                let dims = match self.dim(0) {
                    Some(dim) => {
                        self.wrap(&dim.name, &rank, shapes);
                        local_of(&dim.name)
                    }
                    None => format!("{ns}all_dims({rank})"),
                };
                let keeps = if self.argument_named("keepdim").is_some() { "keepdim" } else { "false" };
                Ok(format!("{ns}reduced({}.sizes(), {dims}, {keeps})", first.name))
            }
            "size" if record.is_none() => match self.inputs().find(|argument| argument.name.as_str() == "size") {
                Some(_) => Ok(format!("{ns}plain(size)")),
                None => unfit("an argument `size`"),
            },
            _ => match texts.first() {
                Some(text) => self.expression(text, &Type::Int.list()),
                None => unfit("a mode"),
            },
        }
    }

    fn expression(&self, text: &Text, wanted: &Type) -> Result<String, NoShape> {
        self.language.expression(text, self.operator, wanted).map_err(|diagnostic| {
            let looks_like_a_word = text.as_str().chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let near = did_you_mean(text.as_str(), MODES).filter(|_| looks_like_a_word);
            NoShape::Wrong(Box::new(match near {
                Some(near) => diagnostic.help(near),
                None => diagnostic,
            }))
        })
    }

    /// The common type of the inputs, as PyTorch promotes types.
    fn common(&self) -> String {
        let takes_part = |class: &Class| {
            matches!(class, Class::PrimaryInput | Class::PrimaryInputScalar | Class::PrimaryInputList | Class::Float)
        };
        let names: Vec<&str> = self
            .inputs()
            .zip(self.classes)
            .filter(|(argument, class)| takes_part(class) && kind(&argument.ty) != BaseTy::Float)
            .map(|(argument, _)| argument.name.as_str())
            .collect();
        format!("{}promoted({})", self.language.shape(), names.join(", "))
    }

    fn dtype(&self, given: Option<&Text>, mode: &str, common: &str) -> Result<String, NoShape> {
        let ns = self.language.shape();
        let rule = match given {
            Some(rule) => rule.as_str(),
            None if self.is_factory => "option",
            None if mode == "broadcast" || self.tensors().is_empty() => "promote",
            None => "first",
        };
        let tensors = self.tensors();
        let first = || match tensors.first() {
            Some(first) => Ok(format!("{}.scalar_type()", first.name)),
            None => Err(NoShape::Unfit(format!("`dtype: {rule}` needs a tensor"))),
        };
        match rule {
            "first" => first(),
            "promote" => Ok(common.to_owned()),
            "promote_float" => Ok(format!("{ns}floating({common})")),
            "sum" => Ok(format!("{ns}summed({})", first()?)),
            "option" => {
                let scalars = self.inputs().filter(|argument| kind(&argument.ty) == BaseTy::Scalar);
                let mut arguments = vec!["dtype"];
                arguments.extend(scalars.map(|argument| argument.name.as_str()));
                match self.argument_named("dtype") {
                    Some(_) => Ok(format!("{ns}option({})", arguments.join(", "))),
                    None => Err(NoShape::Unfit("`dtype: option` needs an argument `dtype`".to_owned())),
                }
            }
            "boolean" => Ok("at::kBool".to_owned()),
            "int64" => Ok("at::kLong".to_owned()),
            _ => match given {
                Some(text) => self.language.expression(text, self.operator, &dtype()).map_err(|diagnostic| {
                    let near = did_you_mean(text.as_str(), DTYPE_RULES).or_else(|| dtype_of_python(text.as_str()));
                    NoShape::Wrong(Box::new(diagnostic.maybe_help(near)))
                }),
                None => first(),
            },
        }
    }

    /// Runs the operator on tensors without data.
    fn meta(&self, count: usize, shapes: &mut Shapes) -> Result<(), NoShape> {
        let functional = match self.operator.kind() {
            SchemaKind::Functional => Some(self.operator),
            _ => self.functional,
        };
        let Some(functional) = functional else {
            return Err(NoShape::Unfit("`shape: meta` needs a functional overload with the same inputs".to_owned()));
        };
        let missing = functional.meta_missing.clone();
        shapes.meta_missing = missing.map(|missing| (functional.full_name(), missing));
        let ns = self.language.shape();
        let argument = |argument: &Argument| {
            let name = argument.name.as_str();
            match (kind(&argument.ty), form(&argument.ty).0) {
                (BaseTy::Tensor, _) => format!("{ns}to_meta({name})"),
                (BaseTy::SymInt, TypeSuffixes::List | TypeSuffixes::OptionalList) => format!("{ns}symbolic({name})"),
                (BaseTy::Device, _) => "at::Device(at::kMeta)".to_owned(),
                _ => name.to_owned(),
            }
        };
        let arguments: Vec<String> = self.inputs().map(argument).collect();
        let call = format!("at::_ops::{}::call({})", functional.schema.name.unambiguous_name(), arguments.join(", "));
        shapes.locals.push(Local { name: "meta_".to_owned(), value: call });
        for index in 0..count {
            let one = if count == 1 { "meta_".to_owned() } else { format!("std::get<{index}>(meta_)") };
            let output = Output { sizes: format!("{one}.sizes().vec()"), dtype: format!("{one}.scalar_type()") };
            shapes.outputs.push(output);
        }
        shapes.locals.push(Local { name: "dtype_".to_owned(), value: shapes.outputs[0].dtype.clone() });
        Ok(())
    }
}

/// The type of elements for a word of Python or C++.
fn dtype_of_python(word: &str) -> Option<Help> {
    let dtype = match word {
        "float" => "float32",
        "double" => "float64",
        "half" => "float16",
        "int" => "int32",
        "long" => "int64",
        "bool" => "boolean",
        _ => return None,
    };
    Some(meant(word, dtype).certainly())
}
