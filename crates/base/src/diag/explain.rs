//! The explanations of codes: the sections of the families' pages.
//!
//! Invariant: every code has a section under the heading `## TG0123 its-name`; tests check this,
//! and tests/fast/explanations.rs runs the examples. The one-line summaries are in `codes`.

use serde::Serialize;

use super::CodeInfo;

/// The section of a code without its heading, in the first page that has one; `None` if none has.
pub fn section(code: &CodeInfo, pages: &[&'static str]) -> Option<&'static str> {
    pages.iter().find_map(|page| section_of(code, page))
}

fn section_of(code: &CodeInfo, page: &'static str) -> Option<&'static str> {
    let heading = format!("## {} {}\n", code.id, code.name);
    let start = page.find(&heading)? + heading.len();
    let rest = &page[start..];
    Some(rest.find("\n## ").map_or(rest, |end| &rest[..end]).trim_matches('\n'))
}

/// The explanation as printed: code blocks are indented, without their fences.
pub fn text(code: &CodeInfo, pages: &[&'static str]) -> String {
    let mut text = format!("{} {} ({})\n\n", code.id, code.name, code.severity.as_str());
    let mut in_example = false;
    for line in section(code, pages).unwrap_or(code.summary).lines() {
        if let Some(info) = line.strip_prefix("```") {
            in_example = !in_example;
            if in_example {
                text.push_str(if info.contains("wrong") { "Wrong:\n\n" } else { "Right:\n\n" });
            }
            continue;
        }
        let indent = if in_example && !line.is_empty() { "    " } else { "" };
        text.push_str(&format!("{indent}{line}\n"));
    }
    text
}

/// What `--json` prints of a code.
#[derive(Serialize)]
struct Facts<'a> {
    code: &'a str,
    name: &'a str,
    severity: &'a str,
    summary: &'a str,
    /// The section of the page, in Markdown with its examples.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<&'a str>,
}

/// The code as a JSON object on one line, with its section if pages are given.
pub fn json(code: &CodeInfo, pages: Option<&[&'static str]>) -> String {
    let facts = Facts {
        code: code.id,
        name: code.name,
        severity: code.severity.as_str(),
        summary: code.summary,
        explanation: pages.map(|pages| section(code, pages).unwrap_or(code.summary)),
    };
    let mut text = serde_json::to_string(&facts).expect("strings and numbers always serialize");
    text.push('\n');
    text
}
