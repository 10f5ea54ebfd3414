//! One side of a comparison: what a version of torch declares.
//!
//! Invariant: formulas are compared only if both sides have files of them, and C shims by version.

use std::path::{Path, PathBuf};

use super::facts;
use super::touched::{Kernels, TorchUses};
use crate::torch::facts::TorchThing;
use crate::torch::facts::input::{self, Input, Wanted};
use torchgen_base::diag::Diagnostic;
use torchgen_generators::args::LayoutChoice;
use torchgen_generators::inputs;
use torchgen_kit::changes::Thing;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::model::version::Version;
use torchgen_model::model::{ATEN, NativeFunction};
use torchgen_model::{changes, codes, release, torch};

/// A version, or a directory with its files.
#[derive(Debug, Clone)]
pub(in crate::torch) enum Side {
    /// The tables of the program have it.
    Version(Version),
    /// Files.
    Files {
        /// The directory with `native/`.
        aten: PathBuf,
        /// The directory of derivatives.yaml, if there is one.
        formulas: Option<PathBuf>,
        /// Whether they are those of a revision.
        is_revision: bool,
    },
}

impl Side {
    /// What another command has read: a version, or a directory with its files.
    pub(in crate::torch) fn of_source(
        source: Option<&Path>,
        formulas: Option<&Path>,
        version: Option<Version>,
    ) -> Side {
        match source {
            Some(aten) => {
                let formulas = formulas.map(Path::to_owned);
                Side::Files { aten: aten.to_owned(), formulas, is_revision: false }
            }
            None => Side::Version(version.unwrap_or(Version::NEWEST)),
        }
    }

    /// The side that a word names: a path that exists, else a version, else a revision of the git
    /// repository in this directory.
    ///
    /// # Errors
    /// It is none of these, or there are no files of PyTorch.
    pub(super) fn find(word: &str, session: &mut Session) -> Result<Side, JobError> {
        let path = PathBuf::from(word);
        let is_revision = !session.seen.exists(&path);
        if let Some(version) = word.parse().ok().filter(|_| is_revision) {
            return Ok(Side::Version(version));
        }
        let path = match is_revision {
            true => revision(word, session)?,
            false => path,
        };
        let found = torch::find(Some(&path), session)?;
        let has_formulas = session.is_given(&found.autograd.join("derivatives.yaml"))?;
        Ok(Side::Files { aten: found.aten, formulas: has_formulas.then_some(found.autograd), is_revision })
    }

    /// How messages call the new one.
    pub(super) fn label(&self) -> String {
        match self {
            Side::Version(version) => format!("torch {version}"),
            Side::Files { .. } => "the new torch".to_owned(),
        }
    }

    /// What it is compared with unless a word says it.
    pub(super) fn default_other(&self) -> String {
        if let Side::Files { is_revision: true, .. } = self {
            return ".".to_owned();
        }
        Version::NEWEST.to_string()
    }

    fn formulas(&self) -> Option<&PathBuf> {
        match self {
            Side::Version(_) => None,
            Side::Files { formulas, .. } => formulas.as_ref(),
        }
    }

    /// What is asked of its operators, which are read by the rules of its version.
    fn read<T>(
        &self,
        session: &mut Session,
        about: impl FnOnce(Input<'_>, &mut Session) -> Result<T, JobError>,
    ) -> Result<T, JobError> {
        let (source, torch) = match self {
            Side::Version(version) => (None, Some(*version)),
            Side::Files { aten, .. } => (Some(aten.as_path()), None),
        };
        let wanted = Wanted {
            source,
            layout: Some(LayoutChoice::Aten),
            autograd_dir: self.formulas().map(PathBuf::as_path),
            torch,
            backend: None,
            lazy: false,
            without_keys: &input::ALL_KEYS,
        };
        let layout = input::settle(&wanted, session)?;
        let tables = session.tables.clone();
        let input = Input::read_operators(&wanted, layout, &tables, session)?;
        session.check_errors()?;
        session.timings.lap("read");
        about(input, session)
    }

    fn things(
        &self,
        with_formulas: bool,
        touched: &[TorchUses],
        session: &mut Session,
    ) -> Result<Vec<Thing>, JobError> {
        let mut things = self.read(session, |input, session| {
            let version = release::settled(session).unwrap_or(Version::NEWEST);
            let kernels: Vec<&Kernels> = touched.iter().filter_map(|touched| touched.kernels.as_ref()).collect();
            let sources = &session.sources;
            let all = input.each(sources, |known, tables| facts::all(known, &kernels, sources, tables));
            let mut things: Vec<Thing> = all.into_iter().flatten().collect();
            things.push(facts::shim(version));
            session.timings.lap("signatures");
            Ok(things)
        })?;
        if let Some(dir) = self.formulas().filter(|_| with_formulas) {
            let records = inputs::derivative_records(session, &dir.join("derivatives.yaml"))?;
            changes::add_formulas(&mut things, &format!("{ATEN}::"), &records);
        }
        Ok(things)
    }

    /// The facts about some of its operators, without signatures.
    pub(super) fn facts(
        &self,
        wanted: impl Fn(&NativeFunction) -> bool,
        session: &mut Session,
    ) -> Result<Vec<TorchThing>, JobError> {
        session.apart(|session| {
            let found = self.read(session, |input, session| input.without_signatures().things(wanted, session))?;
            session.check_errors()?;
            Ok(found)
        })
    }
}

/// The directory that a revision has in the place of this one.
fn revision(word: &str, session: &mut Session) -> Result<PathBuf, JobError> {
    let error = match session.state_at(word, &[PathBuf::from(".")]) {
        Ok(found) => return Ok(found.into_iter().collect()),
        Err(JobError::Failed(reasons)) => reasons.into_iter().next(),
        Err(error) => return Err(error),
    };
    let message = format!("`{word}` is neither a path, nor a version of torch, nor a revision of git");
    let help = format!("write a version from {} to {}", Version::OLDEST, Version::NEWEST);
    let mut found = Diagnostic::new(&codes::USAGE, message);
    if let Some(reason) = error {
        found = found.note(reason.message);
        found.notes.extend(reason.notes);
        found.help.extend(reason.help);
    }
    Err(found.help(help).into())
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
