//! Literals of C++.
//!
//! Invariant: a literal reads back as the text it was made from. Rule: torchgen/gen.py,
//! `cpp_string`.

/// A string literal. Characters that C++ allows in a literal are unchanged.
pub fn cpp_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        let escaped = match c {
            '\\' | '"' => c,
            '\u{7}' => 'a',
            '\u{8}' => 'b',
            '\u{b}' => 'v',
            '\u{c}' => 'f',
            '\n' => 'n',
            '\t' => 't',
            c => {
                out.push(c);
                continue;
            }
        };
        out.extend(['\\', escaped]);
    }
    out.push('"');
    out
}

/// An initializer list: the items in braces.
pub(crate) fn braced(items: &str) -> String {
    let mut list = String::with_capacity(items.len() + 2);
    list.push('{');
    list.push_str(items);
    list.push('}');
    list
}

#[cfg(test)]
mod tests {
    use super::cpp_string;

    #[test]
    fn strings() {
        for (text, expected) in [
            ("abs(Tensor self) -> Tensor", r#""abs(Tensor self) -> Tensor""#),
            (r#"f(str a="\"'\\") -> ()"#, r#""f(str a=\"\\\"'\\\\\") -> ()""#),
            ("a\n\t\u{7}\u{b}é\r", "\"a\\n\\t\\a\\vé\r\""),
        ] {
            assert_eq!(cpp_string(text), expected);
        }
    }
}
