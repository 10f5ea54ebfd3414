//! Where a generator's things come from: what the program knows of operators, or another family.
//!
//! Invariant: nothing here knows PyTorch. A function of an operator is known by its place among
//! all of the operator's, so that types are converted where they are known, never as texts.

use std::fmt::Debug;
use std::path::PathBuf;

use clap::Args;
use minijinja::Value;
use torchgen_base::diag::TextError;
use torchgen_base::yaml::Text;
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::{Signature, Thing};

/// The facts of a thing, made when they are asked for.
pub type LazyFacts = Box<dyn Fn() -> Value + Send + Sync>;

/// What a generator reads.
pub struct Wanted<'a> {
    /// The family of its things, if they are not PyTorch's operators.
    pub family: Option<&'a Text>,
    /// The sources of that family.
    pub sources: &'a [PathBuf],
    /// The dispatch keys that the build lacks.
    pub keys_off: &'a [Text],
    /// The kinds of things that its outputs are about.
    pub kinds: Vec<&'a str>,
    /// The flags of every command.
    pub common: &'a CommonArgs,
}

/// What finds things.
pub trait Provider: Send + Sync + 'static {
    /// Its flags of the command.
    type Flags: Args + Clone + Debug + Send + Sync;

    /// Reads the things.
    ///
    /// # Errors
    /// The sources cannot be read. Errors in them are diagnostics.
    fn read(wanted: &Wanted<'_>, flags: &Self::Flags, session: &mut Session) -> Result<Box<dyn World>, JobError>;
}

/// The function of an operator: the operator's name, and the place among its functions.
pub type FunctionOf<'a> = (&'a str, usize);

/// The things of a run, and what is made of them.
pub trait World: Send + Sync {
    /// The version of torch whose rules they follow.
    fn torch(&self) -> Option<String>;

    /// The things, once.
    fn things(&mut self) -> Vec<Thing<LazyFacts>>;

    /// Declares an operator in a namespace.
    ///
    /// # Errors
    /// The text is not a schema.
    fn declare(&mut self, schema: &str, namespace: &str) -> Result<Thing<LazyFacts>, TextError>;

    /// The dispatch keys.
    fn dispatch_keys(&self) -> Vec<&'static str>;

    /// All functions of an operator.
    fn functions(&self, operator: &str) -> Vec<Signature>;

    /// For each parameter of the second function, an expression over those of the first. Those that
    /// are given are taken as they are.
    ///
    /// # Errors
    /// The parameter that has none, and why.
    fn translate(
        &self,
        from: FunctionOf<'_>,
        to: FunctionOf<'_>,
        given: &[(String, String)],
    ) -> Result<Vec<String>, String>;
}
