//! Lists the templates under `templates/` so that the binary carries them.
//!
//! Writes a Rust array of (path below `templates/`, text), sorted by path, for `src/render/embedded.rs` to include.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("templates");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=templates");
    println!("cargo::rerun-if-changed=src/families/units/templates");

    let mut names = Vec::new();
    collect(&root, "", &mut names)?;
    names.sort();

    let mut table = String::from("&[\n");
    for name in &names {
        let path = root.join(name);
        let path = path.to_str().ok_or("the path of this checkout is not UTF-8")?;
        writeln!(table, "    ({name:?}, include_str!({path:?})),")?;
    }
    // The templates of the family for tests, which no binary has.
    let units = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("src/families/units/templates");
    let mut names = Vec::new();
    collect(&units, "", &mut names)?;
    names.sort();
    for name in &names {
        let path = units.join(name);
        let path = path.to_str().ok_or("the path of this checkout is not UTF-8")?;
        writeln!(table, "    #[cfg(test)]\n    (\"units/{name}\", include_str!({path:?})),")?;
    }
    table.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("embedded_templates.rs"), table)?;
    Ok(())
}

/// Adds the names of all `.j2` files below `dir`; `prefix` is the path of `dir` below the root, empty or ending in a slash.
fn collect(dir: &Path, prefix: &str, names: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry
            .file_name()
            .into_string()
            .map_err(|name| io::Error::new(io::ErrorKind::InvalidData, format!("{name:?} is not UTF-8")))?;
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{prefix}{name}/"), names)?;
        } else if name.ends_with(".j2") {
            names.push(format!("{prefix}{name}"));
        }
    }
    Ok(())
}
