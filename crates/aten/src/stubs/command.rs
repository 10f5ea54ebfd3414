//! `torchgen-rs gen-pyi`: the job of PyTorch's tools/pyi/gen_pyi.py.
//!
//! Invariant: same flags, same files. Docstrings are parsed, not imported.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use torchgen_generators::inputs;

use super::docs::Docs;
use super::{FILES, Inputs, MANAGER, files};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::Renderer;
use torchgen_generators::args::StubsArgs;
use torchgen_generators::inputs::Operators;
use torchgen_generators::{Errors, info};
use torchgen_kit::driver::family::GeneratorInfo;
use torchgen_kit::driver::output;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::rules::Rules;
use torchgen_model::release;

/// The program in comments.
pub(super) const GENERATOR: &str = "tools/pyi/gen_pyi.py";

/// What `torchgen-rs list` prints.
#[rustfmt::skip]
pub const GENERATOR_INFO: GeneratorInfo = info!("gen-pyi", "stubs", "stubs of the modules in C++", &["torch/_C/__init__.pyi", "torch/_C/_VariableFunctions.pyi", "torch/_VF.pyi", "torch/return_types.pyi", "torch/_C/_nn.pyi", "torch/nn/functional.pyi"]);

/// The files with docstrings, in the order in which they are read.
const DOCUMENTATION: [&str; 2] = ["_torch_docs.py", "_tensor_docs.py"];

/// Folders of the tool's own templates, which may be beside PyTorch's.
const FOLDERS: [&str; 2] = ["torch/stubs", "write"];

/// Runs the job.
pub fn generate(args: &StubsArgs, session: &mut Session) -> Result<Summary, JobError> {
    let aten = args.native_functions_path.parent().and_then(Path::parent).unwrap_or(Path::new("."));
    release::settle(session, aten, args.release.torch)?;
    let rules = Rules::of_tables(&session.tables);
    if !rules.stubs_are_known {
        let message = format!("the stubs of torch {} are not known, only those of the newest version", rules.torch);
        let help = "run PyTorch's own `tools/pyi/gen_pyi.py`; all other files of this version can be generated";
        return Err(Diagnostic::new(&codes::USAGE, message).help(help).into());
    }
    let tags = inputs::read_tags(session, &args.tags_path)?;
    let Operators { functions, .. } =
        inputs::read_operators(session, &args.native_functions_path, &tags, &BTreeSet::new())?;
    let deprecated = inputs::read_deprecated(session, &args.deprecated_functions_path)?;
    let docs = read_docs(session, args)?;
    session.fail_on_errors(args.common.strict)?;
    let renderer = stub_templates(session, &args.common.template_dir)?;
    session.timings.lap("templates");
    let inputs = Inputs {
        functions: &functions,
        deprecated: &deprecated,
        tags: &tags,
        docs: &docs,
        renderer: &renderer,
        tables: &session.tables,
    };
    let made = files(&inputs);
    session.timings.lap("generate");
    let files = match made {
        Ok(files) => files,
        Err(Errors(errors)) => {
            session.diagnostics.extend(errors);
            return Err(JobError::Input);
        }
    };
    session.timings.count_rendered(&renderer);
    output::write_below(&args.common, MANAGER, &args.out, files, renderer, session)
}

/// The docstrings, as far as their files exist.
fn read_docs(session: &mut Session, args: &StubsArgs) -> Result<Docs, JobError> {
    let mut docs = Docs::default();
    let beside = || {
        let dirs = args.common.template_dir.iter().rev().map(|dir| dir.join("torch"));
        dirs.collect::<Vec<PathBuf>>()
    };
    let dirs = args.docs_dir.as_ref().map_or_else(beside, |dir| vec![dir.clone()]);
    for name in DOCUMENTATION {
        let Some(path) = dirs.iter().map(|dir| dir.join(name)).find(|path| session.seen.is_file(path)) else {
            let tried: Vec<String> = dirs.iter().map(|dir| format!("`{}`", dir.display())).collect();
            let message = format!("{name} is not in {}, so stubs have no docstrings from it", tried.join(" or "));
            session
                .diagnostics
                .push(Diagnostic::new(&codes::NO_DOCSTRING, message).help("name its directory with --docs-dir"));
            continue;
        };
        let Ok(text) = String::from_utf8(session.read_bytes(&path)?) else {
            let message = format!("`{}` is not valid UTF-8", path.display());
            session.diagnostics.push(Diagnostic::new(&codes::PYTHON_SYNTAX, message));
            continue;
        };
        let file = session.sources.add(path.to_string_lossy(), text);
        docs.add(file, session.sources.text(file), &mut session.diagnostics);
    }
    Ok(docs)
}

/// PyTorch's templates from the last directory that has them, and replacements of the tool's
/// own.
fn stub_templates(session: &mut Session, dirs: &[PathBuf]) -> Result<Renderer, JobError> {
    let mut renderer = Renderer::compiled("torch")?;
    session.overlay_folders(&mut renderer, dirs, &FOLDERS)?;
    let mut missing = Vec::new();
    let names: BTreeSet<&str> = FILES.iter().map(|(_, template)| *template).collect();
    for name in names {
        match dirs.iter().rev().map(|dir| dir.join(name)).find(|path| session.seen.exists(path)) {
            Some(path) => session.add_template(&mut renderer, name, &path)?,
            None => missing.push(missing_template(name, dirs)),
        }
    }
    if missing.is_empty() { Ok(renderer) } else { Err(JobError::Failed(missing)) }
}

fn missing_template(name: &str, dirs: &[PathBuf]) -> Diagnostic {
    let dirs: Vec<String> = dirs.iter().map(|dir: &PathBuf| format!("`{}`", Path::display(dir))).collect();
    Diagnostic::new(&codes::TEMPLATE, format!("there is no template {name} in {}", dirs.join(" or ")))
        .help("name a checkout of PyTorch with --template-dir")
}
