//! `torchgen-rs gen-pyi`: the job of PyTorch's tools/pyi/gen_pyi.py.
//!
//! Invariant: same flags, same files. Docstrings are parsed, not imported.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::docs::Docs;
use super::{FILES, Inputs, MANAGER, files};
use crate::diag::Diagnostic;
use crate::driver::family::GeneratorInfo;
use crate::driver::output;
use crate::driver::report::Summary;
use crate::driver::{JobError, Session};
use crate::families::torch::args::StubsArgs;
use crate::families::torch::codes;
use crate::families::torch::generators::{Errors, info};
use crate::families::torch::inputs::Operators;
use crate::render::Renderer;

/// The program in comments.
pub(super) const GENERATOR: &str = "tools/pyi/gen_pyi.py";

/// What `torchgen-rs list` prints.
#[rustfmt::skip]
pub(crate) const GENERATOR_INFO: GeneratorInfo = info!("gen-pyi", "stubs", "stubs of the modules in C++", &["torch/_C/__init__.pyi", "torch/_C/_VariableFunctions.pyi", "torch/_VF.pyi", "torch/return_types.pyi", "torch/_C/_nn.pyi", "torch/nn/functional.pyi"]);

/// The files with docstrings, in the order in which they are read.
const DOCUMENTATION: [&str; 2] = ["_torch_docs.py", "_tensor_docs.py"];

/// Folders of the tool's own templates, which may be beside PyTorch's.
const FOLDERS: [&str; 2] = ["torch/stubs", "write"];

/// Runs the job.
pub(crate) fn generate(args: &StubsArgs, session: &mut Session) -> Result<Summary, JobError> {
    let tags = session.read_tags(&args.tags_path)?;
    let Operators { functions, .. } = session.read_operators(&args.native_functions_path, &tags, &BTreeSet::new())?;
    let deprecated = session.read_deprecated(&args.deprecated_functions_path)?;
    let docs = session.read_docs(args)?;
    session.check(args.common.strict)?;
    let renderer = session.stub_templates(&args.template_dirs())?;
    session.timings.lap("templates");
    let inputs =
        Inputs { functions: &functions, deprecated: &deprecated, tags: &tags, docs: &docs, renderer: &renderer };
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
    output::write_below(&args.common, (MANAGER, &args.out), files, renderer, session)
}

impl Session {
    /// The docstrings, as far as their files exist.
    fn read_docs(&mut self, args: &StubsArgs) -> Result<Docs, JobError> {
        let mut docs = Docs::default();
        let beside = || {
            let dirs = args.template_dirs().into_iter().rev().map(|dir| dir.join("torch"));
            dirs.collect::<Vec<PathBuf>>()
        };
        let dirs = args.docs_dir.as_ref().map_or_else(beside, |dir| vec![dir.clone()]);
        for name in DOCUMENTATION {
            let Some(path) = dirs.iter().map(|dir| dir.join(name)).find(|path| self.seen.is_file(path)) else {
                let tried: Vec<String> = dirs.iter().map(|dir| format!("`{}`", dir.display())).collect();
                let message = format!("{name} is not in {}, so stubs have no docstrings from it", tried.join(" or "));
                self.diagnostics
                    .push(Diagnostic::new(&codes::NO_DOCSTRING, message).help("name its directory with --docs-dir"));
                continue;
            };
            let Ok(text) = String::from_utf8(self.read_bytes(&path)?) else {
                let message = format!("`{}` is not valid UTF-8", path.display());
                self.diagnostics.push(Diagnostic::new(&codes::PYTHON_SYNTAX, message));
                continue;
            };
            let file = self.sources.add(path.to_string_lossy(), text);
            docs.add(file, self.sources.text(file), &mut self.diagnostics);
        }
        Ok(docs)
    }

    /// PyTorch's templates from the last directory that has them, and replacements of the tool's
    /// own.
    fn stub_templates(&mut self, dirs: &[PathBuf]) -> Result<Renderer, JobError> {
        let mut renderer = Renderer::new("torch")?;
        self.overlay_folders(&mut renderer, dirs, &FOLDERS)?;
        let mut missing = Vec::new();
        let names: BTreeSet<&str> = FILES.iter().map(|(_, template)| *template).collect();
        for name in names {
            match dirs.iter().rev().map(|dir| dir.join(name)).find(|path| self.seen.exists(path)) {
                Some(path) => self.add_template(&mut renderer, name, &path)?,
                None => missing.push(missing_template(name, dirs)),
            }
        }
        if missing.is_empty() { Ok(renderer) } else { Err(JobError::Failed(missing)) }
    }
}

fn missing_template(name: &str, dirs: &[PathBuf]) -> Diagnostic {
    let dirs: Vec<String> = dirs.iter().map(|dir: &PathBuf| format!("`{}`", Path::display(dir))).collect();
    Diagnostic::new(&codes::TEMPLATE, format!("there is no template {name} in {}", dirs.join(" or ")))
        .help("name a checkout of PyTorch with --template-dir")
}
