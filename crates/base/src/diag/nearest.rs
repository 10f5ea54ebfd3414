//! Suggestions for misspelt names.
//!
//! Invariant: the answer depends only on the names and their order; of equally near names one that
//! begins alike wins, then the first.

/// The candidate nearest to `name`, if one is near enough to be likely.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = fold(name);
    let limit = (name.chars().count().max(3) / 3).min(6);
    let mut best: Option<((usize, bool), &str)> = None;
    for candidate in candidates {
        if candidate == name {
            continue;
        }
        let other = fold(candidate);
        let distance = strsim::osa_distance(&folded, &other);
        let rank = (distance, folded.chars().next() != other.chars().next());
        if distance <= limit && best.is_none_or(|(least, _)| rank < least) {
            best = Some((rank, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The same, as a sentence for `help:`.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(name, candidates).map(|found| format!("did you mean `{found}`?"))
}

/// Ignores case and dashes, the commonest mistakes.
fn fold(name: &str) -> String {
    name.chars().map(|c| if c == '-' { '_' } else { c.to_ascii_lowercase() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_names() {
        let known = ["structured", "structured_delegate", "dispatch", "CPU", "CUDA"];
        for (name, expected) in [
            ("structured_deligate", Some("structured_delegate")),
            ("dipsatch", Some("dispatch")),
            ("cuda", Some("CUDA")),
            ("CPUU", Some("CPU")),
            ("Structured-Delegate", Some("structured_delegate")),
            ("banana", None),
            ("", None),
            ("CPU", None),
        ] {
            assert_eq!(nearest(name, known), expected, "{name}");
        }
        assert_eq!(nearest("mull", ["full", "mul"]), Some("mul"));
        assert_eq!(did_you_mean("cpu", known).as_deref(), Some("did you mean `CPU`?"));
    }
}
