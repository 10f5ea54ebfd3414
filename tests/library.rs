//! The bundled library's generated sources compile against the headers of the torch wheel, without warnings.
//!
//! Kernels are not part of this: nothing is linked. `torch.rs` builds and runs the library as a whole.

mod support;

use std::path::PathBuf;
use std::process::Command;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use support::torch_env::{root, torch_env};

#[test]
fn generated_sources_compile() {
    let headers = torch_env().headers();
    let sources: Vec<PathBuf> = std::fs::read_dir(root().join("generated/src"))
        .expect("the bundled library is generated")
        .map(|entry| entry.expect("a readable entry").path())
        .collect();
    assert!(sources.len() >= 8, "only {} sources: {sources:?}", sources.len());
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    let failures: Vec<String> = sources
        .par_iter()
        .filter_map(|source| {
            let output = Command::new(&compiler)
                .args(["-std=c++20", "-fsyntax-only", "-Wall", "-Werror", "-isystem"])
                .arg(&headers)
                .arg("-I")
                .arg(root().join("generated/include"))
                // derivatives_manual.h
                .arg("-I")
                .arg(root())
                .arg(source)
                .output()
                .expect("a C++ compiler");
            (!output.status.success())
                .then(|| format!("{}\n{}", source.display(), String::from_utf8_lossy(&output.stderr)))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
