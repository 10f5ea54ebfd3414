//! The files of a family's site, in HTML or in Markdown, for `docs` and for `--emit docs`.
//!
//! Invariant: both formats have the same pages with the same texts; a picture is in its page in
//! HTML, and a file beside the pages of Markdown.

use std::collections::HashSet;

use serde::Serialize;

use super::args::CommonArgs;
use super::context::{FileContext, PlannedFile};
use super::family::{DocsFormat, DocsQuestion};
use super::output;
use super::report::Summary;
use super::{JobError, Session};
use crate::site::{Frame, Page, Site};
use torchgen_base::diag::Diagnostics;
use torchgen_base::render;
use torchgen_base::write::{Manager, OutputFile};

/// What the template of a page sees.
#[derive(Serialize)]
struct View<'s> {
    #[serde(flatten)]
    frame: Frame,
    /// The paths of the pages that all lead to, and the texts of these links.
    links: &'s [(String, String)],
    /// Whether it is one of them.
    is_linked: bool,
    has_figures: bool,
    page: &'s Page,
    /// Those that a search finds; the first page has it.
    pages: &'s [Page],
}

/// The folder of the pages beside the generated code.
const FOLDER: &str = "docs/";

/// The destination of `docs`.
const PAGES: Manager = Manager::new("docs", None);

/// The files of `--emit docs`: those of `docs --format markdown`.
///
/// # Errors
/// A replaced template fails.
pub fn emitted(site: &Site, context: FileContext<'_>) -> Result<Vec<OutputFile>, JobError> {
    files(site, FOLDER, DocsFormat::Markdown, context)
}

/// The first page in Markdown, as a file of its own: the report of a run. It leads to no other
/// page.
///
/// # Errors
/// A replaced template fails.
pub fn report(site: &Site, path: &str, context: FileContext<'_>) -> Result<OutputFile, JobError> {
    let page = &site.index;
    let frame = Frame::new(&site.name, &page.path);
    let view = View { frame, links: &[], is_linked: true, has_figures: false, page, pages: &site.pages };
    Ok(context.view_file(path, &template("index", "md"), &view)?)
}

/// Writes the site that a family makes.
///
/// # Errors
/// A replaced template fails, or a file cannot be written.
pub fn write(
    site: &Site,
    question: &DocsQuestion<'_>,
    common: &CommonArgs,
    session: &mut Session,
) -> Result<Summary, JobError> {
    // `check` reports warnings.
    session.diagnostics = Diagnostics::new();
    let renderer = session.renderer("kit", &common.template_dir)?;
    let files = files(site, "", question.format, FileContext::new(&renderer, PAGES))?;
    session.timings.lap("render");
    output::write_below(common, PAGES, question.dir, files, renderer, session)
}

fn files(site: &Site, below: &str, format: DocsFormat, context: FileContext<'_>) -> Result<Vec<OutputFile>, JobError> {
    let linked: Vec<&Page> = std::iter::once(&site.index).chain(&site.more).collect();
    let links: Vec<(String, String)> = linked.iter().map(|page| (page.path.clone(), page.kind.clone())).collect();
    let view = |page: &Page, pages: &[Page]| {
        let is_linked = linked.iter().any(|linked| std::ptr::eq(*linked, page));
        let frame = Frame::new(&site.name, &page.path);
        let has_figures = page.figures().next().is_some();
        render::View::new(&View { frame, links: &links, is_linked, has_figures, page, pages })
    };
    let index = view(&site.index, &site.pages);
    let others: Vec<(&Page, render::View)> = site.all_pages().skip(1).map(|page| (page, view(page, &[]))).collect();
    let figures: Vec<_> = match format {
        DocsFormat::Html => Vec::new(),
        DocsFormat::Markdown => {
            let mut known = HashSet::new();
            let all = site.all_pages().flat_map(Page::figures).filter(|figure| known.insert(figure.file()));
            all.map(|figure| (figure.file(), render::View::new(figure))).collect()
        }
    };
    let (ending, beside) = match format {
        DocsFormat::Html => ("html", ["style.css", "site.js"].as_slice()),
        DocsFormat::Markdown => ("md", ["SUMMARY.md"].as_slice()),
    };
    let file = |path: &str, template: String, view| PlannedFile::new(format!("{below}{path}"), template, view);
    let mut table = vec![file(&format!("index.{ending}"), template("index", ending), &index)];
    for (page, view) in &others {
        table.push(file(&format!("{}.{ending}", page.path), template("page", ending), view));
    }
    table.extend(beside.iter().map(|name| file(name, format!("kit/site/{name}.j2"), &index)));
    table.extend(figures.iter().map(|(name, view)| file(name, template("figure", "svg"), view)));
    context.make(table)
}

fn template(name: &str, ending: &str) -> String {
    format!("kit/site/{name}.{ending}.j2")
}
