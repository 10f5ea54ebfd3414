//! `torchgen-rs backend-stubs`: the whole job of `python -m torchgen.gen_backend_stubs`.
//!
//! Invariant: same flags, same files. Rule: torchgen/gen_backend_stubs.py, `run`.

use std::collections::HashSet;

use super::hooks::Hooks;
use super::input::{Input, Parts, with_context};
use super::{External, Style, header, impl_path, registration};
use crate::diag::{Diagnostic, codes};
use crate::driver::output::{self, Made, WriteOptions};
use crate::driver::report::Summary;
use crate::driver::{Session, Stop, discard};
use crate::families::torch::args::BackendStubsArgs;
use crate::families::torch::generators::{Context, Flags, Outcome, gather};
use crate::families::torch::group;
use crate::families::torch::managers;
use crate::families::torch::model::Target;
use crate::render::Renderer;

/// The program that the files' comments name.
const GENERATOR: &str = "torchgen/gen_backend_stubs.py";

/// Runs the job.
pub(crate) fn generate(args: &BackendStubsArgs, session: &mut Session) -> Result<Summary, Stop> {
    let args = &args.backend;
    let Input { torch, record, functions, mut indices, tags } = Input::read(args, session)?;
    let grouped = group::group(&functions, Target::PYTORCH, &mut session.diagnostics);
    super::check::check(&record, &grouped, &indices, &mut session.diagnostics);
    session.check(args.common.strict)?;
    session.timings.lap("group");

    let mut renderer = Renderer::new().map_err(|error| error.diagnostic())?;
    let mut files = Vec::new();
    match External::new(&record, &functions, &grouped, &mut indices) {
        None => {
            let message = "nothing is generated: the backend has no kernels below autograd".to_owned();
            let help = "list operators that the backend has kernels for under `supported`";
            session
                .diagnostics
                .push(Diagnostic::new(&codes::NOTHING_FOR_BACKEND, message).at(record.backend.span()).help(help));
        }
        Some(external) => {
            session.load_templates(&mut renderer, &torch.templates())?;
            session.overlay_templates(&mut renderer, &args.common.template_dir)?;
            session.timings.lap("templates");
            if let Some(path) = &args.impl_path {
                impl_path::check(path, &external, &record, &functions, &indices, &HashSet::new(), session)?;
            }
            let style = Style {
                directory: &args.output_dir.to_string_lossy(),
                in_tree: false,
                deferred: None,
                generator: args.generated_by.as_deref().unwrap_or(GENERATOR),
                hooks: Hooks::of(&record),
                kernels: &record.kernels,
            };
            let parts = Parts {
                functions: &functions,
                indices: &indices,
                grouped: &grouped,
                tags: &tags,
                flags: &Flags::default(),
                renderer: &renderer,
            };
            let (made, found) = with_context(&parts, |ctx| gather([stubs(ctx, &external, &style, "")]));
            files = made;
            session.diagnostics.extend(found);
            let hooks = Hooks::of(&record);
            hooks.apply(&mut files, &renderer, &mut session.diagnostics).map_err(|error| error.diagnostic())?;
            session.timings.lap("generate");
        }
    }
    session.check(args.common.strict)?;
    drop(grouped);
    discard((functions, indices));
    session.timings.count_rendered(&renderer);
    let how = WriteOptions { common: &args.common, dry_run: args.is_dry_run(), lists: None };
    output::write(&how, Made { installs: vec![(managers::CPU, args.output_dir.clone())], files, renderer }, session)
}

/// The header and the sources of a backend. Errors: a kernel has a shape that cannot be served.
pub(crate) fn stubs(ctx: &Context, external: &External, style: &Style, backend_name: &str) -> Outcome {
    let mut files = vec![header::file(ctx, external, style.kernels, backend_name)?];
    for key in external.keys() {
        files.push(registration::file(ctx, external, key, style)?);
    }
    Ok(files)
}
