//! A build that uses the tool as PyTorch's own does: CMake makes lists by a dry run and includes
//! them, Ninja runs the generator.
//!
//! It checks that nothing is built again without a change, and that an edited operator recompiles
//! only the files whose text changed. CMake and Ninja are those of the environment that `support`
//! makes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::pytorch::copy;
use crate::support::torch::{root, run, simulator_path, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        ninja_rebuilds_what_changed,
        a_program_takes_sources_of_a_family,
        a_backend_is_built_and_loaded,
        a_library_is_compared_with_its_kernels_first,
        libraries_share_precompiled_headers
    ]
}

struct Build {
    source: PathBuf,
    build: PathBuf,
}

impl Build {
    fn configure(work: &Path) -> Build {
        let source = work.join("source");
        copy(&root().join("tests/mini/source"), &source);
        let build = Build { source, build: work.join("build") };
        run(torch()
            .tool("cmake")
            .arg("-S")
            .arg(root().join("tests/cmake"))
            .arg("-B")
            .arg(&build.build)
            .args(["-G", "Ninja"])
            .arg(format!("-DCMAKE_MAKE_PROGRAM={}", torch().program("ninja").display()))
            .arg(format!("-DTORCHGEN_RS={}", env!("CARGO_BIN_EXE_torchgen-rs")))
            .arg(format!("-DSOURCE={}", build.source.display())));
        build
    }

    /// Builds. Returns Ninja's output and the compiled object files.
    fn ninja(&self) -> (String, Vec<String>) {
        let text = run(torch().tool("ninja").arg("-C").arg(&self.build).arg("-v").arg("-j2"));
        let compiled = |line: &str| line.split_whitespace().skip_while(|w| *w != "-c").nth(1).map(str::to_owned);
        let mut objects: Vec<String> = text.lines().filter_map(compiled).collect();
        objects.sort();
        (text, objects)
    }

    /// The text of every generated source.
    fn sources(&self) -> BTreeMap<String, Vec<u8>> {
        walkdir::WalkDir::new(self.build.join("aten"))
            .into_iter()
            .map(|e| e.expect("a readable entry").into_path())
            .filter(|p| p.extension().is_some_and(|e| e == "cpp"))
            .map(|p| (p.to_string_lossy().into_owned(), std::fs::read(&p).expect("a readable file")))
            .collect()
    }
}

fn ninja_rebuilds_what_changed() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let build = Build::configure(work.path());

    let (_, first) = build.ninja();
    let before = build.sources();
    assert!(first.len() > 10, "only {} files were compiled: {first:?}", first.len());

    let (text, again) = build.ninja();
    assert!(text.contains("no work to do") && again.is_empty(), "something ran again:\n{text}");

    // A touched input runs the generator, which changes nothing, so nothing is compiled.
    let yaml = build.source.join("native/native_functions.yaml");
    let text = std::fs::read_to_string(&yaml).expect("the YAML");
    std::fs::write(&yaml, &text).expect("the YAML is writable");
    let (_, touched) = build.ninja();
    assert_eq!(touched, Vec::<String>::new(), "a touched YAML compiled files");

    let edited = text.replace("shift(Tensor self, Scalar by=1)", "shift(Tensor self, Scalar by=2)");
    assert_ne!(edited, text);
    std::fs::write(&yaml, edited).expect("the YAML is writable");
    let (_, compiled) = build.ninja();
    let changed: Vec<String> = build
        .sources()
        .into_iter()
        .filter(|(path, text)| before.get(path) != Some(text))
        .map(|(path, _)| path)
        .collect();
    let expected: Vec<String> = changed.into_iter().filter(|path| !path.contains("Everything")).collect();
    assert_eq!(compiled, expected, "other files were compiled than those whose text changed");
    assert!(!expected.is_empty() && expected.len() < first.len(), "{} of {} changed", expected.len(), first.len());
}

/// `torchgen_add_sources` generates the sources of a program from another family's YAML, and again
/// only after the YAML changed.
fn a_program_takes_sources_of_a_family() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let (source, module, out) = (work.path().join("source"), work.path().join("module"), work.path().join("build"));
    copy(&root().join("tests/cmake/sources"), &source);
    let tool = env!("CARGO_BIN_EXE_torchgen-rs");
    run(Command::new(tool).arg("cmake-module").arg(&module));
    run(torch()
        .tool("cmake")
        .arg("-S")
        .arg(&source)
        .arg("-B")
        .arg(&out)
        .args(["-G", "Ninja"])
        .arg(format!("-DCMAKE_MAKE_PROGRAM={}", torch().program("ninja").display()))
        .arg(format!("-DTORCHGEN_RS={tool}"))
        .arg(format!("-DTorchgenRs_DIR={}", module.display())));
    let ninja = || run(torch().tool("ninja").arg("-C").arg(&out));
    ninja();
    let program = || run(&mut Command::new(out.join("program")));
    assert_eq!(program(), "2\n");
    assert!(ninja().contains("no work to do"));
    let yaml = source.join("builders/swish.yaml");
    let text = std::fs::read_to_string(&yaml).expect("the YAML");
    let edited = text.replace("return mul(x, sigmoid!(x))", "return mul(x, mul(x, sigmoid!(x)))");
    assert_ne!(edited, text);
    std::fs::write(&yaml, edited).expect("the YAML is writable");
    ninja();
    assert_eq!(program(), "3\n");
}

/// `torchgen_add_backend` generates registrations in the build. Which sources these are is known
/// when CMake runs.
fn a_backend_is_built_and_loaded() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let (source, module, out) = (work.path().join("source"), work.path().join("module"), work.path().join("build"));
    copy(&root().join("tests/cmake/backend"), &source);
    let tool = env!("CARGO_BIN_EXE_torchgen-rs");
    run(std::process::Command::new(tool).arg("cmake-module").arg(&module));
    run(torch()
        .tool("cmake")
        .arg("-S")
        .arg(&source)
        .arg("-B")
        .arg(&out)
        .args(["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug"])
        .arg(format!("-DCMAKE_MAKE_PROGRAM={}", torch().program("ninja").display()))
        .arg(format!("-DPython_EXECUTABLE={}", torch().program("python").display()))
        .arg(format!("-DTORCHGEN_RS={tool}"))
        .arg(format!("-DTorchgenRs_DIR={}", module.display())));
    assert!(!out.join("toy_backend/RegisterToy.cpp").exists(), "generated before the build");
    let ninja = || run(torch().tool("ninja").arg("-C").arg(&out));
    ninja();
    assert!(ninja().contains("no work to do"));
    let script = "import sys, simulator, torch\n\
                  torch.ops.load_library(sys.argv[1])\n\
                  x = simulator.moved(torch.tensor([-1.0, 2.0]))\n\
                  simulator.fallen_back()\n\
                  assert torch.relu(x).cpu().tolist() == [0.0, 2.0]\n\
                  assert torch.neg(x, out=torch.empty_like(x)).cpu().tolist() == [1.0, -2.0]\n\
                  assert not simulator.fallen_back() & {'aten::relu', 'aten::neg.out'}\n";
    run(torch()
        .tool("python")
        .args(["-c", script])
        .arg(out.join("libtoy.so"))
        .env("PYTHONPATH", simulator_path())
        .env("SIMULATOR", torch().simulator()));
}

/// A copy of `tests/cmake/library` in `work`, its build directory, and the command that configures
/// the build.
fn library(work: &Path) -> (PathBuf, PathBuf, impl Fn() -> Command + use<>) {
    let (source, module, out) = (work.join("source"), work.join("module"), work.join("build"));
    copy(&root().join("tests/cmake/library"), &source);
    let tool = env!("CARGO_BIN_EXE_torchgen-rs");
    run(Command::new(tool).arg("cmake-module").arg(&module));
    let (from, to) = (source.clone(), out.clone());
    let configure = move || {
        let mut command = torch().tool("cmake");
        command
            .arg("-S")
            .arg(&from)
            .arg("-B")
            .arg(&to)
            .args(["-G", "Ninja"])
            .arg(format!("-DCMAKE_MAKE_PROGRAM={}", torch().program("ninja").display()))
            .arg(format!("-DPython_EXECUTABLE={}", torch().program("python").display()))
            .arg(format!("-DTORCHGEN_RS={tool}"))
            .arg(format!("-DTorchgenRs_DIR={}", module.display()));
        command
    };
    (source, out, configure)
}

/// Libraries of a build precompile torch's headers once, but for those with flags of their own,
/// which a target can get after `torchgen_add_library`. Kernels do without.
fn libraries_share_precompiled_headers() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let (source, out, configure) = library(work.path());
    let path = source.join("CMakeLists.txt");
    let mut text = std::fs::read_to_string(&path).expect("a readable file");
    for name in ["second", "third"] {
        text += &format!(
            "torchgen_add_library({name} OUTPUT_PATH {name} KERNELS kernels/sell.cpp kernels/buy.cu CUDA OFF)\n"
        );
    }
    std::fs::write(&path, text + "target_compile_definitions(third PRIVATE OWN)\n").expect("a writable file");
    run(configure().arg("-DTORCHGEN_PCH=ON"));
    let rules = std::fs::read_to_string(out.join("build.ninja")).expect("a readable file");
    let precompiles = |name: &&str| rules.contains(&format!("build CMakeFiles/{name}.dir/cmake_pch.hxx."));
    let precompiled: Vec<&str> = ["shop", "second", "third"].into_iter().filter(precompiles).collect();
    assert_eq!(precompiled, ["shop", "third"]);
    let flags = |source: &str| {
        let (_, object) = rules.split_once(&format!("build CMakeFiles/shop.dir/{source}.o:")).expect("an object");
        let (_, flags) = object.split_once("  FLAGS = ").expect("flags");
        flags.lines().next().expect("a line").to_owned()
    };
    assert!(flags("generated/src/Library_0.cpp").contains("cmake_pch"), "{rules}");
    assert!(!flags("kernels/sell.cpp").contains("cmake_pch"), "{rules}");
}

/// `torchgen_add_library` compares kernels and fakes with the YAML before anything is compiled, and
/// shows diagnostics as they are.
fn a_library_is_compared_with_its_kernels_first() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let (source, out, configure) = library(work.path());
    // Generates the sources only: whether that succeeds, and what Ninja says.
    let generate = || {
        let output = torch().tool("ninja").arg("-C").arg(&out).arg("shop_generated").output().expect("Ninja runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        (output.status.success(), said)
    };
    let edit = |file: &str, from: &str, to: &str| {
        let path = source.join(file);
        let text = std::fs::read_to_string(&path).expect("a readable file");
        assert!(text.contains(from), "{file}: {text}");
        std::fs::write(&path, text.replace(from, to)).expect("a writable file");
    };
    run(&mut configure());
    let (done, said) = generate();
    assert!(done, "{said}");
    assert!(generate().1.contains("no work to do"));
    let header = std::fs::read_to_string(out.join("generated/include/shop/ops/sell_native.h")).expect("a header");
    assert!(
        header.replace(" &", "&").contains("at::Tensor sell_cpu(at::Tensor& stock, ::std::vector<int64_t> counts"),
        "{header}"
    );

    // An edited body changes nothing that is generated; a renamed kernel is a caret in the YAML.
    edit("kernels/sell.cpp", "stock * price", "stock * price * 2");
    assert!(generate().0 && generate().1.contains("no work to do"));
    edit("kernels/buy.cu", "sell_cuda", "sel_cuda");
    let (done, said) = generate();
    assert!(
        !done && said.contains("error[TG0581]: kernel `shop::native::sell_cuda` is not defined anywhere"),
        "{said}"
    );
    assert!(said.contains("did you mean `shop::native::sel_cuda`?") && !said.contains(".cpp.o"), "{said}");
    edit("kernels/buy.cu", "sel_cuda", "sell_cuda");
    edit("python/fakes.py", "def sell(", "def sel(");
    let (done, said) = generate();
    assert!(!done && said.contains("fakes.py` does not define `sell`"), "{said}");
    edit("python/fakes.py", "def sel(", "def sell(");
    assert!(generate().0);

    // CMake does not break the lines of diagnostics.
    edit("native_functions.yaml", "float price", "flaot price");
    let output = configure().output().expect("CMake runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let line = "1 | - func: shop::sell(Tensor stock, int[] counts, *, flaot price_of_each_one_of_all_these_goods=1.0) -> Tensor";
    assert!(!output.status.success() && said.contains(line), "{said}");
    assert!(said.contains("help: did you mean `float`?"), "{said}");
}
