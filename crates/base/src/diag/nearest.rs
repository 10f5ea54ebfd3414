//! Suggestions for misspelt names.
//!
//! Invariant: the answer depends only on the names and their order; of equally near names one that
//! begins alike wins, then the first. It is certain if no other name is near enough.

use strsim::osa_distance;

use super::Help;

/// The candidate nearest to `name`, if one is near enough to be likely.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(name, candidates).map(|(found, _)| found)
}

/// The same, and whether it is the only one that is near enough.
fn nearest_of<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<(&'a str, bool)> {
    let folded = fold(name);
    let limit = (name.chars().count().max(3) / 3).min(6);
    let mut best: Option<((usize, bool), &str)> = None;
    let mut is_only = true;
    for candidate in candidates {
        if candidate == name {
            continue;
        }
        let other = fold(candidate);
        let distance = distance(&folded, &other);
        let rank = (distance, folded.chars().next() != other.chars().next());
        if distance > limit {
            continue;
        }
        is_only &= best.is_none_or(|(_, other)| other == candidate);
        if best.is_none_or(|(least, _)| rank < least) {
            best = Some((rank, candidate));
        }
    }
    best.map(|(_, candidate)| (candidate, is_only))
}

/// The same as a help that replaces the name in the place of its diagnostic; that is certain if
/// there is one candidate.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<Help> {
    nearest_of(name, candidates).map(|(found, is_only)| meant(name, found).certainly_if(is_only))
}

/// The same of a name that a text shows with more around it: `shown` of the nearest one is in the
/// help, and `written` of it replaces the name.
pub fn did_you_mean_as<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    shown: impl Fn(&str) -> String,
    written: impl Fn(&str) -> String,
) -> Option<Help> {
    let help = |(found, is_only): (&str, bool)| {
        let help = Help::new(format!("did you mean `{}`?", shown(found)));
        help.word(name, written(found)).certainly_if(is_only)
    };
    nearest_of(name, candidates).map(help)
}

/// "did you mean `this`?", in place of a name.
pub fn meant(name: &str, found: &str) -> Help {
    Help::new(format!("did you mean `{found}`?")).word(name, found)
}

/// Ignores case and dashes, the commonest mistakes.
fn fold(name: &str) -> String {
    name.chars().map(|c| if c == '-' { '_' } else { c.to_ascii_lowercase() }).collect()
}

/// The number of mistakes that make one name another. `f` for `ph` is none: `alfa` is `alpha`.
fn distance(name: &str, other: &str) -> usize {
    let sound = |text: &str| text.replace("ph", "f");
    osa_distance(name, other).min(osa_distance(&sound(name), &sound(other)))
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
        assert_eq!(nearest("alhpa", ["beta", "alpha"]), Some("alpha"));
        assert_eq!(nearest("alfa", ["beta", "alpha"]), Some("alpha"));
        assert_eq!(nearest("mull", ["full", "mul"]), Some("mul"));
        assert_eq!(did_you_mean("cpu", known).as_deref(), Some("did you mean `CPU`?"));
        for (name, expected) in [("CPUU", true), ("structured_deligate", true), ("mull", false)] {
            let found = nearest_of(name, known.into_iter().chain(["full", "mul"]));
            assert_eq!(found.map(|(_, is_only)| is_only), Some(expected), "{name}");
        }
    }
}
