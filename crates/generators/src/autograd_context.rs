//! The input of every generator of autograd's files: operators, derivatives, names in C++ and the
//! renderer.
//!
//! Invariant: borrowed and read-only, so generators can run in parallel in any order. Rule:
//! tools/autograd/gen_autograd.py, `gen_autograd`.

use std::ops::Deref;

use serde::Serialize;

use super::Namespaces;
use torchgen_api::autograd::{DifferentiabilityInfos, Matched};
use torchgen_base::render::{Env, Fragment, RenderError, Sharded, Value};
use torchgen_base::write::OutputFile;
use torchgen_kit::driver::context::FileContext;
use torchgen_model::model::NativeFunction;
use torchgen_model::model::Target;

/// What a generator of autograd's files can use.
#[derive(Clone, Copy)]
pub struct AutogradContext<'c, 'a> {
    /// All operators, generated variants included, in the order of the YAML.
    pub functions: &'a [NativeFunction],
    /// The selected operators and their derivatives, in the order of their C++ names.
    pub matched: &'c Matched<'a>,
    /// All derivatives.
    pub derivatives: &'c DifferentiabilityInfos<'a>,
    /// What to generate for.
    pub target: Target<'c>,
    /// C++ namespaces.
    pub namespaces: &'a Namespaces,
    /// How files are made.
    pub files: FileContext<'c>,
}

/// A context is one for files, with a model.
impl<'c> Deref for AutogradContext<'c, '_> {
    type Target = FileContext<'c>;

    fn deref(&self) -> &FileContext<'c> {
        &self.files
    }
}

#[derive(Serialize)]
struct Header<'a> {
    names: [&'a str; 1],
    suffix: &'a str,
}

impl<'c, 'a> AutogradContext<'c, 'a> {
    /// A context of these operators.
    pub fn new(
        target: Target<'c>,
        namespaces: &'a Namespaces,
        functions: &'a [NativeFunction],
        matched: &'c Matched<'a>,
        derivatives: &'c DifferentiabilityInfos<'a>,
        files: FileContext<'c>,
    ) -> AutogradContext<'c, 'a> {
        AutogradContext { functions, matched, derivatives, target, namespaces, files }
    }

    /// The namespace under which an operator is looked up.
    pub fn schema_namespace(&self, f: &'a NativeFunction) -> &'a str {
        self.namespaces.schema.as_deref().unwrap_or(&f.namespace)
    }

    /// The include of one of an operator's headers, which have different suffixes after the
    /// operator's name.
    pub fn header(&self, f: &NativeFunction, suffix: &str) -> Result<Fragment, RenderError> {
        let view = Header { names: [f.root_name()], suffix };
        self.renderer.fragment("torch/operators/includes.j2", &view).map(Fragment::of_template)
    }

    /// A file from the template of its name.
    pub fn file(&self, name: &str, env: &Env) -> Result<OutputFile, RenderError> {
        self.files.file(name, name, env)
    }

    /// The parts of a split file: for each item what selects its shard, and its text for each of
    /// the names.
    pub fn sharded<const N: usize>(
        &self,
        file: &str,
        shards: u32,
        names: [&str; N],
        items: impl Iterator<Item = (String, [Fragment; N])>,
    ) -> Result<Vec<OutputFile>, RenderError> {
        let env = |texts: [Fragment; N]| names.into_iter().zip(texts.map(|text| Value::from(vec![text]))).collect();
        let sharded = Sharded {
            file: file.to_owned(),
            template: file.to_owned(),
            shards,
            base: self.env(file)?,
            keys: names.map(str::to_owned).into(),
            items: items.map(|(key, texts)| (key, env(texts))).collect(),
        };
        self.files.sharded(&sharded)
    }
}
