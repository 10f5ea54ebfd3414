//! `torchgen-rs test`: runs the tests of a project with one or several versions of torch.
//!
//! A library on the stable ABI is built once, and its wheel serves all of them. The wheel is
//! installed into a small environment over the one with torch, which stays as it is. Invariant: a
//! version that cannot be tested does not prevent the others.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::build::Build;
use super::environments::{self, Unavailable, Wanted};
use super::process::{self, counted};
use super::python::{Python, in_prefix};
use super::results::{Counts, Outcome, Row, table};
use super::{Lock, Project, error};
use crate::library::works_with::OLDEST_OF_API;
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::Renderer;
use torchgen_generators::args::TestArgs;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::model::version::Version;

/// The extra of a distribution that its tests need.
const EXTRA: &str = "test";

/// The part of a version that is tested: its environment, or why it has none.
type Place = (String, Result<Python, &'static str>);

/// Builds, tests, and prints a table.
///
/// # Errors
/// The directory is not a project, or a test fails with one of the versions.
pub fn test(args: &TestArgs, session: &mut Session) -> Result<Summary, JobError> {
    session.checks_only = true;
    let project = Project::find(args.dir.as_deref())?;
    let wanted = Wanted::all(&args.torch);
    refuse_too_old(&project, &wanted)?;
    let renderer = session.renderer("torch", &[])?;
    let given: Vec<Python> =
        args.python.iter().map(|python| with_torch(python, &renderer)).collect::<Result<_, _>>()?;
    let active = match given.first() {
        Some(first) if wanted.iter().all(|wanted| given.iter().any(|python| wanted.is_of(python))) => first.clone(),
        _ => Python::any(&project, &renderer)?,
    };
    project.check(active.torch_path.as_deref(), session)?;
    let places = places(args, &wanted, &given, &active, &renderer, session)?;
    let mut tested = Tested { project: &project, args, renderer: &renderer, wheel: None };
    let pythons: Vec<Python> = places.iter().filter_map(|(_, place)| place.as_ref().ok().cloned()).collect();
    let mut rows = Vec::new();
    for (torch, place) in places {
        let row = match place {
            Ok(python) => tested.run(&python, &pythons, &active, session)?,
            Err(why) => Row { torch, outcome: Outcome::Not(why) },
        };
        rows.push(row);
    }
    session.host.print(&format!("{}\n", table(&rows)))?;
    rows.iter().filter_map(Row::error).for_each(|message| session.diagnostics.push(error(message)));
    session.check_errors()?;
    let said = match rows.as_slice() {
        [row] => format!("{} passes its tests with torch {}", project.distribution, row.torch),
        rows => format!("{} passes its tests with all {} versions of torch", project.distribution, rows.len()),
    };
    Ok(Summary { said: Some(said), ..Summary::default() })
}

/// A Python that is given, which must have a torch.
fn with_torch(python: &Path, renderer: &Renderer) -> Result<Python, Diagnostic> {
    let found = Python::ask(python, renderer)?;
    match found.torch_minor() {
        Some(_) => Ok(found),
        None => Err(error(format!("`{}` has no torch", python.display()))
            .help("name Pythons of environments with torch; without `--python`, environments are made")),
    }
}

/// Refuses versions that the library does not support.
fn refuse_too_old(project: &Project, wanted: &[Wanted]) -> Result<(), Diagnostic> {
    let (oldest, why) = match project.is_stable() {
        true => (project.torch_min(), "`torch_min:` of library.yaml says so"),
        false => (OLDEST_OF_API.parse().unwrap_or(Version::OLDEST), "a library on the C++ API needs it"),
    };
    match wanted.iter().find(|wanted| wanted.minor < oldest) {
        Some(wanted) => {
            let message = format!("{} supports torch {oldest} and newer, not {}", project.distribution, wanted.shown());
            Err(error(message).note(why).help(format!("start with {oldest}: `--torch {oldest}..{}`", Version::NEWEST)))
        }
        None => Ok(()),
    }
}

/// The environment of each version.
fn places(
    args: &TestArgs,
    wanted: &[Wanted],
    given: &[Python],
    active: &Python,
    renderer: &Renderer,
    session: &mut Session,
) -> Result<Vec<Place>, JobError> {
    if wanted.is_empty() {
        let pythons = if given.is_empty() { std::slice::from_ref(active) } else { given };
        if active.torch_minor().is_none() && given.is_empty() {
            let message = format!("the environment {} has no torch", active.prefix.display());
            let help = "install one, or name versions to make environments for: `--torch 2.10..2.15`";
            return Err(error(message).help(help).into());
        }
        return Ok(pythons.iter().map(|python| (python.torch_release().to_owned(), Ok(python.clone()))).collect());
    }
    let mut places = Vec::new();
    for wanted in wanted {
        let known = given.iter().chain([active]).find(|python| wanted.is_of(python));
        let place = match known {
            Some(python) => Ok(python.clone()),
            None => {
                let below = args.environments.clone().map_or_else(environments::cache, Ok)?;
                match environments::made(wanted, active, &below, renderer, session) {
                    Ok(python) => Ok(python),
                    Err(Unavailable::NoWheel(why)) => {
                        session.diagnostics.push(why);
                        Err("no wheel")
                    }
                    Err(Unavailable::Failed(why)) => {
                        session.diagnostics.push(why);
                        Err("no environment")
                    }
                }
            }
        };
        places.push((wanted.shown(), place));
    }
    Ok(places)
}

/// What is tested, and the wheel that serves several versions.
struct Tested<'a> {
    project: &'a Project,
    args: &'a TestArgs,
    renderer: &'a Renderer,
    /// The wheel, or nothing if it cannot be built.
    wheel: Option<Option<PathBuf>>,
}

impl Tested<'_> {
    /// Tests with a Python's torch.
    fn run(
        &mut self,
        python: &Python,
        all: &[Python],
        active: &Python,
        session: &mut Session,
    ) -> Result<Row, JobError> {
        let row = |outcome| Row { torch: python.torch_release().to_owned(), outcome };
        let wheel = match (&self.wheel, self.project.is_stable()) {
            (Some(wheel), true) => wheel.clone(),
            (_, is_stable) => {
                let builder = if is_stable { builder(all, active)? } else { python };
                let wheel = self.built(builder, session)?;
                self.wheel = Some(wheel.clone());
                wheel
            }
        };
        let Some(wheel) = wheel else { return Ok(row(Outcome::Not("no build"))) };
        let dir = self.project.dir.join("build/test").join(python.directory_for(python.torch_release()));
        let _lock = Lock::of(&dir, session)?;
        let layer = self.layer(python, &wheel, &dir, session)?;
        session.host.say(&format!("torchgen-rs: testing with torch {}\n", python.torch_release()));
        let report = dir.join("report.xml");
        let mut command = Command::new(&layer.executable);
        command.args(["-m", "pytest", "-o"]).arg(format!("cache_dir={}", dir.join("cache").display()));
        command.arg(format!("--junit-xml={}", report.display()));
        match self.args.pytest.is_empty() {
            true if self.project.dir.join("tests").is_dir() => command.arg("tests"),
            _ => command.args(&self.args.pytest),
        };
        let started = Instant::now();
        let finished = process::run(command.current_dir(&self.project.dir), |_| {})?;
        let took = started.elapsed();
        let counts = std::fs::read_to_string(&report).ok().and_then(|xml| Counts::of_report(&xml));
        let passes = finished.succeeded && counts.is_some();
        if !passes || self.args.common.verbose {
            session.host.say(&format!("{}\n", finished.lines.join("\n")));
        }
        Ok(row(match counts {
            Some(counts) if finished.succeeded || counts.failed > 0 => Outcome::Ran { counts, took },
            // It can fail although no test does.
            _ => {
                let message = format!("pytest does not succeed with torch {}", python.torch_release());
                session.diagnostics.push(error(message).help("its output is above"));
                Outcome::Not("pytest fails")
            }
        }))
    }

    /// The wheel that a Python builds; nothing, and an error, if it cannot be built.
    fn built(&self, python: &Python, session: &mut Session) -> Result<Option<PathBuf>, JobError> {
        python.must_build()?;
        let started = Instant::now();
        session.host.say(&format!("torchgen-rs: building a wheel with torch {}\n", python.torch_release()));
        let build = Build::new(self.project, python);
        let _lock = Lock::of(&build.dir, session)?;
        let into = build.dir.join("wheel");
        match build.wheel(&into, session) {
            Ok((wheel, compiled)) => {
                let name = wheel.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let seconds = started.elapsed().as_secs_f64();
                session.host.say(&format!("torchgen-rs: {name}: {} ({seconds:.1} s)\n", counted(&compiled)));
                Ok(Some(wheel))
            }
            Err(why) => {
                session.diagnostics.push(why);
                Ok(None)
            }
        }
    }

    /// A new environment with the wheel, over one with torch.
    fn layer(&self, python: &Python, wheel: &Path, dir: &Path, session: &mut Session) -> Result<Python, JobError> {
        let place = dir.join("environment");
        let failed = |why: std::io::Error| error(format!("`{}` cannot be made: {why}", dir.display()));
        let mut command = Command::new(&python.executable);
        command.args(["-m", "venv", "--without-pip", "--clear"]).arg(&place);
        let finished = process::run(&mut command, |_| {})?;
        if !finished.succeeded {
            return Err(finished.failure(format!("`{}` cannot be made", place.display())).into());
        }
        let _ = std::fs::remove_file(dir.join("report.xml"));
        let fresh = Python::ask(&in_prefix(&place), self.renderer)?;
        let paths: String = python.paths.iter().map(|path| format!("{}\n", path.display())).collect();
        std::fs::create_dir_all(&fresh.site).map_err(failed)?;
        std::fs::write(fresh.site.join("torch.pth"), paths).map_err(failed)?;
        let layer = Python::ask(&in_prefix(&place), self.renderer)?;
        layer.must_have_pip()?;
        let mut command = layer.pip();
        command.args(["install", "--no-deps", "--force-reinstall", "--no-index"]).arg(wheel);
        let finished = process::run(&mut command, |_| {})?;
        if !finished.succeeded {
            return Err(finished.failure("the wheel cannot be installed").into());
        }
        let mut missing = layer.missing(&self.project.distribution, EXTRA, self.renderer)?;
        if !layer.has("pytest") {
            missing.push(super::python::Missing::pytest());
        }
        if !missing.is_empty() {
            layer.install(&self.project.distribution, missing, session)?;
        }
        Ok(layer)
    }
}

/// Who builds the wheel for all versions: the one with the newest torch that can.
fn builder<'p>(all: &'p [Python], active: &'p Python) -> Result<&'p Python, Diagnostic> {
    let mut able: Vec<&Python> = all
        .iter()
        .chain([active])
        .filter(|python| python.lacks_for_building().is_empty() && python.has("pip"))
        .collect();
    able.sort_by_key(|python| python.torch_minor());
    match able.pop() {
        Some(python) => Ok(python),
        None => {
            active.must_build()?;
            Ok(active)
        }
    }
}
