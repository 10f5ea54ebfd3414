//! Tests: the page of diagnostics has a section for every code, and ids ascend.

use super::codes;
use torchgen_base::diag::explain;

const PAGE: &str = include_str!("../diagnostics.md");

#[test]
fn every_code_is_explained() {
    let headings: Vec<&str> = PAGE.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let expected: Vec<String> = codes::ALL.iter().map(|code| format!("{} {}", code.id, code.name)).collect();
    assert_eq!(headings, expected, "diagnostics.md has the codes in order");
    for code in codes::ALL {
        assert!(explain::section(code, &[PAGE]).is_some_and(|text| text.contains("```yaml wrong")), "{}", code.id);
        assert!(code.summary.ends_with('.'), "{}", code.summary);
    }
}
