//! The functions of a generated header, and what a call of one means for another.

/// A function.
pub(super) struct Function {
    pub(super) name: String,
    pub(super) parameters: Vec<Parameter>,
}

/// What it takes.
pub(super) struct Parameter {
    pub(super) ty: String,
    pub(super) name: String,
    pub(super) has_default: bool,
}

/// What becomes of the values of a call.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Each is what it was.
    Kept,
    Lost,
}

/// The functions that a header defines, one a line.
pub(super) fn read(header: &str) -> Vec<Function> {
    let function = |line: &str| {
        let (head, rest) = line.strip_prefix("inline ")?.strip_suffix(" {")?.split_once('(')?;
        let name = head.rsplit(' ').next()?.to_owned();
        let parameters = split(rest.rsplit_once(')')?.0).iter().map(|text| parameter(text)).collect();
        Some(Function { name, parameters })
    };
    header.lines().filter_map(function).filter(|function| function.name.starts_with("op")).collect()
}

/// The texts between commas that no bracket has.
fn split(text: &str) -> Vec<String> {
    let (mut depth, mut parts) = (0_i32, vec![String::new()]);
    let mut quoted = false;
    for c in text.chars() {
        quoted ^= c == '"';
        depth += i32::from(matches!(c, '<' | '(' | '{')) - i32::from(matches!(c, '>' | ')' | '}'));
        match (c, parts.last_mut()) {
            (',', _) if depth == 0 && !quoted => parts.push(String::new()),
            (c, Some(last)) => last.push(c),
            _ => {}
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

fn parameter(text: &str) -> Parameter {
    let (declared, default) = text.split_once(" = ").map_or((text, None), |(text, default)| (text, Some(default)));
    let (ty, name) = declared.trim().rsplit_once(' ').expect("a type and a name");
    Parameter { ty: ty.to_owned(), name: name.to_owned(), has_default: default.is_some() }
}

/// The number of an operator: `op12_outf` is of the twelfth.
pub(super) fn operator(name: &str) -> usize {
    let digits: String = name.trim_start_matches("op").chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("`{name}` has no number"))
}

impl Function {
    pub(super) fn operator(&self) -> usize {
        operator(&self.name)
    }

    /// A call with that many values.
    pub(super) fn call(&self, count: usize) -> String {
        let values: Vec<String> =
            self.parameters[..count].iter().map(|one| format!("std::declval<{}>()", one.ty)).collect();
        format!("{}({})", self.name, values.join(", "))
    }

    /// What a call with that many values means for another function, if that takes it. Names are
    /// those of the new state.
    pub(super) fn meaning(&self, other: &Function, count: usize, renamed: &dyn Fn(&str) -> String) -> Meaning {
        let has_rest = other.parameters.len() >= count && other.parameters[count..].iter().all(|one| one.has_default);
        let keeps = |(old, new): (&Parameter, &Parameter)| {
            renamed(&old.name) == new.name && !is_lossy(plain(&old.ty), plain(&new.ty))
        };
        let all = || self.parameters[..count].iter().zip(&other.parameters).all(keeps);
        if has_rest && all() { Meaning::Kept } else { Meaning::Lost }
    }
}

/// The type in a reference or an optional.
fn plain(ty: &str) -> &str {
    let ty = ty.trim_start_matches("const ").trim_end_matches('&').trim();
    ty.strip_prefix("::std::optional<").and_then(|ty| ty.strip_suffix('>')).unwrap_or(ty)
}

/// Whether C++ converts, and the value is not the same: among numbers, and to a list of one.
fn is_lossy(old: &str, new: &str) -> bool {
    const NUMBERS: [&str; 3] = ["int64_t", "double", "bool"];
    let is_list = |ty: &str| ["ArrayRef", "TensorList"].iter().any(|word| ty.contains(word));
    (NUMBERS.contains(&old) && NUMBERS.contains(&new) && old != new) || (is_list(new) && !is_list(old))
}
