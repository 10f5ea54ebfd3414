//! The flags of `torchgen-rs dev` and `torchgen-rs test`, which build the project of a library.
//!
//! Invariant: as in the parent module.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use torchgen_kit::driver::args::{Common, INPUT, OUTPUT};
use torchgen_model::model::rules::versions_since;
use torchgen_model::model::version::Version;

/// The flags of `dev`.
#[derive(Debug, Clone, Args)]
pub struct DevArgs {
    /// Directory of the project, with pyproject.toml and CMakeLists.txt
    ///
    /// The default is this directory, or the nearest one above with both files.
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Build again whenever a file of the project changes, until Ctrl-C
    ///
    /// An error is shown, and the next change is awaited.
    #[arg(long, help_heading = INPUT)]
    pub watch: bool,
    /// The Python of the environment to install into
    ///
    /// The default is the active environment, or `.venv` in the project.
    #[arg(long, value_name = "PYTHON", help_heading = OUTPUT)]
    pub python: Option<PathBuf>,
    /// The flags beyond.
    #[command(flatten)]
    pub common: Common<0>,
}

/// The flags of `test`.
#[derive(Debug, Clone, Args)]
pub struct TestArgs {
    /// Directory of the project, with pyproject.toml and CMakeLists.txt
    ///
    /// The default is this directory, or the nearest one above with both files.
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Versions of torch: 2.13, 2.13.1, 2.10,2.15 or 2.10..2.15
    ///
    /// Without it, the torch of the active environment, or those of --python.
    #[arg(long, value_name = "VERSIONS", value_delimiter = ',', action = clap::ArgAction::Append, help_heading = INPUT)]
    pub torch: Vec<TorchVersions>,
    /// The Pythons of environments that have a torch already
    ///
    /// They are used for their versions of torch, and nothing in them is changed. Without --torch,
    /// all of them are tested.
    #[arg(long, value_name = "PYTHON", num_args = 1.., action = clap::ArgAction::Append, help_heading = INPUT)]
    pub python: Vec<PathBuf>,
    /// Where environments are kept [default: a cache of the user's]
    #[arg(long, value_name = "DIR", help_heading = OUTPUT)]
    pub environments: Option<PathBuf>,
    /// Arguments for pytest, instead of the directory `tests`
    #[arg(last = true, value_name = "PYTEST")]
    pub pytest: Vec<String>,
    /// The flags beyond.
    #[command(flatten)]
    pub common: Common<0>,
}

/// Versions of torch to test with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TorchVersions {
    /// The newest release of each minor version.
    Minors(Vec<Version>),
    /// One release, such as 2.13.1.
    Release(Version, String),
}

impl FromStr for TorchVersions {
    type Err = String;

    fn from_str(text: &str) -> Result<TorchVersions, String> {
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let version = |text: &str| match text.split('.').all(is_number) {
            true => text.parse::<Version>(),
            false => Err("write 2.13, a list such as 2.10,2.15 or a range such as 2.10..2.15".to_owned()),
        };
        let Some((first, last)) = text.split_once("..") else {
            let found = version(text)?;
            return Ok(match text.split('.').count() {
                2 => TorchVersions::Minors(vec![found]),
                _ => TorchVersions::Release(found, text.to_owned()),
            });
        };
        let (first, last) = (version(first)?, version(last)?);
        let known: Vec<Version> = versions_since(Version::OLDEST).collect();
        let place = |wanted: Version| known.iter().position(|version| *version == wanted);
        let (oldest, newest) = (Version::OLDEST, Version::NEWEST);
        match (place(first), place(last)) {
            (Some(first), Some(last)) if first <= last => Ok(TorchVersions::Minors(known[first..=last].to_vec())),
            (Some(_), Some(_)) => Err(format!("the range is empty; write {last}..{first}")),
            _ => Err(format!("a range is within {oldest}..{newest}; name other versions one by one")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let said = match text.parse() {
            Ok(TorchVersions::Minors(all)) => all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            Ok(TorchVersions::Release(minor, release)) => format!("{release} of {minor}"),
            Err(error) => error,
        };
        assert_eq!(said, expected, "{text}");
    }

    #[test]
    fn versions_are_one_or_a_range() {
        check("2.13", "2.13");
        check("2.13.1", "2.13.1 of 2.13");
        check("2.12..2.15", "2.12 2.13 2.14 2.15");
        check("2.99", "2.99");
        check("2.15..2.12", "the range is empty; write 2.12..2.15");
        check("2.8..2.12", "a range is within 2.10..2.15; name other versions one by one");
        check("2.12..2.99", "a range is within 2.10..2.15; name other versions one by one");
        for wrong in ["", "2", "two", "2.x", "2.10...2.15", "2.10..", "2.13a", "+2.13"] {
            let error = wrong.parse::<TorchVersions>().err();
            assert!(error.is_some_and(|error| error.contains("2.1")), "{wrong}");
        }
    }
}
