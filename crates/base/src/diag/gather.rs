//! Runs several steps that can fail, and collects all their errors.
//!
//! Invariant: values and errors keep the order of the steps.

/// The values of all steps, or the errors of all that failed.
pub fn gather<T, E>(steps: impl IntoIterator<Item = Result<T, E>>) -> Result<Vec<T>, Vec<E>> {
    gather_lists(steps.into_iter().map(|step| step.map_err(Some)))
}

/// The same for steps that fail with several errors.
pub fn gather_lists<T, E>(
    steps: impl IntoIterator<Item = Result<T, impl IntoIterator<Item = E>>>,
) -> Result<Vec<T>, Vec<E>> {
    let (mut values, mut errors) = (Vec::new(), Vec::new());
    for step in steps {
        match step {
            Ok(value) => values.push(value),
            Err(more) => errors.extend(more),
        }
    }
    if errors.is_empty() { Ok(values) } else { Err(errors) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_errors_are_kept() {
        assert_eq!(gather::<_, u8>([Ok(1), Ok(2)]), Ok(vec![1, 2]));
        assert_eq!(gather([Ok(1), Err("a"), Ok(2), Err("b")]), Err(vec!["a", "b"]));
        assert_eq!(gather_lists([Err(vec!["a", "b"]), Ok(1), Err(vec!["c"])]), Err(vec!["a", "b", "c"]));
    }
}
