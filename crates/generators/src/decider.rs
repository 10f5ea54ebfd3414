//! Code of the caller that decides what is generated for single operators, such as a function of
//! Python.
//!
//! A generator that asks makes what it would generate, asks for one operator after the other in
//! their order, and then generates what was decided. Invariant: it asks once about each operator,
//! and never from two threads at a time. Without a decider, nothing is made twice.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use torchgen_base::diag::Sources;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::model::{FunctionSchema, NativeFunction};

/// A part of what is generated for an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// A name, or lines of C++.
    Text(String),
    /// A choice.
    Flag(bool),
    /// Several names.
    List(Vec<String>),
}

/// The parts by name.
pub type Parts = BTreeMap<&'static str, Part>;

/// What a part may be decided for.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    /// An operator.
    Operator(&'a NativeFunction),
    /// Something else with a schema.
    Schema(&'a FunctionSchema),
}

/// What the caller is asked.
pub struct Question<'a> {
    /// What it is about.
    pub subject: Subject<'a>,
    /// What would be generated.
    pub parts: &'a Parts,
    /// The files of the run.
    pub sources: &'a Sources,
}

/// The parts that the caller decided otherwise; `None` if its code failed, which it knows of.
pub type Answer = Option<BTreeMap<String, Part>>;

/// Code of the caller.
pub struct Decider(Box<dyn Fn(&Question<'_>) -> Answer + Send + Sync>);

impl Decider {
    /// That of a function.
    pub fn of_function(answer: impl Fn(&Question<'_>) -> Answer + Send + Sync + 'static) -> Arc<dyn Any + Send + Sync> {
        Arc::new(Decider(Box::new(answer)))
    }

    /// That of a run, if its caller has one.
    pub fn of_session(session: &Session) -> Option<Arc<Decider>> {
        session.host.called()
    }

    /// Asks about one operator.
    ///
    /// # Errors
    /// The code failed, so the run stops.
    pub fn ask(&self, question: &Question<'_>) -> Result<BTreeMap<String, Part>, JobError> {
        self.0(question).ok_or(JobError::Stopped)
    }
}
