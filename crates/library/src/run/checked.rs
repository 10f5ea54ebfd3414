//! A library without errors in what its files declare.
//!
//! Invariant: all that can be wrong with operators, derivatives, settings and selections by
//! themselves is reported before the run stops.

use std::path::PathBuf;

use super::entries;
use super::flags::wanted;
use super::source::LibrarySource;
use crate::library::python::batching;
use crate::library::settings::Settings;
use crate::library::{c_functions, fakes};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use torchgen_base::diag::Diagnostics;
use torchgen_generators::args::GenerateArgs;
use torchgen_generators::inputs::Operators;
use torchgen_generators::inputs::stock::Stock;
use torchgen_generators::{OutputKind, inputs};
use torchgen_kit::driver::data::Tables;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::group::{self, NativeFunctionsViewGroup};
use torchgen_model::model::selector::Selector;
use torchgen_model::model::{NativeFunction, Target};

/// A library whose files have no errors.
pub(super) struct CheckedLibrary {
    /// What its files declare.
    pub(super) source: LibrarySource,
    /// What holds for all of it.
    pub(super) settings: Settings,
    /// The operators to register.
    pub(super) selector: Selector,
    /// The files with derivatives, if they are wanted.
    pub(super) derivative_files: Vec<PathBuf>,
}

impl CheckedLibrary {
    /// Checks what was read. PyTorch's operators come back for the formulas.
    pub(super) fn new(
        mut source: LibrarySource,
        settings: Settings,
        args: &GenerateArgs,
        session: &mut Session,
    ) -> Result<(CheckedLibrary, Stock), JobError> {
        settings.check_names(&source.libraries, &source.schema_only, &mut session.diagnostics);
        if settings.is_stable() {
            source.schema_only.retain(|f| !settings.leaves_out_schema(f));
        }
        settings.check_fakes(&source.libraries, &mut session.diagnostics);
        for (_, operators) in &source.libraries {
            batching::check_batching_rules(&operators.functions, &mut session.diagnostics);
            c_functions::check(&operators.functions, &operators.indices, &mut session.diagnostics);
        }
        let tables = session.tables.clone();
        let selector = inputs::selector(session, args, source.functions(), Target::library(&tables))?;
        let derivative_files = match wanted(args, OutputKind::Autograd) {
            true => source.paths.derivatives(session)?,
            false => Vec::new(),
        };
        if !derivative_files.is_empty() && session.diagnostics.has_errors() {
            look_at_derivatives(&source, &settings, &derivative_files, session)?;
        }
        if session.diagnostics.has_errors() {
            entries::look(&source, &settings, session);
        }
        fakes::check_fakes(&source.libraries, &args.python_modules, &source.paths.root, session)?;
        session.fail_on_errors(args.common.strict)?;
        session.timings.lap("group");
        let stock = std::mem::take(&mut source.stock);
        Ok((CheckedLibrary { source, settings, selector, derivative_files }, stock))
    }

    /// All operators, in the order of their namespaces.
    pub(super) fn functions(&self) -> Vec<&NativeFunction> {
        self.source.functions().collect()
    }

    /// The view groups of each namespace.
    pub(super) fn view_groups(
        &self,
        tables: &Tables,
        found: &mut Diagnostics,
    ) -> Vec<Vec<NativeFunctionsViewGroup<'_>>> {
        let target = Target::library(tables);
        let all = self.source.libraries.iter();
        all.map(|(_, operators)| group::view_groups(&operators.functions, target, found)).collect()
    }

    /// The operators of each namespace with the names that bodies have.
    pub(super) fn functions_in_bodies(&self) -> Vec<Vec<NativeFunction>> {
        let of = |operators: &Operators| operators.functions.par_iter().map(NativeFunction::in_bodies).collect();
        self.source.libraries.iter().map(|(_, operators)| of(operators)).collect()
    }

    /// What its formulas are written for.
    pub(super) fn formula_target<'r>(&self, tables: &'r Tables) -> Target<'r> {
        self.settings.abi.formula_target(Target::library(tables))
    }
}

/// Looks for errors in derivatives of operators that already have some.
fn look_at_derivatives(
    source: &LibrarySource,
    settings: &Settings,
    files: &[PathBuf],
    session: &mut Session,
) -> Result<(), JobError> {
    let tables = session.tables.clone();
    let target = settings.abi.formula_target(Target::library(&tables));
    let functions: Vec<_> = source.functions().collect();
    let manual = inputs::read_manual(session, &source.paths.root)?.unwrap_or_default();
    for path in files {
        inputs::look_at_derivatives(session, path, &functions, target, &manual);
    }
    Ok(())
}
