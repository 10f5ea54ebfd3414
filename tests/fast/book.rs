//! The documentation as a whole: links lead to pages and headings that exist, every page is
//! reachable from README, and `docs/SUMMARY.md`, the contents of the book, lists every page.
//!
//! What pages say is tested where the program is: this module reads Markdown only.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use libtest_mimic::Trial;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};
use regex::Regex;

use crate::root;
use crate::rules::{check, files, read};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        links_lead_somewhere,
        dead_links_are_found,
        every_page_is_reachable,
        the_summary_lists_every_page,
        the_page_of_cmake_has_all_functions
    ]
}

/// The contents of the book.
const SUMMARY: &str = "docs/SUMMARY.md";

/// Directories with Markdown.
const WITH_PAGES: [&str; 7] = ["docs", "crates", "examples", "families", "templates", "tests", "bench"];

/// A file of Markdown.
#[derive(Debug, Default)]
struct Page {
    /// The identifiers of its headings, as GitHub and mdBook make them.
    anchors: BTreeSet<String>,
    /// The level of each heading.
    levels: Vec<usize>,
    /// What its links lead to, with the lines.
    links: Vec<(usize, String)>,
    /// References without a definition, with the lines.
    undefined: Vec<(usize, String)>,
}

impl Page {
    fn of(text: &str) -> Page {
        let line = |at: usize| text[..at].matches('\n').count() + 1;
        let mut page = Page::default();
        let mut undefined = Vec::new();
        let mut note = |link: pulldown_cmark::BrokenLink<'_>| {
            if matches!(link.link_type, LinkType::Reference | LinkType::Collapsed) {
                undefined.push((line(link.span.start), link.reference.to_string()));
            }
            None
        };
        let options = Options::ENABLE_TABLES | Options::ENABLE_GFM;
        let parser = Parser::new_with_broken_link_callback(text, options, Some(&mut note)).into_offset_iter();
        let mut heading: Option<String> = None;
        for (event, range) in parser {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push((line(range.start), dest_url.into_string()));
                }
                Event::Start(Tag::Heading { level, .. }) => {
                    page.levels.push(level as usize);
                    heading = Some(String::new());
                }
                Event::End(TagEnd::Heading(_)) => page.add(&heading.take().unwrap_or_default()),
                Event::InlineHtml(html) => {
                    let id = html.split_once("id=\"").and_then(|(_, rest)| rest.split_once('"'));
                    page.anchors.extend(id.map(|(id, _)| id.to_owned()));
                }
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                _ => {}
            }
        }
        page.undefined = undefined;
        page
    }

    fn add(&mut self, heading: &str) {
        let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        let name: String = kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect();
        let further = (1..).map(|i| format!("{name}-{i}")).find(|name| !self.anchors.contains(name));
        let name = if self.anchors.contains(&name) { further.expect("a free number") } else { name };
        self.anchors.insert(name);
    }
}

/// All pages of the project, by their paths.
static PAGES: LazyLock<BTreeMap<String, Page>> = LazyLock::new(|| {
    let top = std::fs::read_dir(root()).expect("a readable directory");
    let top = top.map(|entry| entry.expect("a readable entry").file_name().to_string_lossy().into_owned());
    let below = WITH_PAGES.iter().flat_map(|dir| files(dir, ".md"));
    let paths = top.filter(|name| name.ends_with(".md")).chain(below);
    paths.map(|path| (path.clone(), Page::of(&read(&path)))).collect()
});

/// The pages of the book.
fn of_the_book() -> BTreeSet<&'static str> {
    PAGES.keys().map(String::as_str).filter(|path| path.starts_with("docs/") && *path != SUMMARY).collect()
}

/// Where a link leads, as a path from the root and a heading; none if it leaves the project.
fn target(from: &str, link: &str) -> Option<(String, Option<String>)> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor.to_owned())));
    if path.is_empty() {
        return Some((from.to_owned(), anchor));
    }
    let mut whole = PathBuf::new();
    for part in Path::new(from).parent().unwrap_or(Path::new("")).join(path).components() {
        match part {
            Component::ParentDir if whole.pop() => {}
            other => whole.push(other),
        }
    }
    Some((whole.to_string_lossy().into_owned(), anchor))
}

/// What is wrong with the links of a page.
fn dead_links(from: &str, page: &Page, pages: &BTreeMap<String, Page>) -> Vec<String> {
    let in_book = from.starts_with("docs/");
    let mut dead: Vec<String> =
        page.undefined.iter().map(|(line, name)| format!("{from}:{line}: `[{name}]` is not defined")).collect();
    for (line, link) in &page.links {
        let Some((path, anchor)) = target(from, link) else { continue };
        let place = format!("{from}:{line}");
        let wrong = match (pages.get(&path), anchor) {
            _ if in_book && !path.starts_with("docs/") => "leaves the book: write the path as code",
            (Some(page), Some(anchor)) if !page.anchors.contains(&anchor) => "the page lacks this heading",
            (None, _) if !root().join(&path).exists() => "the file does not exist",
            // The book takes pictures along.
            (None, _) if in_book && !path.starts_with("docs/pictures/") => "not a page of the book",
            _ => continue,
        };
        dead.push(format!("{place}: `{link}`: {wrong}"));
    }
    dead
}

fn links_lead_somewhere() {
    let dead: Vec<String> = PAGES.iter().flat_map(|(from, page)| dead_links(from, page, &PAGES)).collect();
    check("links lead to pages and headings that exist", &dead);
}

fn dead_links_are_found() {
    let text = "# A `b`: c\n\n[fine](#a-b-c) [dead](#a)\n[file](no.md) [out](../README.md) [x][y] <https://a.b>\n";
    let pages = BTreeMap::from([("docs/a.md".to_owned(), Page::of(text))]);
    let expected = [
        "docs/a.md:4: `[y]` is not defined",
        "docs/a.md:3: `#a`: the page lacks this heading",
        "docs/a.md:4: `no.md`: the file does not exist",
        "docs/a.md:4: `../README.md`: leaves the book: write the path as code",
    ];
    assert_eq!(dead_links("docs/a.md", &pages["docs/a.md"], &pages), expected);
}

/// The contents of the book are left out: on GitHub, readers go from page to page.
fn every_page_is_reachable() {
    let mut reached = BTreeSet::from(["README.md".to_owned()]);
    let mut new = vec!["README.md".to_owned()];
    while let Some(from) = new.pop() {
        let links = PAGES[&from].links.iter().filter_map(|(_, link)| target(&from, link));
        for (path, _) in links.filter(|(path, _)| path != SUMMARY && PAGES.contains_key(path)) {
            if reached.insert(path.clone()) {
                new.push(path);
            }
        }
    }
    let missing: Vec<String> =
        of_the_book().into_iter().filter(|page| !reached.contains(*page)).map(str::to_owned).collect();
    check("every page is reachable from README.md by links: docs/README.md lists them", &missing);
}

fn the_summary_lists_every_page() {
    let links = PAGES[SUMMARY].links.iter().filter_map(|(_, link)| target(SUMMARY, link));
    let listed: Vec<String> = links.map(|(path, _)| path).collect();
    let mut violations: Vec<String> = of_the_book()
        .into_iter()
        .filter(|page| listed.iter().filter(|path| path == page).count() != 1)
        .map(|page| format!("{page} is not listed once"))
        .collect();
    for page in of_the_book() {
        let titles = PAGES[page].levels.iter().filter(|level| **level == 1).count();
        if titles != 1 || PAGES[page].levels.first() != Some(&1) {
            violations.push(format!("{page} does not begin with its only title"));
        }
    }
    check("docs/SUMMARY.md lists every page of the book once", &violations);
}

/// Functions for users, and the arguments that they read.
fn the_page_of_cmake_has_all_functions() {
    let (module, page) = (read("cmake/TorchgenRsConfig.cmake"), read("docs/cmake.md"));
    let regex = |text: &str| Regex::new(text).expect("a regex");
    let functions = regex(r"(?m)^(?:function|macro)\((torchgen_\w+)");
    let parsed = regex(r"cmake_parse_arguments\(PARSE_ARGV \d \w+ ([^)]*)\)");
    let names = functions.captures_iter(&module).map(|found| format!("## {}", &found[1]));
    let lists: Vec<String> = parsed.captures_iter(&module).map(|found| found[1].to_owned()).collect();
    let words = lists.iter().flat_map(|list| list.split(['"', ';', ' ', '\n'])).filter(|word| !word.is_empty());
    let words = words.map(|word| format!("| `{word}"));
    let missing: Vec<String> = names.chain(words).filter(|name| !page.contains(name)).collect();
    assert!(lists.len() > 1);
    check("docs/cmake.md has every function of the module and its arguments", &missing);
}
