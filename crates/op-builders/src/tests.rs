//! Tests: the ids of diagnostics ascend, and their summaries are sentences.

use super::codes;

#[test]
fn codes_are_in_order() {
    assert!(codes::ALL.windows(2).all(|pair| pair[0].id < pair[1].id), "ids must ascend");
    for code in codes::ALL {
        assert!(code.summary.ends_with('.'), "{}", code.summary);
    }
}
