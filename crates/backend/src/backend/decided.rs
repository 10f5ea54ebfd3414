//! What the caller of the program decides about the operators of a backend: the names of kernels,
//! what wrappers do, what files include, and the parts of lazy kernels and nodes.
//!
//! Invariant: the caller is asked about the operators of a key in their order. What it leaves as it
//! was is generated as without it.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::External;
use super::input::with_context;
use torchgen_generators::decider::{Decider, Part, Parts, Question, Subject};
use torchgen_generators::register_dispatch_key::backend::Backend;
use torchgen_generators::register_dispatch_key::definitions::{Given, single};
use torchgen_generators::{Context, Errors, ItemError};
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::model::native_function::DeviceCheckType;
use torchgen_model::model::{BackendIndices, DispatchKey, FunctionSchema, NativeFunction, OperatorName};
use torchgen_model::records::GuardsRecord;

/// The text of a node, and of its parts, where the caller decided them.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct NodeText {
    /// The class.
    pub(crate) node: Option<String>,
    /// The call of its base class's constructor.
    pub(crate) base: Option<String>,
    /// The member functions.
    pub(crate) create: Option<String>,
    pub(crate) can_be_reused: Option<String>,
    pub(crate) lowering: Option<String>,
}

/// The same of a lazy kernel.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct KernelText {
    /// The definition.
    pub(crate) definition: Option<String>,
    /// The statements that make the node.
    pub(crate) make_node: Option<String>,
    /// Those of them that compute its shapes.
    pub(crate) shapes: Option<String>,
    /// The statements that call the eager kernel.
    pub(crate) fallback: Option<String>,
}

/// Device guards and device checks, where the caller decided them.
#[derive(Debug, Clone, Copy, Default)]
struct Devices {
    guard: Option<bool>,
    check: Option<bool>,
}

/// All that the caller decided.
#[derive(Default)]
pub(crate) struct Decided {
    wrappers: HashMap<DispatchKey, Given>,
    includes: HashMap<DispatchKey, Vec<String>>,
    kernels: Vec<(DispatchKey, OperatorName, String)>,
    devices: HashMap<OperatorName, Devices>,
    /// By the texts of schemas.
    nodes: HashMap<String, NodeText>,
    lazy_kernels: HashMap<OperatorName, KernelText>,
}

/// What was decided about one subject.
struct Answer(BTreeMap<String, Part>);

impl Answer {
    fn text(&mut self, name: &str) -> Option<String> {
        match self.0.remove(name) {
            Some(Part::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// A whole, after which its template has what separates it from the next one.
    fn whole(&mut self, name: &str) -> Option<String> {
        self.text(name).map(|text| text.trim_end().to_owned())
    }

    fn flag(&self, name: &str) -> Option<bool> {
        match self.0.get(name) {
            Some(Part::Flag(flag)) => Some(*flag),
            _ => None,
        }
    }

    fn list(&mut self, name: &str) -> Vec<String> {
        match self.0.remove(name) {
            Some(Part::List(list)) => list,
            _ => Vec::new(),
        }
    }

    fn node(&mut self) -> NodeText {
        NodeText {
            node: self.whole("node"),
            base: self.text("base"),
            create: self.text("create"),
            can_be_reused: self.text("can_be_reused"),
            lowering: self.text("lowering"),
        }
    }
}

/// More parts of an operator than those of its wrapper.
pub(crate) type More<'m> = &'m (dyn Fn(&Context<'_>, &NativeFunction) -> Result<Parts, ItemError> + Sync);

impl Decided {
    /// Asks about the operators that have wrappers.
    ///
    /// # Errors
    /// A wrapper cannot be made, or the caller's code failed.
    pub(crate) fn of_operators(
        decider: &Decider,
        (external, guards): (&External, &GuardsRecord),
        parts: &super::input::Parts,
        more: More<'_>,
        session: &mut Session,
    ) -> Result<Decided, JobError> {
        let mut decided = Decided::default();
        let asked = with_context(parts, |ctx| {
            for key in external.keys() {
                decided.of_key(decider, (external, guards, key), ctx, more, session)?;
            }
            Ok(())
        });
        asked.map_err(|stop: Stop| match stop {
            Stop::Job(error) => error,
            Stop::Errors(Errors(found)) => {
                session.diagnostics.extend(found);
                JobError::Input
            }
        })?;
        Ok(decided)
    }

    fn of_key(
        &mut self,
        decider: &Decider,
        (external, guards, key): (&External, &GuardsRecord, DispatchKey),
        ctx: &Context<'_>,
        more: More<'_>,
        session: &Session,
    ) -> Result<(), Stop> {
        let backend = Backend::external(ctx, key, &external.class_name).guarded_by(guards);
        let index = ctx.indices.get(key);
        let of_item = |f: &NativeFunction, wrapper: String| -> Result<Parts, ItemError> {
            let mut parts = if key == external.key { more(ctx, f)? } else { Parts::new() };
            parts.insert("key", Part::Text(key.as_str().to_owned()));
            parts.insert("wrapper", Part::Text(wrapper));
            parts.insert("device_guard", Part::Flag(index.device_guard && f.device_guard));
            let checks = index.device_guard && f.device_check != DeviceCheckType::NoCheck;
            parts.insert("device_check", Part::Flag(checks));
            parts.insert("includes", Part::List(Vec::new()));
            if let Some(kernel) = index.get_kernel(f).filter(|kernel| !kernel.structured) {
                parts.insert("kernel", Part::Text(kernel.kernel.clone()));
            }
            Ok(parts)
        };
        let items = ctx.per_item(ctx.grouped, |item| {
            let wrappers = single(ctx, &backend, item)?;
            wrappers.into_iter().map(|(f, text)| Ok((f, of_item(f, text)?))).collect::<Result<Vec<_>, ItemError>>()
        });
        for (f, parts) in items.map_err(Stop::Errors)?.into_iter().flatten() {
            let question = Question { subject: Subject::Operator(f), parts: &parts, sources: &session.sources };
            session.check_errors().map_err(Stop::Job)?;
            let answer = Answer(decider.ask(&question).map_err(Stop::Job)?);
            self.add(key, f, answer);
        }
        Ok(())
    }

    fn add(&mut self, key: DispatchKey, f: &NativeFunction, mut answer: Answer) {
        let name = &f.func.name;
        if let Some(kernel) = answer.text("kernel") {
            self.kernels.push((key, name.clone(), kernel));
        }
        if let Some(wrapper) = answer.whole("wrapper") {
            self.wrappers.entry(key).or_default().insert(name.clone(), wrapper);
        }
        let devices = Devices { guard: answer.flag("device_guard"), check: answer.flag("device_check") };
        if devices.guard.is_some() || devices.check.is_some() {
            self.devices.insert(name.clone(), devices);
        }
        let includes = self.includes.entry(key).or_default();
        includes
            .extend(answer.list("includes").into_iter().filter(|path| !includes.contains(path)).collect::<Vec<_>>());
        let kernel = KernelText {
            definition: answer.whole("definition"),
            make_node: answer.text("make_node"),
            shapes: answer.text("shapes"),
            fallback: answer.text("fallback"),
        };
        self.lazy_kernels.insert(name.clone(), kernel);
        self.nodes.insert(f.func.to_string(), answer.node());
    }

    /// Asks about a node that is no operator.
    ///
    /// # Errors
    /// The caller's code failed.
    pub(crate) fn of_node(
        &mut self,
        decider: &Decider,
        func: &FunctionSchema,
        parts: &Parts,
        session: &Session,
    ) -> Result<(), JobError> {
        let question = Question { subject: Subject::Schema(func), parts, sources: &session.sources };
        let answer = decider.ask(&question)?;
        self.nodes.insert(func.to_string(), Answer(answer).node());
        Ok(())
    }

    /// Gives the kernels their names.
    pub(crate) fn rename(&self, indices: &mut BackendIndices) {
        for (key, name, kernel) in &self.kernels {
            if let Some(metadata) = indices.ensure(*key).index.get_mut(name) {
                metadata.kernel.clone_from(kernel);
            }
        }
    }

    /// The operators with the guards and checks that were decided; `None` if none was.
    pub(crate) fn guarded(
        &self,
        functions: &[NativeFunction],
        external: &External,
        indices: &mut BackendIndices,
    ) -> Option<Vec<NativeFunction>> {
        if self.devices.is_empty() {
            return None;
        }
        let guards = indices.get(external.key).device_guard;
        external.keys().for_each(|key| indices.ensure(key).device_guard = true);
        let mut functions = functions.to_vec();
        for f in &mut functions {
            let Devices { guard, check } = self.devices.get(&f.func.name).copied().unwrap_or_default();
            f.device_guard = guard.unwrap_or(guards && f.device_guard);
            let checks = guards && f.device_check != DeviceCheckType::NoCheck;
            f.device_check = match check.unwrap_or(checks) {
                true => DeviceCheckType::ExactSame,
                false => DeviceCheckType::NoCheck,
            };
        }
        Some(functions)
    }

    /// The wrappers of a key.
    pub(crate) fn wrappers(&self, key: DispatchKey) -> Given {
        self.wrappers.get(&key).cloned().unwrap_or_default()
    }

    /// What the source of a key includes besides.
    pub(crate) fn includes(&self, key: DispatchKey) -> Vec<&str> {
        self.includes.get(&key).into_iter().flatten().map(String::as_str).collect()
    }

    /// The text of a node.
    pub(crate) fn node(&self, func: &FunctionSchema) -> NodeText {
        self.nodes.get(&func.to_string()).cloned().unwrap_or_default()
    }

    /// The text of a lazy kernel.
    pub(crate) fn kernel(&self, f: &NativeFunction) -> KernelText {
        self.lazy_kernels.get(&f.func.name).cloned().unwrap_or_default()
    }
}

/// Why asking stops.
enum Stop {
    Job(JobError),
    Errors(Errors),
}
