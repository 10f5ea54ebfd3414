//! `torchgen-rs gen-unboxing`: the job of PyTorch's tools/jit/gen_unboxing.py.
//!
//! Invariant: same flags, same files.

use std::collections::BTreeSet;
use torchgen_generators::inputs;

use crate::backend::input::{Parts, with_context};
use torchgen_base::yaml;
use torchgen_generators::args::UnboxingArgs;
use torchgen_generators::inputs::Operators;
use torchgen_generators::managers;
use torchgen_generators::{Flags, gather, info};
use torchgen_kit::driver::family::GeneratorInfo;
use torchgen_kit::driver::output::{self, GeneratedFiles, WriteOptions};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::model::Target;
use torchgen_model::model::rules::Rules;
use torchgen_model::model::selector::Selector;
use torchgen_model::records;
use torchgen_model::release;

/// The program in comments.
pub(super) const GENERATOR: &str = "tools/jit/gen_unboxing.py";

/// What `torchgen-rs list` prints.
#[rustfmt::skip]
pub const GENERATOR_INFO: GeneratorInfo = info!("gen-unboxing", "unboxing", "functions that take their arguments from a stack", &["UnboxingFunctions.h", "UnboxingFunctions_<N>.cpp", "RegisterCodegenUnboxedKernels_<N>.cpp"]);

/// Runs the job.
pub fn generate(args: &UnboxingArgs, session: &mut Session) -> Result<Summary, JobError> {
    release::settle(session, &args.source_path, args.release.torch)?;
    let native = args.source_path.join("native");
    let tags = inputs::read_tags(session, &native.join("tags.yaml"))?;
    let Operators { functions, indices } =
        inputs::read_operators(session, &native.join("native_functions.yaml"), &tags, &BTreeSet::new())?;
    session.fail_on_errors(args.common.strict)?;
    let selector = selector(args, session)?;
    let tables = session.tables.clone();
    inputs::report_unmatched(session, &selector, &functions, Target::pytorch(&tables));
    let mut renderer =
        session.renderer_with("torch", &args.source_path.join("templates"), &args.common.template_dir)?;
    Rules::serve(&session.tables, &mut renderer);
    session.timings.lap("templates");
    let parts = Parts {
        functions: &functions,
        indices: &indices,
        grouped: &[],
        tags: &tags,
        flags: &Flags::default(),
        renderer: &renderer,
        tables: &tables,
    };
    let (files, found) = with_context(&parts, |ctx| gather([super::files(ctx, &selector)]));
    session.diagnostics.extend(found);
    session.timings.lap("generate");
    session.fail_on_errors(args.common.strict)?;
    let options =
        WriteOptions { common: &args.common, dry_run: args.dry_run, lists: args.output_dependencies.as_deref() };
    output::write(
        &options,
        GeneratedFiles { installs: vec![(managers::CPU, args.install_dir.clone())], files, renderer },
        session,
    )
}

/// The operators that the flags select. An empty list selects nothing, so the next flag applies.
fn selector(args: &UnboxingArgs, session: &mut Session) -> Result<Selector, JobError> {
    if let Some(names) = args.op_registration_allowlist.as_ref().filter(|names| !names.is_empty()) {
        return Ok(Selector::from_whitelist(names.iter().map(|name| (name.as_str(), None))));
    }
    if let Some(path) = &args.test_only_allowlist {
        let root = session.read_yaml(path, yaml::Options::SAFE_LOAD)?;
        let names = records::read_names(root, &mut session.diagnostics);
        return Ok(Selector::from_whitelist(names.iter().map(|name| (name.as_str(), Some(name.span())))));
    }
    match &args.op_selection_yaml_path {
        Some(path) => inputs::selector_from_yaml(session, path),
        None => Ok(Selector::nop()),
    }
}
