//! The symbols that a library imports.
//!
//! Invariant: any bytes can be read; bytes that are not a library are an error, never a panic. Weak
//! imports are left out, because a library works without them.

use std::collections::BTreeSet;

use object::read::macho::{FatArch, MachOFatFile32, MachOFatFile64};
use object::read::{File, FileKind, NameOrOrdinal, Object, ObjectSymbol};

/// A symbol that a library needs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Import {
    /// Its name, as C has it.
    pub(super) name: String,
    /// The library that it comes from, if the format says so.
    pub(super) library: Option<String>,
}

impl Import {
    /// The name as in C++.
    pub(super) fn readable(&self) -> String {
        let parsed = cpp_demangle::Symbol::new(&self.name).ok();
        parsed.and_then(|symbol| symbol.demangle().ok()).unwrap_or_else(|| self.name.clone())
    }
}

/// The symbols, sorted, each once.
pub(super) fn imports(bytes: &[u8]) -> Result<Vec<Import>, String> {
    let mut found = Vec::new();
    let failed = |error: object::Error| error.to_string();
    match FileKind::parse(bytes).map_err(failed)? {
        FileKind::MachOFat32 => {
            let file = MachOFatFile32::parse(bytes).map_err(failed)?;
            for arch in file.arches() {
                read_imports(arch.data(bytes).map_err(failed)?, &mut found)?;
            }
        }
        FileKind::MachOFat64 => {
            let file = MachOFatFile64::parse(bytes).map_err(failed)?;
            for arch in file.arches() {
                read_imports(arch.data(bytes).map_err(failed)?, &mut found)?;
            }
        }
        _ => read_imports(bytes, &mut found)?,
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// Adds the imports of a file for one architecture.
fn read_imports(bytes: &[u8], found: &mut Vec<Import>) -> Result<(), String> {
    let file = File::parse(bytes).map_err(|error| error.to_string())?;
    // Apple's C compiler puts an underscore before every name.
    let prefix = if matches!(file, File::MachO32(_) | File::MachO64(_)) { "_" } else { "" };
    let plain = |name: &[u8]| {
        let name = String::from_utf8_lossy(name);
        name.strip_prefix(prefix).unwrap_or(&name).to_owned()
    };
    // On macOS, a function that several libraries define is imported and exported by each.
    let mut own = BTreeSet::new();
    for export in file.exports().map_err(|error| error.to_string())? {
        if let Ok(export) = export
            && let NameOrOrdinal::Name(name) = export.name()
        {
            own.insert(plain(name));
        }
    }
    for import in file.imports().map_err(|error| error.to_string())? {
        let import = import.map_err(|error| error.to_string())?;
        let NameOrOrdinal::Name(name) = import.name() else { continue };
        if import.is_weak() || name.is_empty() || own.contains(&plain(name)) {
            continue;
        }
        let library = String::from_utf8_lossy(import.library());
        let library = (!library.is_empty()).then(|| library.into_owned());
        found.push(Import { name: plain(name), library });
    }
    // An object file has no table of imports.
    if file.kind() == object::ObjectKind::Relocatable {
        for symbol in file.symbols().filter(|symbol| symbol.is_undefined() && !symbol.is_weak()) {
            let name = symbol.name_bytes().unwrap_or_default();
            if !name.is_empty() {
                found.push(Import { name: plain(name), library: None });
            }
        }
    }
    Ok(())
}
