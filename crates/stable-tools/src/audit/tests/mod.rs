//! Libraries of each format, made byte by byte: no linker for all of them is at hand.

mod files;

use super::symbols::{Import, imports};

fn import(name: &str, library: &str) -> Import {
    Import { name: name.to_owned(), library: (!library.is_empty()).then(|| library.to_owned()) }
}

#[test]
fn imports_of_a_library_for_macos() {
    let bytes = files::macho("@rpath/libtorch_cpu.dylib", &["_torch_call_dispatcher", "__ZN2at5emptyEv"]);
    let library = "@rpath/libtorch_cpu.dylib";
    let expected = vec![import("_ZN2at5emptyEv", library), import("torch_call_dispatcher", library)];
    assert_eq!(imports(&bytes), Ok(expected.clone()));
    assert_eq!(imports(&files::universal(&bytes)), Ok(expected));
}

#[test]
fn imports_of_a_library_for_windows() {
    let bytes = files::pe("torch_cpu.dll", &["torch_call_dispatcher", "?empty@at@@YAXXZ"]);
    let library = "torch_cpu.dll";
    let expected = vec![import("?empty@at@@YAXXZ", library), import("torch_call_dispatcher", library)];
    assert_eq!(imports(&bytes), Ok(expected));
}

#[test]
fn names_are_shown_as_in_cpp() {
    assert_eq!(import("_ZN2at5emptyEv", "").readable(), "at::empty()");
    assert_eq!(import("puts", "").readable(), "puts");
}

#[test]
fn any_bytes_can_be_read() {
    let whole = [
        files::macho("libc10.dylib", &["_a", "_b"]),
        files::pe("c10.dll", &["a", "b"]),
        files::universal(&files::macho("libc10.dylib", &["_a"])),
    ];
    for bytes in whole {
        for end in 0..bytes.len() {
            let _ = imports(&bytes[..end]);
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0xff;
            let _ = imports(&changed);
        }
    }
    assert!(imports(b"text").is_err() && imports(b"!<arch>\n").is_err());
}
