//! Minor versions of torch, such as 2.10.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};

/// A minor version. 2.9 is before 2.10.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Version {
    major: u8,
    minor: u8,
}

impl Version {
    /// The first with the stable ABI that is generated for.
    pub const OLDEST: Version = Version::new(2, 10);

    /// The last that the tables know.
    pub const NEWEST: Version = Version::new(2, 15);

    /// The version of these numbers.
    pub const fn new(major: u8, minor: u8) -> Version {
        Version { major, minor }
    }

    /// The number before the point.
    pub(crate) fn major(self) -> u8 {
        self.major
    }

    /// The number after the point.
    pub(crate) fn minor(self) -> u8 {
        self.minor
    }

    /// The number that C++ compares, as the value of `TORCH_TARGET_VERSION`.
    pub fn number(self) -> String {
        format!("0x{:02x}{:02x}000000000000ULL", self.major, self.minor)
    }
}

impl FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Version, String> {
        let parsed = text.split_once('.').and_then(|(major, rest)| {
            // A patch release has the same operators and symbols.
            let minor = rest.split_once('.').map_or(rest, |(minor, _)| minor);
            Some(Version { major: major.parse().ok()?, minor: minor.parse().ok()? })
        });
        parsed.ok_or_else(|| "a version is written as 2.10".to_owned())
    }
}

impl TryFrom<String> for Version {
    type Error = String;

    fn try_from(text: String) -> Result<Version, String> {
        text.parse()
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_numbers() {
        let version = |text: &str| text.parse::<Version>();
        assert!(version("2.9") < version("2.10"));
        assert_eq!(version("2.10.1"), Ok(Version::OLDEST));
        assert_eq!(Version::NEWEST.number(), "0x020f000000000000ULL");
    }
}
