//! What the generators of autograd's files share.
//!
//! Invariant: nothing here knows what any of them emits. Rule: tools/autograd.

mod kernels;

use serde::Serialize;

pub use self::kernels::{
    is_manual, is_manual_backend, is_view_with_metadata_change, modifies_arguments, storage_view_info, view_info,
};
use crate::diag::Sources;
use crate::generate::Namespaces;
use crate::model::NativeFunction;
use crate::parse::Dialect;
use crate::render::{Env, Fragment, RenderError, Renderer, Sharded};
use crate::write::{Manager, OutputFile};

/// What autograd's files are made of, derivatives aside.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// All operators, generated variants included.
    pub functions: &'a [NativeFunction],
    /// What may be in the YAML, and whether names of operators mean anything.
    pub dialect: Dialect,
    /// C++ namespaces.
    pub namespaces: &'a Namespaces,
    /// The templates.
    pub renderer: &'a Renderer,
    /// The text of the YAML, for diagnostics.
    pub sources: &'a Sources,
    /// The directory of the templates, as "@generated" comments name it.
    pub template_dir: &'a str,
    /// The manager of the files.
    pub manager: Manager,
}

#[derive(Serialize)]
struct Comment<'a> {
    template_dir: &'a str,
    template: &'a str,
}

#[derive(Serialize)]
struct Header<'a> {
    names: [&'a str; 1],
    suffix: &'a str,
}

impl<'a> Inputs<'a> {
    /// The namespace under which an operator is looked up.
    pub fn schema_namespace(&self, f: &'a NativeFunction) -> &'a str {
        self.namespaces.schema.as_deref().unwrap_or(&f.namespace)
    }

    /// An environment with the comment that names the template.
    ///
    /// Errors: as [`Renderer::fragment`].
    pub fn env(&self, template: &str) -> Result<Env, RenderError> {
        let view = Comment { template_dir: self.template_dir, template };
        let comment = self.renderer.fragment("write/generated_from.j2", &view)?;
        Ok(Env::from_iter([("generated_comment", comment)]))
    }

    /// The include of an operator's header, of which there are several, told apart by what stands after the operator's name.
    ///
    /// Errors: as [`Renderer::fragment`].
    pub fn header(&self, f: &NativeFunction, suffix: &str) -> Result<Fragment, RenderError> {
        let view = Header { names: [f.root_name()], suffix };
        self.renderer.fragment("operators/includes.j2", &view).map(Fragment::new)
    }

    /// A file from the template of its name.
    ///
    /// Errors: as [`Renderer::render_file`].
    pub fn file(&self, name: &str, env: &Env) -> Result<OutputFile, RenderError> {
        let contents = self.renderer.render_file(name, env, None)?;
        Ok(OutputFile::new(self.manager, name, contents))
    }

    /// The files that a file is split over.
    ///
    /// Errors: as [`Renderer::render_sharded`].
    pub fn sharded(&self, file: &Sharded) -> Result<Vec<OutputFile>, RenderError> {
        let rendered = self.renderer.render_sharded(file, None)?;
        Ok(rendered.into_iter().map(|file| OutputFile::rendered(self.manager, file)).collect())
    }
}
