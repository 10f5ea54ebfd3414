//! What "@generated" comments in autograd's files name: the directory of the templates and the
//! program.
//!
//! Invariant: names use slashes and depend only on relative locations, not on how paths were typed.
//! Symbolic links are not followed. Rule: torchgen/utils.py,
//! `FileManager.template_dir_for_comments` and `FileManager.substitute_with_template`.

use std::path::{Path, PathBuf};

use crate::autograd::request::Request;
use torchgen_base::diag::Diagnostic;
use torchgen_base::write::manifest::Seen;
use torchgen_base::write::relative;
use torchgen_kit::driver::files::read_failed;
use torchgen_kit::driver::memory::absolute;

/// The names.
pub(crate) struct Comments {
    /// The directory of the templates, relative to the torchgen package.
    pub template_dir: String,
    /// The program, relative to the directory that contains the torchgen package if it is in there.
    pub(crate) generator: String,
}

impl Comments {
    /// The names for a request.
    ///
    /// # Errors
    /// There is no working directory.
    pub(crate) fn new(request: &Request, seen: &mut Seen) -> Result<Comments, Diagnostic> {
        let autograd_dir = rooted(&request.autograd_dir)?;
        let root = match &request.torchgen_root {
            Some(root) => rooted(root)?,
            None => torchgen_root(&autograd_dir, seen),
        };
        let generator = match request.generator {
            Some(generator) => generator.to_owned(),
            None if autograd_dir.starts_with(&root) => relative(&autograd_dir.join(PROGRAM), &root),
            None => PROGRAM.to_owned(),
        };
        Ok(Comments { template_dir: relative(&autograd_dir.join("templates"), &root.join("torchgen")), generator })
    }
}

/// The program if tools/autograd is run on its own.
const PROGRAM: &str = "gen_autograd.py";

/// The nearest parent directory that contains `torchgen/`, or else the direct parent.
fn torchgen_root(autograd_dir: &Path, seen: &mut Seen) -> PathBuf {
    let above = || autograd_dir.ancestors().skip(1);
    let holds = above().find(|dir| seen.is_dir_above(&dir.join("torchgen")));
    holds.or_else(|| above().next()).unwrap_or(autograd_dir).to_owned()
}

/// The path from the root.
fn rooted(path: &Path) -> Result<PathBuf, Diagnostic> {
    absolute(path).map_err(|error| read_failed(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, start: &str, expected: &str) {
        assert_eq!(relative(&absolute(Path::new(path)).unwrap(), Path::new(start)), expected);
    }

    #[test]
    fn ways() {
        check("/a/torchgen/packaged/autograd/templates", "/a/torchgen", "packaged/autograd/templates");
        check("/a/tools/./autograd/templates", "/a/torchgen", "../tools/autograd/templates");
        check("/a/b/../x/", "/a/torchgen/y", "../../x");
    }
}
