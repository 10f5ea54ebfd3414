//! The templates of torchgen-rs, in the folders beside this one: `FAMILY/GENERATOR/*.j2`.
//!
//! A release build embeds them. A development build reads them from this directory, so that an
//! edited template is used without a new build. Invariant: a text is read once per process.

use std::borrow::Cow;
use std::sync::{LazyLock, OnceLock};

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "."]
struct Files;

/// Whether this build embeds the templates and does not read files.
const ARE_EMBEDDED: bool = cfg!(not(debug_assertions));

/// A template.
#[derive(Debug)]
pub struct Template {
    /// The path below `templates/`.
    pub name: &'static str,
    text: OnceLock<&'static str>,
}

impl Template {
    /// Its text, as in the file.
    ///
    /// # Panics
    /// In a development build, the file was removed or is not UTF-8.
    pub fn text(&self) -> &'static str {
        self.text.get_or_init(|| {
            let bytes = bytes(self.name).expect("a template that was listed");
            let bytes = match bytes {
                Cow::Borrowed(bytes) => bytes,
                Cow::Owned(bytes) => bytes.leak(),
            };
            std::str::from_utf8(bytes).expect("templates are UTF-8")
        })
    }
}

/// The bytes of a file that was listed. A development build reads the file itself: the crate also
/// follows links and makes a hash, at each start of the program.
fn bytes(name: &str) -> Option<Cow<'static, [u8]>> {
    if ARE_EMBEDDED {
        return Files::get(name).map(|file| file.data);
    }
    std::fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).ok().map(Cow::Owned)
}

/// All templates, sorted by name.
pub fn all() -> &'static [Template] {
    static ALL: LazyLock<Vec<Template>> = LazyLock::new(|| {
        let mut names: Vec<Cow<'static, str>> = Files::iter().filter(|name| name.ends_with(".j2")).collect();
        names.sort_unstable();
        let template = |name: Cow<'static, str>| match name {
            Cow::Borrowed(name) => Template { name, text: OnceLock::new() },
            Cow::Owned(name) => Template { name: name.leak(), text: OnceLock::new() },
        };
        names.into_iter().map(template).collect()
    });
    &ALL
}

/// A number that changes with the files that a development build reads; 0 in a release build, whose
/// templates change with the program only.
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
    all()
        .iter()
        .filter_map(|template| moment(template.name))
        .fold(0, |state: u64, at| state.wrapping_mul(31).wrapping_add(at))
}
