//! Random schemas, each with an edit that its author could make.

use crate::support::random::Random;

/// Types with defaults.
const TYPES: [(&str, &[&str]); 15] = [
    ("int", &["1", "2"]),
    ("int?", &["None", "1"]),
    ("SymInt", &["1"]),
    ("float", &["1.0", "0.5"]),
    ("float?", &["None"]),
    ("bool", &["True", "False"]),
    ("Scalar", &["1"]),
    ("int[]", &["[]", "[1, 2]"]),
    ("SymInt[]", &[]),
    ("int[2]", &["1"]),
    ("str", &["\"a\"", "\"b\""]),
    ("Tensor?", &["None"]),
    ("ScalarType?", &["None"]),
    ("Tensor", &[]),
    ("Tensor[]", &[]),
];

/// What C++ takes together, by the names.
const OPTIONS: [(&str, &str); 4] =
    [("ScalarType?", "dtype"), ("Layout?", "layout"), ("Device?", "device"), ("bool?", "pin_memory")];

#[derive(Clone)]
struct Argument {
    ty: &'static str,
    name: String,
    default: Option<&'static str>,
}

#[derive(Clone)]
struct Schema {
    positional: Vec<Argument>,
    keyword: Vec<Argument>,
}

/// An operator in two states.
pub(super) struct Case {
    name: String,
    old: Schema,
    new: Schema,
    /// Whether a variant with `out` is generated from it.
    has_out: bool,
    /// The old and the new name of an argument.
    renamed: Option<(String, String)>,
}

/// That many operators that the ABI can have.
pub(super) fn cases(abi: &str, seed: u64, count: usize) -> Vec<Case> {
    let mut random = Random(seed);
    let mut all = Vec::new();
    while all.len() < count {
        let old = schema(&mut random);
        let mut renamed = None;
        let Some(new) = edited(&mut random, &old, &mut renamed) else { continue };
        let is_left_out = |schema: &Schema| abi == "stable" && schema.text().contains("Scalar ");
        if new.text() != old.text() && old.is_right() && new.is_right() && !is_left_out(&old) && !is_left_out(&new) {
            let has_out = random.once_in(2);
            all.push(Case { name: format!("op{}", all.len()), old, new, has_out, renamed });
        }
    }
    all
}

impl Case {
    /// The entry of one state.
    pub(super) fn entry(&self, is_new: bool) -> String {
        let Case { name, .. } = self;
        let schema = if is_new { &self.new } else { &self.old };
        let autogen = if self.has_out { format!("  autogen: {name}.out\n") } else { String::new() };
        let func = format!("- func: '{}::{name}{}'\n", super::NAMESPACE, schema.text());
        format!("{func}{autogen}  dispatch:\n    CompositeExplicitAutograd: {name}\n")
    }

    pub(super) fn renamed(&self, name: &str) -> String {
        let new = self.renamed.as_ref().filter(|(old, _)| old == name).map(|(_, new)| new.clone());
        new.unwrap_or_else(|| name.to_owned())
    }

    /// Both schemas.
    pub(super) fn shown(&self) -> String {
        let out = if self.has_out { " with a variant for `out`" } else { "" };
        format!("{}{out}\n  {}\n  {}\n  ", self.name, self.old.text(), self.new.text())
    }
}

impl Schema {
    fn text(&self) -> String {
        let one = |argument: &Argument| {
            let default = argument.default.map_or(String::new(), |default| format!("={default}"));
            format!("{} {}{default}", argument.ty, argument.name)
        };
        let mut parts: Vec<String> = self.positional.iter().map(one).collect();
        if !self.keyword.is_empty() {
            parts.push("*".to_owned());
        }
        parts.extend(self.keyword.iter().map(one));
        format!("({}) -> Tensor", parts.join(", "))
    }

    /// Positional arguments without defaults come first, and names differ.
    fn is_right(&self) -> bool {
        let defaults: Vec<bool> = self.positional.iter().map(|one| one.default.is_some()).collect();
        let mut names: Vec<&String> = self.positional.iter().chain(&self.keyword).map(|one| &one.name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        defaults.is_sorted() && names.len() == count && count > 0
    }
}

fn default(random: &mut Random, ty: &str) -> Option<&'static str> {
    let (_, defaults) = TYPES.iter().find(|(name, _)| *name == ty).copied()?;
    if random.once_in(3) { None } else { random.pick(defaults).copied() }
}

fn argument(random: &mut Random, name: &str) -> Argument {
    let (ty, _) = *random.pick(&TYPES).expect("types");
    Argument { ty, name: name.to_owned(), default: default(random, ty) }
}

fn schema(random: &mut Random) -> Schema {
    let mut positional = vec![Argument { ty: "Tensor", name: "x".to_owned(), default: None }];
    for at in 0..random.below(4) {
        positional.push(argument(random, &format!("a{at}")));
    }
    let mut keyword: Vec<Argument> = Vec::new();
    for at in 0..random.below(3) {
        keyword.push(argument(random, &format!("k{at}")));
    }
    if random.once_in(5) {
        let option =
            |(ty, name): &(&'static str, &str)| Argument { ty, name: (*name).to_owned(), default: Some("None") };
        keyword.extend(OPTIONS.iter().map(option));
    }
    Schema { positional, keyword }
}

/// One edit, if the schema has a place for it.
fn edited(random: &mut Random, old: &Schema, renamed: &mut Option<(String, String)>) -> Option<Schema> {
    let mut new = old.clone();
    let Schema { positional, keyword } = &mut new;
    match random.below(12) {
        0 => keyword.insert(0, positional.pop()?),
        1 if !keyword.is_empty() => positional.push(keyword.remove(0)),
        1 => return None,
        edit => {
            let group = if random.once_in(2) { positional } else { keyword };
            let at = usize::try_from(random.below(group.len().max(1) as u64)).expect("an index");
            match edit {
                2 => group.insert(at, argument(random, "fresh")),
                3 | 4 => group.push(argument(random, "fresh")),
                5 => drop((at < group.len()).then(|| group.remove(at))?),
                6 => {
                    let one = group.get_mut(at)?;
                    *renamed = Some((one.name.clone(), "renamed".to_owned()));
                    one.name = "renamed".to_owned();
                }
                7 | 8 => {
                    let one = group.get_mut(at)?;
                    one.ty = random.pick(&TYPES).expect("types").0;
                    one.default = one.default.and_then(|_| default(random, one.ty));
                }
                9 | 10 => {
                    let one = group.get_mut(at)?;
                    one.default = default(random, one.ty);
                }
                _ => {
                    let other = usize::try_from(random.below(group.len().max(1) as u64)).expect("an index");
                    (at < group.len()).then(|| group.swap(at, other))?;
                }
            }
        }
    }
    Some(new)
}
