//! The explanations of codes: the pages in `docs/diagnostics`.
//!
//! Invariant: every code of a released family has a page with the title `# TG0123 its-name`; tests
//! check this, and tests/fast/explanations.rs runs the examples. The one-line summaries are in
//! `codes`.

use serde::Serialize;

use super::CodeInfo;

/// A page without its title.
pub fn body(page: &'static str) -> &'static str {
    page.split_once('\n').map_or("", |(_, body)| body).trim_matches('\n')
}

/// What a page says, or the summary of a code without one.
fn explanation(code: &CodeInfo, page: Option<&'static str>) -> &'static str {
    page.map_or(code.summary, body)
}

/// The explanation as printed: code blocks are indented, without their fences.
pub fn text(code: &CodeInfo, page: Option<&'static str>) -> String {
    let mut text = format!("{} {} ({})\n\n", code.id, code.name, code.severity.as_str());
    let mut in_example = false;
    for line in explanation(code, page).lines() {
        if line.starts_with("```") {
            in_example = !in_example;
            continue;
        }
        match line.strip_prefix("## ") {
            Some(heading) if !in_example => text.push_str(&format!("{heading}:\n")),
            _ if in_example && !line.is_empty() => text.push_str(&format!("    {line}\n")),
            _ => text.push_str(&format!("{line}\n")),
        }
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
    /// The page, in Markdown with its examples.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<&'a str>,
}

/// The code as a JSON object on one line; with its explanation if its page is given, which can be
/// missing.
pub fn json(code: &CodeInfo, page: Option<Option<&'static str>>) -> String {
    let facts = Facts {
        code: code.id,
        name: code.name,
        severity: code.severity.as_str(),
        summary: code.summary,
        explanation: page.map(|page| explanation(code, page)),
    };
    let mut text = serde_json::to_string(&facts).expect("strings and numbers always serialize");
    text.push('\n');
    text
}
