//! `torchgen-rs diff`: what changed between two versions of torch, and whom it breaks.
//!
//! Data flows `Side -> things -> compare -> changes`. A [`Side`] is a version, whose operators are
//! in the tables of the program, or PyTorch's sources. [`TorchUses`] is what a library, a backend
//! or wrappers use, to which changes can be limited.
//!
//! Invariant: nothing is written, and both sides are read by the rules of their own version.

mod facts;
pub(super) mod side;
mod touched;

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;

use self::side::Side;
use self::touched::TorchUses;
use super::facts::TorchThing;
use torchgen_base::diag::{Diagnostic, did_you_mean, plural};
use torchgen_kit::changes::report::{described, verdict};
use torchgen_kit::changes::{Change, Thing, compare, kinds};
use torchgen_kit::driver::args::{Common, CommonArgs, DATA, INPUT, LONG, OUTPUT, ShownChanges};
use torchgen_kit::driver::job::{Example, Job, JobArgs, example};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session, discard};
use torchgen_model::changes::RULES;
use torchgen_model::codes;
use torchgen_model::model::ATEN;

/// The command.
pub(super) struct Diff;

/// The arguments of `diff`.
#[derive(Debug, Clone, Args)]
pub(super) struct DiffArgs {
    /// The old torch: a version, PyTorch's files, or a revision of git
    ///
    /// `2.12` needs no files. A path is that of a checkout, of a `site-packages` directory, or of
    /// the package `torch` or `torchgen` in it, and has formulas too. `main` is a revision of the
    /// checkout in this directory, which is read from git, and `main...` is the commit where the
    /// current branch left it.
    #[arg(long, value_name = "TORCH", required = true, help_heading = INPUT)]
    from: String,
    /// The new torch
    ///
    /// The default is the newest version that the program knows, and for a revision the files in
    /// this directory.
    #[arg(long, value_name = "TORCH", help_heading = INPUT)]
    to: Option<String>,
    /// Show only what touches a library, a backend's YAML, or the YAML of wrappers
    ///
    /// Each change is at the place that it touches, with what to write. Can be repeated.
    #[arg(long = "for", value_name = "PATH", action = clap::ArgAction::Append, help_heading = INPUT)]
    users: Vec<PathBuf>,
    /// Show only changes of these operators, separated by commas
    ///
    /// With or without namespace and overload.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', action = clap::ArgAction::Append, help_heading = OUTPUT)]
    only: Vec<String>,
    /// Which changes it shows.
    #[command(flatten)]
    shown: ShownChanges,
    /// The flags beyond.
    #[command(flatten)]
    common: Common<{ DATA | LONG }>,
}

impl JobArgs for DiffArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone().into()
    }
}

impl Job for Diff {
    type Args = DiffArgs;
    const NAME: &'static str = "diff";
    const ABOUT: &'static str = "Show what changed between two versions of torch, and whom it breaks";
    const EXAMPLES: &'static [Example] = &[
        example("Show what breaks between two versions, without their files", "diff --from 2.12 --to 2.15"),
        example("Show what an upgrade breaks in a backend", "diff --from 2.13 --for backend.yaml"),
        example("Show all changes of an operator", "diff --from 2.10 --only index_fill --level any"),
        example(
            "Compare a checkout with an installed torch",
            "diff --from .venv/lib/python3.12/site-packages --to pytorch",
        ),
        example("Show what a branch of PyTorch changes, as a comment", "diff --from main... --level any --markdown"),
    ];
    const CODES: &'static [&'static codes::CodeInfo] = codes::ALL;

    fn run(args: &DiffArgs, session: &mut Session) -> Result<Summary, JobError> {
        session.checks_only = true;
        let from = Side::find(&args.from, session)?;
        let default = from.default_other();
        let to = args.to.as_deref().unwrap_or(&default);
        let sides = [from, Side::find(to, session)?];
        let mut touched = Vec::new();
        for path in &args.users {
            touched.push(TorchUses::read_path(path, session)?);
        }
        let label = sides[1].label();
        let [mut old, mut new] = side::both(&sides, &touched, session)?;
        for touched in &touched {
            touched.prepare(&mut old);
            touched.prepare(&mut new);
        }
        session.timings.lap("things");
        let mut changes = compare(&old, &new, RULES);
        session.timings.lap("compare");
        let count = changes.len();
        if !args.only.is_empty() {
            changes = only(changes, &args.only, [&old, &new])?;
        }
        let shown = args.shown.shown();
        let (all, what) = match touched.as_slice() {
            [] => (changes.len(), plural(old.len().saturating_sub(1), "operator")),
            touched => (touched.iter().map(|touched| touched.concerning(&changes, &old)).sum(), {
                plural(touched.iter().map(TorchUses::count).sum(), "name")
            }),
        };
        let found: Vec<Diagnostic> = match touched.as_slice() {
            [] => changes
                .iter()
                .filter_map(|change| shown.with_shown_effects(change.clone()))
                .map(|change| described(&change))
                .collect(),
            touched => {
                let of = |touched: &TorchUses| touched.diagnostics(&changes, &old, &new, &shown, &label);
                touched.iter().flat_map(of).collect()
            }
        };
        discard((old, new));
        let quiet = found.is_empty();
        session.diagnostics.extend(found);
        let compared = format!("compared {what} of `{to}` with `{}`", args.from);
        args.shown.print(&compared, session)?;
        session.fail_on_errors(shown.risky_fails())?;
        let rest = match all {
            0 if count > 0 => "nothing of these changed".to_owned(),
            all => verdict(all, quiet),
        };
        let said = format!("compared {what}: {rest}");
        Ok(Summary { said: Some(said), ..Summary::default() })
    }
}

/// What changed since an older torch, for pages.
pub(super) struct Compared {
    /// What the older one is called: a version, or the word that names its files.
    pub(super) since: String,
    pub(super) changes: Vec<Change>,
    /// The new and the old name of each operator that has another one.
    pub(super) renamed: Vec<(String, String)>,
    /// The operators that changed, as they were.
    pub(super) before: Vec<TorchThing>,
}

impl Compared {
    /// Compares the operators of `to` with those of the torch that a word names.
    ///
    /// # Errors
    /// One of the two cannot be read.
    pub(super) fn read_since(from: &str, to: Side, session: &mut Session) -> Result<Compared, JobError> {
        let sides = [Side::find(from, session)?, to];
        let [old, new] = side::both(&sides, &[], session)?;
        let changes = compare(&old, &new, RULES);
        session.timings.lap("compare");
        let renamed = changes.iter().filter(|change| std::ptr::eq(change.kind, &raw const kinds::RENAMED));
        let renamed = renamed.filter_map(|own| Some((own.thing.1.clone(), old_name(own, &old)?.to_owned())));
        let renamed: Vec<(String, String)> = renamed.collect();
        let names = changes.iter().map(|change| &change.thing.1).chain(renamed.iter().map(|(_, old)| old));
        let changed: HashSet<&str> = names.map(String::as_str).collect();
        let before = sides[0].facts(|f| changed.contains(f.full_name().as_str()), session)?;
        session.timings.lap("before");
        Ok(Compared { since: from.to_owned(), changes, renamed, before })
    }
}

/// The name that a renamed operator had.
fn old_name<'t>(change: &Change, old: &'t [Thing]) -> Option<&'t str> {
    let own = old.iter().find(|thing| thing.place.is_some() && thing.place == change.old)?;
    Some(own.name.as_str())
}

/// The changes of the operators that words name.
fn only(changes: Vec<Change>, words: &[String], sides: [&[Thing]; 2]) -> Result<Vec<Change>, JobError> {
    let is_named = |name: &str, word: &str| {
        let word = word.strip_suffix(".default").unwrap_or(word);
        let short = name.strip_prefix(ATEN).and_then(|rest| rest.strip_prefix("::")).unwrap_or(name);
        [name, short].iter().any(|own| *own == word || own.strip_prefix(word).is_some_and(|rest| rest.starts_with('.')))
    };
    for word in words {
        let names = || sides.into_iter().flatten().map(|thing| thing.name.as_str());
        if !names().any(|name| is_named(name, word)) {
            let error = Diagnostic::new(&codes::USAGE, format!("neither torch has an operator `{word}`"));
            let short = names().map(|name| name.rsplit("::").next().unwrap_or(name));
            return Err(error.maybe_help(did_you_mean(word, short)).into());
        }
    }
    // A renamed operator is there under both names.
    let is_wanted = |change: &Change| {
        let old = old_name(change, sides[0]);
        words.iter().any(|word| is_named(&change.thing.1, word) || old.is_some_and(|name| is_named(name, word)))
    };
    Ok(changes.into_iter().filter(is_wanted).collect())
}
