//! The key `version:` of a family: the version of what its programs write.
//!
//! Invariant: the files of a family give one version, or the others are reported.

use torchgen_base::diag::{CodeInfo, Diagnostic, Diagnostics};
use torchgen_base::yaml::{Node, Resolved, resolve};

/// The version that the values of `version:` in the files of a family give; 0 if there is none, or
/// none that is right, which is reported under the code.
pub fn written_version<'n>(
    given: impl IntoIterator<Item = &'n Node>,
    code: &'static CodeInfo,
    diagnostics: &mut Diagnostics,
) -> u32 {
    let mut given = given.into_iter();
    let Some(first) = given.next() else { return 0 };
    for other in given {
        let error = Diagnostic::new(code, "another file gives the version too").at(other.span);
        diagnostics.push(error.also(first.span, "first here").help("delete one of them"));
    }
    let number = match resolve(first) {
        Resolved::Int(_) => first.as_text().and_then(|text| text.parse().ok()),
        _ => None,
    };
    number.unwrap_or_else(|| {
        let error = Diagnostic::new(code, "the version is not a number from 0 on").at(first.span);
        diagnostics.push(error.help("write `version: 1`, and a larger one when what is written changes"));
        0
    })
}
