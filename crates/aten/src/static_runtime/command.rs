//! `torchgen-rs gen-static-runtime-ops`: the job of torchgen.static_runtime.gen_static_runtime_ops.
//!
//! Invariant: same flags, same files, but for the layout that clang-format gives them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use torchgen_generators::inputs;

use super::texts;
use torchgen_base::write::{Manager, OutputFile};
use torchgen_generators::args::StaticRuntimeArgs;
use torchgen_generators::info;
use torchgen_generators::inputs::Operators;
use torchgen_kit::driver::family::GeneratorInfo;
use torchgen_kit::driver::output::{self, GeneratedFiles, WriteOptions};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::group;
use torchgen_model::model::{DispatchKey, Target};
use torchgen_model::release;

/// What `torchgen-rs list` prints.
#[rustfmt::skip]
pub const GENERATOR_INFO: GeneratorInfo = info!("gen-static-runtime-ops", "static_runtime", "operators of static runtime and their tests", &["generated_ops.cpp", "test_generated_ops.cc"]);

/// The directories of the operators and of the tests. In no list.
const OPERATORS: Manager = Manager::new("static runtime", None);
const TESTS: Manager = Manager::new("static runtime's tests", None);

/// Runs the job.
pub fn generate(args: &StaticRuntimeArgs, session: &mut Session) -> Result<Summary, JobError> {
    release::settle(session, &args.source_path, args.release.torch)?;
    let native = args.source_path.join("native");
    let tags = inputs::read_tags(session, &native.join("tags.yaml"))?;
    let Operators { functions, indices } =
        inputs::read_operators(session, &native.join("native_functions.yaml"), &tags, &BTreeSet::new())?;
    let tables = session.tables.clone();
    let target = Target::pytorch(&tables);
    let grouped = group::group(&functions, target, &mut session.diagnostics);
    let views = group::view_groups(&functions, target, &mut session.diagnostics);
    session.fail_on_errors(args.common.strict)?;
    let renderer = session.renderer("torch", &args.common.template_dir)?;
    session.timings.lap("templates");
    let cpu = indices.get(DispatchKey::CPU);
    let [operators, tests] = texts(&group::groups(&grouped), views, cpu, &renderer, &tables)?;
    session.timings.lap("generate");
    session.timings.count_rendered(&renderer);
    let mut installs = Vec::new();
    let mut file = |manager, path: &Path, text: String| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        installs.push((manager, path.parent().map(PathBuf::from).unwrap_or_default()));
        OutputFile::new(manager, name, text)
    };
    let files = vec![
        file(OPERATORS, &args.generated_ops_cpp_path, operators),
        file(TESTS, &args.generated_ops_test_cpp_path, tests),
    ];
    let options = WriteOptions { common: &args.common, dry_run: false, lists: None };
    output::write(&options, GeneratedFiles { installs, files, renderer }, session)
}
