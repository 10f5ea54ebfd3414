//! The C++ names and required parameters of functions, so that no two declarations are the same and
//! no call with exact types is ambiguous.
//!
//! Overloads of an operator are overloads in C++. Invariant: of two overloads, the first one in
//! order of the table keeps its name and defaults, as far as there is a choice.

use std::collections::HashMap;

/// A function as far as overload resolution sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shape<T> {
    /// The preferred name.
    pub(super) name: String,
    /// The name that no other overload has.
    pub(super) unambiguous: String,
    /// The types of the parameters.
    pub(super) types: Vec<T>,
    /// How many parameters have no default.
    pub(super) required: usize,
}

impl<T: PartialEq> Shape<T> {
    /// The first number of arguments with which a call could be of either; `None` if there is none.
    fn clash(&self, other: &Shape<T>) -> Option<usize> {
        if self.name != other.name {
            return None;
        }
        let least = self.required.max(other.required);
        let most = self.types.len().min(other.types.len());
        let same = self.types.iter().zip(&other.types).take_while(|(a, b)| a == b).count();
        // With more arguments than the first difference, the types decide.
        (least <= most && least <= same).then_some(same.min(most))
    }
}

/// Gives every function a name and required parameters of its own.
pub(super) fn settle<T: PartialEq>(shapes: &mut [Shape<T>]) {
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    for at in 0..shapes.len() {
        let earlier = by_name.entry(shapes[at].name.clone()).or_default();
        for &before in earlier.iter() {
            let Some(count) = shapes[at].clash(&shapes[before]) else { continue };
            if count < shapes[at].types.len() {
                shapes[at].required = count + 1;
            } else if count < shapes[before].types.len() {
                shapes[before].required = count + 1;
            } else {
                shapes[at].name = shapes[at].unambiguous.clone();
                break;
            }
        }
        earlier.push(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(overload: &str, types: &[&'static str], required: usize) -> Shape<&'static str> {
        let types = types.to_vec();
        Shape { name: "f".to_owned(), unambiguous: format!("f_{overload}"), types, required }
    }

    fn settled(mut shapes: Vec<Shape<&'static str>>) -> Vec<(String, usize)> {
        settle(&mut shapes);
        shapes.into_iter().map(|shape| (shape.name, shape.required)).collect()
    }

    #[test]
    fn different_types_need_nothing() {
        let shapes = vec![shape("a", &["T", "int"], 1), shape("b", &["T", "T"], 2)];
        assert_eq!(settled(shapes), [("f".to_owned(), 1), ("f".to_owned(), 2)]);
    }

    #[test]
    fn defaults_that_make_calls_ambiguous_are_left_out() {
        let shapes = vec![shape("a", &["T", "bool"], 1), shape("b", &["T", "int", "int"], 1)];
        assert_eq!(settled(shapes), [("f".to_owned(), 1), ("f".to_owned(), 2)]);
        let shapes = vec![shape("a", &["T", "bool"], 1), shape("b", &["T"], 1)];
        assert_eq!(settled(shapes), [("f".to_owned(), 2), ("f".to_owned(), 1)]);
    }

    #[test]
    fn equal_declarations_get_another_name() {
        let shapes = vec![shape("a", &["T", "int"], 2), shape("b", &["T", "int"], 1)];
        assert_eq!(settled(shapes), [("f".to_owned(), 2), ("f_b".to_owned(), 1)]);
    }
}
