//! Splits a file into shards, by a stable hash of each item, and an `Everything` file with all
//! items.
//!
//! Invariant: items keep their order inside a shard, and a shard and `Everything` share their
//! fragments. Rule: torchgen/utils.py, `string_stable_hash` and
//! `FileManager.write_sharded_with_template`.

use std::fmt;

use sha1::{Digest, Sha1};

use super::contents::Contents;
use super::env::{Env, Value};
use super::fragment::Fragment;

/// A file to be split.
#[derive(Debug, Clone, Default)]
pub struct Sharded {
    /// The base name, relative to the install directory: `RegisterCPU.cpp` gives
    /// `RegisterCPU_0.cpp` and so on.
    pub file: String,
    /// The template of every part.
    pub template: String,
    /// The number of shards.
    pub shards: u32,
    /// The common values. The value of a sharded key must be a list; each part starts with it.
    pub base: Env,
    /// The names whose lists are split; without a base value they start empty.
    pub keys: Vec<String>,
    /// For each item the text that selects its shard, and its lists for some of the sharded keys.
    pub items: Vec<(String, Env)>,
}

/// One part of a split file, to be rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shard {
    /// The name, relative to the install directory.
    pub file: String,
    /// The values of the template; `shard_id` is `Everything`, or `_` and a number.
    pub(crate) env: Env,
    /// Whether build systems compile it; false for `Everything`.
    pub listed: bool,
}

/// A rendered file and its name, relative to the install directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedFile {
    /// The name.
    pub file: String,
    /// The text.
    pub(crate) contents: Contents,
    /// Whether build systems compile it.
    pub listed: bool,
}

/// Why a file cannot be split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShardError {
    /// The number of shards is zero.
    NoShards,
    /// The text that selects an item's shard has a character outside latin-1, so that it cannot be
    /// hashed.
    NotLatin1(String),
    /// An item has a value for a name that is not sharded.
    Undeclared(String),
    /// A value for a sharded name is not a list.
    NotAList(String),
}

impl fmt::Display for ShardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShardError::NoShards => f.write_str("a sharded file needs at least one shard"),
            ShardError::NotLatin1(key) => {
                write!(f, "`{key}` has a character outside latin-1, so it cannot select a shard")
            }
            ShardError::Undeclared(key) => write!(f, "`{key}` is not a sharded name"),
            ShardError::NotAList(key) => write!(f, "the value of the sharded name `{key}` is not a list"),
        }
    }
}

impl std::error::Error for ShardError {}

/// The shard of a key, of `shards`: the SHA-1 hash of its latin-1 bytes, read as a little-endian
/// number.
///
/// # Errors
/// There are no shards, or the key has a character outside latin-1.
pub fn stable_hash(key: &str, shards: u32) -> Result<u32, ShardError> {
    if shards == 0 {
        return Err(ShardError::NoShards);
    }
    let bytes: Option<Vec<u8>> = key.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
    let bytes = bytes.ok_or_else(|| ShardError::NotLatin1(key.to_owned()))?;
    let shards = u64::from(shards);
    let rest = Sha1::digest(&bytes).iter().rev().fold(0, |rest, &byte| (rest * 256 + u64::from(byte)) % shards);
    // The remainder is less than a number that fits.
    Ok(rest as u32)
}

impl Sharded {
    /// The names of all parts and whether they are listed, `Everything` first. Does not need items,
    /// so that a dry run can list its outputs.
    pub fn files(&self) -> Vec<(String, bool)> {
        let parts = (0..self.shards).map(|index| (part_name(&self.file, &format!("_{index}")), true));
        std::iter::once((part_name(&self.file, EVERYTHING), false)).chain(parts).collect()
    }

    /// The parts, `Everything` first.
    ///
    /// # Errors
    /// An item does not fit, see `ShardError`.
    pub fn split(&self) -> Result<Vec<Shard>, ShardError> {
        if self.shards == 0 {
            return Err(ShardError::NoShards);
        }
        let mut start: Vec<Vec<Fragment>> = Vec::with_capacity(self.keys.len());
        for key in &self.keys {
            start.push(match self.base.get(key) {
                None => Vec::new(),
                Some(Value::List(list)) => list.to_vec(),
                Some(Value::Text(_)) => return Err(ShardError::NotAList(key.clone())),
            });
        }
        // Part 0 is `Everything`, part i + 1 is shard i; each has the lists in the order of the
        // keys.
        let mut parts = vec![start; self.shards as usize + 1];
        for (key, env) in &self.items {
            let shard = stable_hash(key, self.shards)? as usize + 1;
            for (name, value) in env.iter() {
                let slot = self
                    .keys
                    .iter()
                    .position(|key| key == name)
                    .ok_or_else(|| ShardError::Undeclared(name.to_owned()))?;
                let Value::List(list) = value else { return Err(ShardError::NotAList(name.to_owned())) };
                for part in [0, shard] {
                    parts[part][slot].extend_from_slice(list);
                }
            }
        }
        let shards = parts.into_iter().zip(self.files()).enumerate().map(|(index, (lists, (file, listed)))| {
            let id = index.checked_sub(1).map_or_else(|| EVERYTHING.to_owned(), |index| format!("_{index}"));
            let mut env = Env::from_iter([("shard_id", id)]);
            for (key, value) in self.base.iter() {
                env.set(key, value.clone());
            }
            for (key, list) in self.keys.iter().zip(lists) {
                env.set(key, list);
            }
            Shard { file, env, listed }
        });
        Ok(shards.collect())
    }
}

const EVERYTHING: &str = "Everything";

/// The file name with the part's name before its last suffix.
fn part_name(file: &str, part: &str) -> String {
    let name = file.rfind('/').map_or(0, |slash| slash + 1);
    match file[name..].rfind('.') {
        // A dot at the start or end of a name does not start a suffix.
        Some(dot) if dot > 0 && name + dot + 1 < file.len() => {
            let (stem, suffix) = file.split_at(name + dot);
            format!("{stem}{part}{suffix}")
        }
        _ => format!("{file}{part}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes() {
        // From the reference's `string_stable_hash`.
        let moduli = [1, 2, 3, 4, 5, 10, u32::MAX];
        for (key, expected) in [
            ("", [0, 0, 1, 2, 0, 0, 2228106160]),
            ("abs", [0, 0, 1, 2, 1, 6, 4191569821]),
            ("add", [0, 0, 2, 0, 2, 2, 2083220042]),
            ("_foobar", [0, 0, 1, 2, 4, 4, 4037890504]),
            ("my_op", [0, 0, 0, 2, 1, 6, 2965330236]),
            ("zzé", [0, 1, 1, 1, 1, 1, 3112826056]),
            ("ÿ", [0, 1, 0, 1, 3, 3, 2832803223]),
        ] {
            assert_eq!(moduli.map(|n| stable_hash(key, n)), expected.map(Ok), "{key}");
        }
        assert_eq!(stable_hash("op_Ā", 2), Err(ShardError::NotLatin1("op_Ā".into())));
        assert_eq!(stable_hash("op", 0), Err(ShardError::NoShards));
    }

    #[test]
    fn names() {
        for (file, expected) in [
            ("RegisterCPU.cpp", "RegisterCPU_0.cpp"),
            ("a.b/Operators.cpp", "a.b/Operators_0.cpp"),
            ("a.b/Operators", "a.b/Operators_0"),
            ("x.cu.cc", "x.cu_0.cc"),
            (".hidden", ".hidden_0"),
            ("dot.", "dot._0"),
        ] {
            assert_eq!(part_name(file, "_0"), expected);
        }
    }

    fn sharded(items: &[(&str, &str, Value)]) -> Sharded {
        let base = Env::from_iter([("extra", Value::from(vec!["first"])), ("common", "c".into())]);
        let items = items
            .iter()
            .map(|(key, name, value)| (key.to_string(), Env::from_iter([(*name, value.clone())])))
            .collect();
        let keys = vec!["defs".to_owned(), "extra".to_owned()];
        Sharded { file: "Ops.cpp".into(), template: "Ops.cpp".into(), shards: 3, base, keys, items }
    }

    #[test]
    fn items_keep_their_order_in_everything_and_in_their_shard() {
        let item = |key: &'static str| (key, "defs", Value::from(vec![key]));
        let parts = sharded(&[item("abs"), item("my_op"), ("add", "extra", vec!["x", "y"].into()), item("_foobar")])
            .split()
            .unwrap();
        let part = |file: &str, id: &str, listed, defs: &[&str], extra: &[&str]| {
            let env = Env::from_iter([
                ("shard_id", Value::from(id)),
                ("extra", extra.iter().copied().collect()),
                ("common", "c".into()),
                ("defs", defs.iter().copied().collect()),
            ]);
            Shard { file: file.into(), env, listed }
        };
        let expected = [
            part("OpsEverything.cpp", "Everything", false, &["abs", "my_op", "_foobar"], &["first", "x", "y"]),
            part("Ops_0.cpp", "_0", true, &["my_op"], &["first"]),
            part("Ops_1.cpp", "_1", true, &["abs", "_foobar"], &["first"]),
            part("Ops_2.cpp", "_2", true, &[], &["first", "x", "y"]),
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn misfits() {
        let list = || Value::from(vec!["a"]);
        for (item, expected) in [
            (("abs", "other", list()), ShardError::Undeclared("other".into())),
            (("abs", "defs", "a".into()), ShardError::NotAList("defs".into())),
            (("Ā", "defs", list()), ShardError::NotLatin1("Ā".into())),
        ] {
            assert_eq!(sharded(&[item]).split(), Err(expected));
        }
        let mut file = sharded(&[]);
        file.base.set("defs", "scalar");
        assert_eq!(file.split(), Err(ShardError::NotAList("defs".into())));
        file.shards = 0;
        assert_eq!(file.split(), Err(ShardError::NoShards));
    }
}
