//! One side of a comparison: what a version of torch declares.
//!
//! Invariant: formulas are compared only if both sides have files of them, and C shims by version.

use std::path::PathBuf;

use super::facts;
use super::touched::{Kernels, TorchUses};
use crate::torch::facts::input::{self, Input, Wanted};
use torchgen_base::diag::Diagnostic;
use torchgen_generators::args::LayoutChoice;
use torchgen_generators::inputs;
use torchgen_kit::changes::Thing;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::model::ATEN;
use torchgen_model::model::version::Version;
use torchgen_model::{changes, codes, release, torch};

/// A version, or a directory with its files.
#[derive(Debug, Clone)]
pub(super) enum Side {
    /// The tables of the program have it.
    Version(Version),
    /// The directory with `native/`, and that of derivatives.yaml, if there is one.
    Files(PathBuf, Option<PathBuf>),
}

impl Side {
    /// The side that a word names. A path that exists comes first.
    ///
    /// # Errors
    /// It is neither a known version nor a path of PyTorch.
    pub(super) fn find(word: &str, session: &mut Session) -> Result<Side, JobError> {
        let path = PathBuf::from(word);
        if session.seen.exists(&path) {
            let found = torch::find(Some(&path), session)?;
            let formulas = session.is_given(&found.autograd.join("derivatives.yaml"))?;
            return Ok(Side::Files(found.aten, formulas.then_some(found.autograd)));
        }
        match word.parse() {
            Ok(version) => Ok(Side::Version(version)),
            Err(_) => {
                let message = format!("`{word}` is neither a path nor a version of torch");
                let help = format!("write a version from {} to {}", Version::OLDEST, Version::NEWEST);
                Err(Diagnostic::new(&codes::USAGE, message).help(help).into())
            }
        }
    }

    fn formulas(&self) -> Option<&PathBuf> {
        match self {
            Side::Version(_) => None,
            Side::Files(_, formulas) => formulas.as_ref(),
        }
    }

    fn things(
        &self,
        with_formulas: bool,
        touched: &[TorchUses],
        session: &mut Session,
    ) -> Result<Vec<Thing>, JobError> {
        let (source, torch) = match self {
            Side::Version(version) => (None, Some(*version)),
            Side::Files(aten, _) => (Some(aten.as_path()), None),
        };
        let wanted = Wanted {
            source,
            layout: Some(LayoutChoice::Aten),
            autograd_dir: None,
            torch,
            backend: None,
            lazy: false,
            without_keys: &input::ALL_KEYS,
        };
        let layout = input::settle(&wanted, session)?;
        let tables = session.tables.clone();
        let version = release::settled(session).unwrap_or(Version::NEWEST);
        let input = Input::read_operators(&wanted, layout, &tables, session)?;
        session.check_errors()?;
        session.timings.lap("read");
        let kernels: Vec<&Kernels> = touched.iter().filter_map(|touched| touched.kernels.as_ref()).collect();
        let sources = &session.sources;
        let all = input.each(sources, |known, tables| facts::all(known, &kernels, sources, tables));
        let mut things: Vec<Thing> = all.into_iter().flatten().collect();
        things.push(facts::shim(version));
        session.timings.lap("signatures");
        if let Some(dir) = self.formulas().filter(|_| with_formulas) {
            let records = inputs::derivative_records(session, &dir.join("derivatives.yaml"))?;
            changes::add_formulas(&mut things, &format!("{ATEN}::"), &records);
        }
        Ok(things)
    }
}

/// What both sides declare.
pub(super) fn both(
    sides: &[Side; 2],
    touched: &[TorchUses],
    session: &mut Session,
) -> Result<[Vec<Thing>; 2], JobError> {
    let with_formulas = sides.iter().all(|side| side.formulas().is_some());
    let mut read = |side: &Side| session.apart(|session| side.things(with_formulas, touched, session));
    let [old, new] = [read(&sides[0])?, read(&sides[1])?];
    session.check_errors()?;
    Ok([old, new])
}
