//! `torchgen-rs docs`: a site about a library's operators, or the same in Markdown; an explorer of
//! PyTorch's.
//!
//! Data flows `facts -> view -> templates`: [`view`] has the pages of a library. Of PyTorch's
//! operators, [`explorer`] has the data of all, [`detail`] those of a page, [`changed`] what
//! changed since an older torch, and [`resolved`] the kernel of each key. [`works`] has what each
//! operator works with. What sites of all families share is in `torchgen_kit::site`.
//!
//! Invariant: what authors wrote is text in every page, since templates whose names end in
//! `.html.j2` escape it. No page loads anything from elsewhere, and all work from files, without a
//! server.

mod changed;
mod detail;
mod explorer;
mod resolved;
mod texts;
mod view;
mod works;

use std::path::PathBuf;

use clap::Args;
use indexmap::IndexMap;
use serde::Serialize;

use self::changed::Changes;
use self::explorer::Explorer;
use self::view::{OfLibrary, Site};
use super::diff::Compared;
use super::diff::side::Side;
use super::facts::input::{self, Input, Wanted};
use super::facts::traced;
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::render::Renderer;
use torchgen_base::write::{Manager, OutputFile};
use torchgen_generators::args::{ExplainFlags, LayoutChoice, ReleaseArgs};
use torchgen_generators::layout::Layout;
use torchgen_kit::driver::args::{CommonArgs, INPUT};
use torchgen_kit::driver::family::{DocsFormat, DocsQuestion};
use torchgen_kit::driver::output;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};
use torchgen_library::kernels::test_skeletons::tests_that_name;
use torchgen_library::library::{batching_kind, works_with};
use torchgen_model::{codes, release};

/// The flags of `docs` for sources that name no family.
#[derive(Debug, Clone, Args)]
pub(crate) struct DocsFlags {
    /// Layout of the source path, if its files do not show it
    #[arg(long, value_enum, help_heading = INPUT, hide_short_help = true)]
    layout: Option<LayoutChoice>,
    /// Directory with derivatives.yaml, deprecated.yaml and templates/
    ///
    /// In the ATen layout. The default is SOURCE_PATH/../../../tools/autograd, if it exists.
    #[arg(long, value_name = "DIR", help_heading = INPUT)]
    autograd_dir: Option<PathBuf>,
    /// The version of torch.
    #[command(flatten)]
    release: ReleaseArgs,
}

impl From<DocsFlags> for ExplainFlags {
    fn from(DocsFlags { layout, autograd_dir, release }: DocsFlags) -> ExplainFlags {
        ExplainFlags { layout, autograd_dir, release }
    }
}

/// The manager of the pages.
const PAGES: Manager = Manager::new("docs", None);

/// Writes the site.
pub(super) fn write_docs(
    question: &DocsQuestion<'_>,
    flags: &ExplainFlags,
    common: &CommonArgs,
    session: &mut Session,
) -> Result<Summary, JobError> {
    let wanted = Wanted {
        source: question.source,
        layout: flags.layout,
        autograd_dir: flags.autograd_dir.as_deref(),
        torch: flags.release.torch,
        backend: None,
        lazy: false,
        without_keys: &input::ALL_KEYS,
    };
    let layout = input::settle(&wanted, session)?;
    if layout == Layout::Aten && question.format == DocsFormat::Markdown {
        let error = Diagnostic::new(&codes::USAGE, "PyTorch's operators have an explorer, and no pages in Markdown");
        return Err(error.help("leave out `--format`").into());
    }
    if let (Layout::Library, Some(from)) = (layout, question.from) {
        let error = Diagnostic::new(&codes::USAGE, "`--from` is a torch to compare PyTorch's operators with");
        return Err(error.help(format!("`torchgen-rs breaking --against {from}` compares libraries")).into());
    }
    let tables = session.tables.clone();
    let input = Input::read_operators(&wanted, layout, &tables, session)?;
    session.check_errors()?;
    let compared = match question.from {
        Some(from) => {
            let own = Side::of_source(question.source, input.formulas(), release::settled(session));
            Some(Compared::read_since(from, own, session)?)
        }
        None => None,
    };
    let mut things = input.things(|_| true, session)?;
    session.check_errors()?;
    let of_library = of_library(&input, session)?;
    if question.outputs {
        traced(&mut things, |thing| thing.facts.of_operator().is_some(), input, common, session)?;
        session.timings.lap("outputs");
    }
    // `check` reports warnings.
    session.diagnostics = Diagnostics::new();
    let renderer = session.renderer("torch", &common.template_dir)?;
    let files = match (layout, question.format) {
        (Layout::Aten, _) => {
            let version = release::settled(session).map(|torch| format!(" {torch}")).unwrap_or_default();
            let changes = compared.as_ref().map(Changes::new);
            explorer(&Explorer::new(&format!("PyTorch{version}"), &things, changes.as_ref()), &renderer)?
        }
        (Layout::Library, format) => site(&Site::new(&things, &of_library), format, &renderer)?,
    };
    session.timings.lap("render");
    output::write_below(common, PAGES, question.dir, files, renderer, session)
}

/// What is known of a library's operators beside their facts.
fn of_library(input: &Input<'_>, session: &mut Session) -> Result<IndexMap<String, OfLibrary>, JobError> {
    let Some((source, settings)) = input.library() else { return Ok(IndexMap::new()) };
    let mut tests = tests_that_name(source, session)?;
    let own = input.functions().zip(works_with(input.functions(), settings));
    let known = own.map(|(f, torch)| {
        let name = f.full_name();
        let tests = tests.swap_remove(&name).unwrap_or_default();
        (name, OfLibrary { batching: batching_kind(f), torch, tests })
    });
    Ok(known.collect())
}

/// The files of an explorer.
fn explorer(explorer: &Explorer, renderer: &Renderer) -> Result<Vec<OutputFile>, JobError> {
    let mut files = rendered(&EXPLORER_FILES, explorer, renderer)?;
    if explorer.is_compared() {
        files.extend(rendered(&COMPARED_FILES, explorer, renderer)?);
    }
    for (path, data) in explorer.data() {
        let text = renderer.fragment("torch/site/data.js.j2", &data)?;
        files.push(OutputFile::new(PAGES, path, text));
    }
    Ok(files)
}

/// The files of a library's site: those about all operators, and one for each name.
fn site(site: &Site, format: DocsFormat, renderer: &Renderer) -> Result<Vec<OutputFile>, JobError> {
    let (files, page): (&[_], _) = match format {
        DocsFormat::Html => (&HTML_FILES, "html"),
        DocsFormat::Markdown => (&MARKDOWN_FILES, "md"),
    };
    let mut made = rendered(files, &site.index(), renderer)?;
    let template = format!("torch/site/operator.{page}.j2");
    for of_name in &site.pages {
        let text = renderer.fragment(&template, of_name)?;
        made.push(OutputFile::new(PAGES, format!("operators/{}.{page}", of_name.file), text));
    }
    Ok(made)
}

/// Files that templates make of one view.
fn rendered<V: Serialize>(files: &[(&str, &str)], view: &V, renderer: &Renderer) -> Result<Vec<OutputFile>, JobError> {
    let file = |(path, template): &(&str, &str)| Ok(OutputFile::new(PAGES, *path, renderer.fragment(template, view)?));
    files.iter().map(file).collect()
}

/// The files of an explorer, but for its data.
const EXPLORER_FILES: [(&str, &str); 10] = [
    ("index.html", "torch/site/explorer.html.j2"),
    ("operator.html", "torch/site/explored.html.j2"),
    ("works.html", "torch/site/overview.html.j2"),
    ("coverage.html", "torch/site/coverage.html.j2"),
    ("style.css", "kit/site/style.css.j2"),
    ("site.js", "kit/site/site.js.j2"),
    ("explorer.js", "torch/site/explorer.js.j2"),
    ("graph.js", "torch/site/graph.js.j2"),
    ("operator.js", "torch/site/operator.js.j2"),
    ("pages.js", "torch/site/pages.js.j2"),
];

/// What an explorer has besides if it is compared with an older torch.
const COMPARED_FILES: [(&str, &str); 2] =
    [("changes.html", "torch/site/changes.html.j2"), ("changes.js", "torch/site/changes.js.j2")];

/// What a browser shows.
const HTML_FILES: [(&str, &str); 5] = [
    ("index.html", "torch/site/index.html.j2"),
    ("works.html", "torch/site/works.html.j2"),
    ("objects.inv", "torch/site/objects.inv.j2"),
    ("style.css", "kit/site/style.css.j2"),
    ("site.js", "kit/site/site.js.j2"),
];

/// What tools make sites of.
const MARKDOWN_FILES: [(&str, &str); 3] = [
    ("index.md", "torch/site/index.md.j2"),
    ("works.md", "torch/site/works.md.j2"),
    ("SUMMARY.md", "torch/site/SUMMARY.md.j2"),
];
