//! The tables of facts of torchgen-rs, in the folders beside this one: `FAMILY/*.yaml`, and lists
//! of words in `*.txt`.
//!
//! A release build embeds them. A development build reads them from this directory, so that an
//! edited table is used without a new build. Invariant: a table is read once per process.

use std::borrow::Cow;
use std::sync::LazyLock;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "."]
struct Files;

/// Whether this build embeds the tables and does not read files.
const ARE_EMBEDDED: bool = cfg!(not(debug_assertions));

/// All tables: the path below `data/` and the text, sorted by path.
pub fn all() -> &'static [(&'static str, &'static str)] {
    static ALL: LazyLock<Vec<(&'static str, &'static str)>> = LazyLock::new(|| {
        let mut names: Vec<Cow<'static, str>> =
            Files::iter().filter(|name| name.ends_with(".yaml") || name.ends_with(".txt")).collect();
        names.sort_unstable();
        let table = |name: Cow<'static, str>| {
            let bytes = bytes(&name).expect("a table that was listed");
            (kept(name.into_owned().into_bytes().into()), kept(bytes))
        };
        names.into_iter().map(table).collect()
    });
    &ALL
}

/// The table at a path below `data/`.
pub fn text(path: &str) -> Option<&'static str> {
    let found = all().binary_search_by_key(&path, |(known, _)| known).ok()?;
    Some(all()[found].1)
}

/// The bytes of a file that was listed. A development build reads the file itself: the crate also
/// follows links and makes a hash, at each start of the program.
fn bytes(name: &str) -> Option<Cow<'static, [u8]>> {
    if ARE_EMBEDDED {
        return Files::get(name).map(|file| file.data);
    }
    std::fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).ok().map(Cow::Owned)
}

/// A text for the rest of the process.
fn kept(bytes: Cow<'static, [u8]>) -> &'static str {
    let bytes = match bytes {
        Cow::Borrowed(bytes) => bytes,
        Cow::Owned(bytes) => bytes.leak(),
    };
    std::str::from_utf8(bytes).expect("tables are UTF-8")
}

/// A number that changes with the files that a development build reads; 0 in a release build, whose
/// tables change with the program only.
pub fn state() -> u64 {
    let moment = |name: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let modified = path.metadata().and_then(|metadata| metadata.modified()).ok()?;
        let since = modified.duration_since(std::time::UNIX_EPOCH).ok()?;
        // The low bits are the nanoseconds, which matter most.
        Some(since.as_nanos() as u64)
    };
    if ARE_EMBEDDED {
        return 0;
    }
    all().iter().filter_map(|(name, _)| moment(name)).fold(0, |state: u64, at| state.wrapping_mul(31).wrapping_add(at))
}
