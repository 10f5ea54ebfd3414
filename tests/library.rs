//! The bundled library's generated sources compile against the headers of the torch wheel, without warnings.
//!
//! The wheel is the conformance suite's, fetched once; its headers are unpacked beside it. Kernels are not part of this: nothing is linked.

use std::path::{Path, PathBuf};
use std::process::Command;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Deserialize;

#[derive(Deserialize)]
struct Suite {
    wheel: Wheel,
}

#[derive(Deserialize)]
struct Wheel {
    pin: String,
    file: String,
    sha256: String,
    requirements: Vec<String>,
}

/// Takes a wheel and a directory, and unpacks the headers into it by one rename.
const UNPACK: &str = "
import os, sys, tempfile, zipfile
wheel, target = sys.argv[1:]
scratch = tempfile.mkdtemp(dir=os.path.dirname(target))
with zipfile.ZipFile(wheel) as archive:
    archive.extractall(scratch, [name for name in archive.namelist() if name.startswith('torch/include/')])
os.rename(scratch, target)
";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The directory of torch's headers.
fn torch_headers() -> PathBuf {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let cache = match std::env::var_os("TORCHGEN_CONFORMANCE_DIR") {
        Some(directory) => PathBuf::from(directory),
        None => Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target directory").join("conformance"),
    };
    std::fs::create_dir_all(&cache).expect("a cache directory");
    let data = std::fs::read_to_string(root().join("tests/conformance/configurations.yaml")).expect("the suite's data");
    let Suite { wheel } = serde_yaml::from_str(&data).expect("the suite's data");
    let target = cache.join(format!("headers-{}", &wheel.sha256[..12]));
    if !target.is_dir() {
        let fetch = root().join("tests/conformance/fetch.py");
        let arguments = [&wheel.pin, &wheel.file, &wheel.sha256];
        run(Command::new(&python).arg(fetch).arg(&cache).args(arguments).args(&wheel.requirements));
        let file = cache.join("wheel").join(&wheel.file);
        run(Command::new(&python).args(["-c", UNPACK]).arg(file).arg(&target));
    }
    target.join("torch/include")
}

#[track_caller]
fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn generated_sources_compile() {
    let headers = torch_headers();
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
                .arg(source)
                .output()
                .expect("a C++ compiler");
            (!output.status.success())
                .then(|| format!("{}\n{}", source.display(), String::from_utf8_lossy(&output.stderr)))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
