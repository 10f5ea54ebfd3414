//! Lists the templates under `templates/` and the tables under `data/` so that the binary carries
//! them.
//!
//! Writes Rust arrays of (path below the directory, text), sorted by path, for
//! `src/render/embedded.rs` and `src/driver/data.rs` to include.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("templates");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=templates");
    println!("cargo::rerun-if-changed=data");
    println!("cargo::rerun-if-changed=src/families/units/templates");

    let mut names = Vec::new();
    collect(&root, "", ".j2", &mut names)?;
    names.sort();

    let mut table = String::from("&[\n");
    for name in &names {
        writeln!(table, "    ({name:?}, {}),", include(&format!("templates/{name}")))?;
    }
    // The templates of the family for tests, which no binary has.
    let units = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("src/families/units/templates");
    let mut names = Vec::new();
    collect(&units, "", ".j2", &mut names)?;
    names.sort();
    for name in &names {
        let text = include(&format!("src/families/units/templates/{name}"));
        writeln!(table, "    #[cfg(test)]\n    (\"units/{name}\", {text}),")?;
    }
    table.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("embedded_templates.rs"), table)?;

    let data = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("data");
    let mut names = Vec::new();
    collect(&data, "", ".yaml", &mut names)?;
    names.sort();
    let mut table = String::from("&[\n");
    for name in &names {
        writeln!(table, "    ({name:?}, {}),", include(&format!("data/{name}")))?;
    }
    table.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("embedded_data.rs"), table)?;
    Ok(())
}

/// An expression for the text of a file of this package. It does not name the package's directory:
/// cargo runs no build script again for a copy of the package that has the same build directory.
fn include(path: &str) -> String {
    format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?}))", format!("/{path}"))
}

/// Adds the names of all files below `dir` that end so; `prefix` is the path of `dir` below the
/// root, empty or ending in a slash.
fn collect(dir: &Path, prefix: &str, ending: &str, names: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry
            .file_name()
            .into_string()
            .map_err(|name| io::Error::new(io::ErrorKind::InvalidData, format!("{name:?} is not UTF-8")))?;
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{prefix}{name}/"), ending, names)?;
        } else if name.ends_with(ending) {
            names.push(format!("{prefix}{name}"));
        }
    }
    Ok(())
}
