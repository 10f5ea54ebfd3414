//! PyTorch's operators for users' generators: their things, functions and conversions.
//!
//! Invariant: functions and conversions are made of the model's schemas, as those of the program's
//! own generators; nothing reads a type as a text.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use minijinja::Value;
use minijinja::value::Serde;
use rustc_hash::FxHashMap;

use super::facts::derived::{self, WantedThings};
use super::facts::input::{self, Input, Wanted};
use super::facts::signatures::{CppFunction, Structured, spelled_functions};
use super::facts::{Known, KnownInputs, TorchFacts, TorchThing};
use torchgen_api::{Binding, Mode, NamedCType, translate_with};
use torchgen_backend::backend::operators;
use torchgen_base::diag::{Diagnostic, TextError, did_you_mean};
use torchgen_base::render::Operators as OfTemplates;
use torchgen_base::yaml::Text;
use torchgen_generator::{FunctionOf, LazyFacts, World};
use torchgen_generators::args::ReleaseArgs;
use torchgen_generators::inputs::Operators;
use torchgen_kit::driver::args::INPUT;
use torchgen_kit::driver::data::RunTables;
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::{Signature, Thing};
use torchgen_model::codes;
use torchgen_model::model::{BackendIndex, BackendIndices, BackendMetadata, DispatchKey, NativeFunction, Target};
use torchgen_model::parse::schema;
use torchgen_model::release;
use torchgen_model::torch::{self, Torch};

/// Where the operators come from.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct WorldFlags {
    /// The version of torch.
    #[command(flatten)]
    release: ReleaseArgs,
    /// Where torch is: a checkout, or a directory that it is installed in
    ///
    /// Its operators have derivatives and places. Without it, the operators are those that the
    /// program knows of the version.
    #[arg(long, value_name = "DIR", help_heading = INPUT, hide_short_help = true)]
    torch_path: Option<PathBuf>,
    /// Also read the operators of this library
    #[arg(long, value_name = "PATH", action = clap::ArgAction::Append, help_heading = INPUT, hide_short_help = true)]
    library: Vec<PathBuf>,
    /// Add the kernels of this YAML of an external backend
    #[arg(long, value_name = "FILE", help_heading = INPUT, hide_short_help = true)]
    backend_yaml: Option<PathBuf>,
}

/// The operators of a run.
pub(crate) struct TorchWorld {
    torch: Option<String>,
    tables: RunTables,
    parts: Vec<WorldPart>,
    things: Vec<Thing<LazyFacts>>,
    /// The part and the place of each operator.
    places: FxHashMap<String, (usize, usize)>,
}

/// The operators of a namespace, or PyTorch's.
struct WorldPart {
    functions: Vec<NativeFunction>,
    indices: BackendIndices,
    library: bool,
    /// Places by name within the namespace, and the functional variant of each structured one.
    by_name: FxHashMap<String, usize>,
    functional_of: FxHashMap<String, usize>,
}

/// Reads the operators.
///
/// # Errors
/// The sources cannot be read.
pub(crate) fn read(
    keys_off: &[Text],
    kinds: &[&str],
    flags: &WorldFlags,
    session: &mut Session,
) -> Result<TorchWorld, JobError> {
    let mut without_keys = BTreeSet::new();
    for text in keys_off {
        match DispatchKey::parse(text) {
            Some(key) => drop(without_keys.insert(key)),
            None => {
                let error = Diagnostic::new(
                    &codes::UNKNOWN_DISPATCH_KEY,
                    format!("there is no dispatch key `{}`", text.as_str()),
                );
                let near = did_you_mean(text, DispatchKey::ALL.iter().map(|key| key.as_str()));
                return Err(error.at(text.span()).maybe_help(near).into());
            }
        }
    }
    let found = flags.torch_path.as_deref().map(|path| torch::find(Some(path), session)).transpose()?;
    let asked = WantedThings { kernels: kinds.contains(&"kernel"), formulas: kinds.contains(&"formula") };
    read_of(found.as_ref(), &without_keys, asked, flags, session)
}

fn read_of(
    found: Option<&Torch>,
    without_keys: &BTreeSet<DispatchKey>,
    asked: WantedThings,
    flags: &WorldFlags,
    session: &mut Session,
) -> Result<TorchWorld, JobError> {
    // A backend can be built beside files of PyTorch without derivatives.
    let autograd = found.map(|found| found.autograd.as_path()).filter(|dir| session.seen.is_dir(dir));
    let all = Wanted {
        source: found.map(|found| found.aten.as_path()),
        layout: None,
        autograd_dir: autograd,
        torch: flags.release.torch,
        backend: flags.backend_yaml.as_deref(),
        lazy: false,
        without_keys,
    };
    let mut world = TorchWorld {
        torch: None,
        tables: session.tables.clone(),
        parts: Vec::new(),
        things: Vec::new(),
        places: FxHashMap::default(),
    };
    let libraries = flags.library.iter().map(|path| Wanted {
        source: Some(path),
        torch: None,
        backend: None,
        autograd_dir: None,
        ..all
    });
    for (number, wanted) in std::iter::once(all).chain(libraries).enumerate() {
        // Only errors: `check` of these sources has the warnings.
        let before = std::mem::take(&mut session.diagnostics);
        let things = world.add(&wanted, asked, number > 0, session);
        let found = std::mem::replace(&mut session.diagnostics, before);
        if found.has_errors() {
            session.diagnostics.extend(found);
        }
        things?;
        session.check_errors()?;
    }
    Ok(world)
}

/// PyTorch's operators in the templates of a backend, with what its YAML says of some of them.
///
/// # Errors
/// The sources cannot be read.
pub(crate) fn of_backend(of: &operators::Wanted<'_>, session: &mut Session) -> Result<Arc<dyn OfTemplates>, JobError> {
    let flags = WorldFlags {
        release: ReleaseArgs { torch: of.version },
        torch_path: None,
        library: Vec::new(),
        backend_yaml: Some(of.yaml.to_owned()),
    };
    let world = read_of(Some(of.torch), &BTreeSet::new(), WantedThings::default(), &flags, session)?;
    Ok(torchgen_generator::objects(Box::new(world), of.own))
}

impl TorchWorld {
    fn add(
        &mut self,
        wanted: &Wanted<'_>,
        asked: WantedThings,
        library: bool,
        session: &mut Session,
    ) -> Result<(), JobError> {
        let layout = input::settle(wanted, session)?;
        let tables = session.tables.clone();
        if !library {
            self.tables = tables.clone();
            self.torch = release::settled(session).map(|torch| torch.to_string());
        }
        let input = Input::read_operators(wanted, layout, &tables, session)?.without_signatures();
        session.check_errors()?;
        let mut things = input.things(|_| true, session)?;
        session.check_errors()?;
        let more = derived::things(asked, &things);
        things.extend(more);
        self.things.extend(things.into_iter().map(lazy));
        for Operators { functions, indices } in input.into_operators() {
            let part = WorldPart::new(functions, indices, library);
            let number = self.parts.len();
            self.places.extend(part.functions.iter().enumerate().map(|(at, f)| (f.full_name(), (number, at))));
            self.parts.push(part);
        }
        Ok(())
    }

    fn target(&self, part: &WorldPart) -> Target<'_> {
        if part.library { Target::library(&self.tables) } else { Target::pytorch(&self.tables) }
    }

    /// What becomes of the functions of an operator.
    fn with<T>(&self, operator: &str, then: impl FnOnce(Vec<CppFunction<'_>>) -> T) -> Option<T> {
        let &(number, at) = self.places.get(operator)?;
        let part = &self.parts[number];
        let f = &part.functions[at];
        let out = match &f.structured_delegate {
            Some(delegate) => {
                part.by_name.get(&delegate.to_string()).map(|at| &part.functions[*at]).filter(|out| out.structured)
            }
            None => Some(f).filter(|f| f.structured),
        };
        let of_group = out.and_then(|out| {
            let functional = &part.functions[*part.functional_of.get(&out.func.name.to_string())?];
            Some((Structured { out, functional }, part.kernels_of(out)))
        });
        Some(then(spelled_functions(f, self.target(part), &part.kernels_of(f), of_group.as_ref())))
    }
}

impl WorldPart {
    fn new(functions: Vec<NativeFunction>, indices: BackendIndices, library: bool) -> WorldPart {
        let name = |(at, f): (usize, &NativeFunction)| (f.func.name.to_string(), at);
        let functional = |(at, f): (usize, &NativeFunction)| {
            let is_functional = f.func.kind() == torchgen_model::model::SchemaKind::Functional;
            is_functional.then_some(())?;
            Some((f.structured_delegate.as_ref()?.to_string(), at))
        };
        let by_name = functions.iter().enumerate().map(name).collect();
        let functional_of = functions.iter().enumerate().filter_map(functional).collect();
        WorldPart { functions, indices, library, by_name, functional_of }
    }

    fn kernels_of(&self, f: &NativeFunction) -> Vec<(&BackendIndex, &BackendMetadata)> {
        self.indices.iter().filter_map(|index| Some((index, index.get_kernel(f)?))).collect()
    }
}

impl World for TorchWorld {
    fn torch(&self) -> Option<String> {
        self.torch.clone()
    }

    fn things(&mut self) -> Vec<Thing<LazyFacts>> {
        std::mem::take(&mut self.things)
    }

    fn declare(&mut self, text: &str, namespace: &str) -> Result<Thing<LazyFacts>, TextError> {
        let (_, located) = schema::of_any_torch(text)?;
        let f = NativeFunction::of_schema(namespace.to_owned(), located.schema);
        let part = WorldPart::new(vec![f.clone()], BackendIndices::default(), false);
        let thing = of_declared(f, self.target(&part), false);
        self.places.insert(thing.name.clone(), (self.parts.len(), 0));
        self.parts.push(part);
        Ok(lazy(thing))
    }

    fn dispatch_keys(&self) -> Vec<&'static str> {
        DispatchKey::ALL.iter().map(|key| key.as_str()).collect()
    }

    fn functions(&self, operator: &str) -> Vec<Signature> {
        let data = |all: Vec<CppFunction<'_>>| all.into_iter().map(|function| function.signature(true)).collect();
        self.with(operator, data).unwrap_or_default()
    }

    fn translate(
        &self,
        (from, source): FunctionOf<'_>,
        (to, target): FunctionOf<'_>,
        given: &[(String, String)],
    ) -> Result<Vec<String>, String> {
        let made = self.with(from, |all| {
            self.with(to, |others| {
                let (source, target) = (all.get(source)?, others.get(target)?);
                let mode =
                    Mode { method: source.form == "method", allow_expensive_conversions: false, outside_at: true };
                Some(expressions(source, target, given, mode))
            })
        });
        made.flatten().flatten().unwrap_or_else(|| Err("there is no such function".to_owned()))
    }
}

/// An expression for each parameter of the target.
fn expressions(
    source: &CppFunction<'_>,
    target: &CppFunction<'_>,
    given: &[(String, String)],
    mode: Mode,
) -> Result<Vec<String>, String> {
    let of_given = |binding: &Binding<'_>| given.iter().find(|(name, _)| *name == *binding.name).map(|(_, text)| text);
    let wanted = &target.signature.arguments;
    let goals = wanted.iter().filter(|binding| of_given(binding).is_none()).map(NamedCType::from);
    let made = translate_with(&source.signature.arguments, goals, mode).map_err(|error| error.to_string())?;
    let mut made = made.into_iter();
    let one = |binding: &Binding<'_>| match of_given(binding) {
        Some(text) => text.clone(),
        None => made.next().map(|made| made.expr.into_owned()).unwrap_or_default(),
    };
    Ok(wanted.iter().map(one).collect())
}

/// The thing of an operator that nothing else is known of. Templates of generators ask for its
/// signatures one by one.
pub(super) fn of_declared(f: NativeFunction, target: Target<'_>, signatures: bool) -> TorchThing {
    let operators = Operators { functions: vec![f], indices: BackendIndices::default() };
    let (sources, shapes, of_backend) = Default::default();
    let around = KnownInputs::alone(&operators, target, &sources, &shapes, &of_backend).signatures(signatures);
    Known::new(&around).of_schema(&operators.functions[0])
}

/// A thing whose facts become values when they are asked for. Keys that `model` leaves out are none
/// or empty here.
fn lazy(thing: TorchThing) -> Thing<LazyFacts> {
    let Thing { kind, name, at, doc, schema, parts, relations, signatures, facts, outputs } = thing;
    let facts: LazyFacts = Box::new(move || match &facts {
        TorchFacts::Operator(_) => {
            let all = completed(&Value::from(Serde(&facts)), OPERATOR);
            let each = |key: &str, left_out| {
                let list = all.get_attr(key).ok().and_then(|list| list.try_iter().ok()).into_iter().flatten();
                Value::from(list.map(|value| completed(&value, left_out)).collect::<Vec<_>>())
            };
            let more = [("dispatch", each("dispatch", KERNEL)), ("derivatives", each("derivatives", DERIVATIVES))];
            with(&all, more)
        }
        _ => Value::from(Serde(&facts)),
    });
    Thing { kind, name, at, doc, schema, parts, relations, signatures, facts, outputs }
}

/// The keys of facts that are left out if they have no content, with whether they are lists.
const OPERATOR: &[(&str, bool)] = &[
    ("ufunc_inner_loop", true),
    ("device_of", false),
    ("on_one_device", true),
    ("when", false),
    ("vmap", false),
    ("dims", true),
    ("flops", false),
    ("aoti", false),
    ("onnx", false),
    ("versions", false),
];
const KERNEL: &[(&str, bool)] = &[("at", false), ("registered", false), ("through", false), ("when", false)];
const DERIVATIVES: &[(&str, bool)] = &[("output_differentiability", false), ("complex_gradients", false)];

fn completed(facts: &Value, left_out: &[(&'static str, bool)]) -> Value {
    let lacks = |key: &str| facts.get_attr(key).is_ok_and(|value| value.is_undefined());
    let empty = |is_list: bool| if is_list { Value::from(Vec::<Value>::new()) } else { Value::from(()) };
    let missing = left_out.iter().filter(|(key, _)| lacks(key)).map(|(key, is_list)| (*key, empty(*is_list)));
    with(facts, missing)
}

/// A mapping with other values of some keys.
fn with<'a>(mapping: &Value, more: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
    let more: Vec<(Value, Value)> = more.into_iter().map(|(key, value)| (Value::from(key), value)).collect();
    let pair = |key: Value| {
        let value = mapping.get_item(&key).unwrap_or_default();
        (key, value)
    };
    let own = mapping.try_iter().into_iter().flatten().map(pair);
    let own = own.filter(|(key, _)| more.iter().all(|(other, _)| other != key));
    Value::from_pairs(own.collect::<Vec<_>>().into_iter().chain(more.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `model` leaves out is none or empty in templates, and nothing else is.
    #[test]
    fn what_is_left_out_is_completed() {
        let text = torchgen_kit::facts::schema_of::<crate::torch::facts::Line>();
        let schema: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        for (name, known) in [("OperatorFacts", OPERATOR), ("Kernel", KERNEL), ("Derivatives", DERIVATIVES)] {
            let of = &schema["$defs"][name];
            let required: Vec<&str> =
                of["required"].as_array().into_iter().flatten().filter_map(|key| key.as_str()).collect();
            let keys = of["properties"].as_object().into_iter().flat_map(|keys| keys.keys());
            let left_out: BTreeSet<&str> = keys.map(String::as_str).filter(|key| !required.contains(key)).collect();
            assert_eq!(left_out, known.iter().map(|(key, _)| *key).collect(), "{name}");
        }
    }
}
