//! `torchgen-rs dev`: builds a project and installs it as editable into a Python environment.

use std::time::Instant;

use super::build::Build;
use super::process::counted;
use super::python::Python;
use super::{Lock, Project, watch};
use torchgen_generators::args::DevArgs;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};

/// Builds and installs, or keeps doing so.
///
/// # Errors
/// The directory is not a project, no environment can be used, or the build fails. With `--watch`,
/// a build that fails is none.
pub fn dev(args: &DevArgs, session: &mut Session) -> Result<Summary, JobError> {
    let started = Instant::now();
    let project = Project::find(args.dir.as_deref())?;
    let renderer = session.renderer("torch", &[])?;
    let python = Python::active(args.python.as_deref(), &project, &renderer)?;
    python.must_build()?;
    if args.watch {
        match watch::watch(&project, &python, args, session)? {}
    }
    project.check(python.torch_path.as_deref(), session)?;
    let build = Build::new(&project, &python);
    let _lock = Lock::of(&build.dir, session)?;
    let compiled = build.develop(session)?;
    let missing = python.missing(&project.distribution, "", &renderer)?;
    if !missing.is_empty() {
        python.install(&project.distribution, missing, session)?;
    }
    let said = format!(
        "{} is installed in {}, for torch {}: {} ({:.1} s)",
        project.distribution,
        python.prefix.display(),
        python.torch_release(),
        counted(&compiled),
        started.elapsed().as_secs_f64()
    );
    Ok(Summary { said: Some(said), ..Summary::default() })
}
