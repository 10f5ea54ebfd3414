//! Lists in C++.

/// An initializer list: the items in braces.
pub(crate) fn braced(items: &str) -> String {
    let mut list = String::with_capacity(items.len() + 2);
    list.push('{');
    list.push_str(items);
    list.push('}');
    list
}
