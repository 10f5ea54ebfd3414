//! `torchgen-rs kernels`: the sources of the bundled library define the kernels that its YAML
//! names, on each ABI; `--write` appends to files without harm; and `--tests` writes new ones.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use libtest_mimic::Trial;

use crate::root;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        bundled_library_is_complete,
        appended_text_fits_the_file,
        files_that_stay,
        another_run_finds_the_skeletons,
        includes_are_those_of_other_sources,
        verify_writes_nothing,
        only_some_operators,
        kernels_in_python,
        modules_stay_as_they_are,
        a_module_is_found_by_its_whole_path,
        skeletons_can_be_imported,
        lines_get_tests,
        operators_without_tests_get_some,
    ]
}

/// The sources for one ABI.
fn sources(directory: &str) -> Vec<PathBuf> {
    let kernels = root().join("examples/opkit/kernels");
    let files = |directory: PathBuf| {
        let entries = std::fs::read_dir(directory).expect("a directory of kernels");
        let paths = entries.map(|entry| entry.expect("a readable entry").path());
        paths.filter(|path| path.extension().is_some_and(|end| end == "cpp")).collect::<Vec<PathBuf>>()
    };
    files(kernels.clone()).into_iter().chain(files(kernels.join(directory))).collect()
}

fn bundled_library_is_complete() {
    for (abi, directory) in [("unstable", "libtorch"), ("stable", "stable")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        command.args(["kernels", "-s", ".", "--strict", "--abi", abi, "--sources"]).args(sources(directory));
        let output = command.current_dir(root()).output().expect("the binary runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.ends_with("kernels, all defined\n"), "{said}");
        assert!(output.stdout.is_empty());
    }
}

/// A library with one kernel, and its sources.
struct Library(tempfile::TempDir);

impl Library {
    /// The library, with one source.
    fn new(source: &[u8]) -> Library {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let yaml = "- func: shop::sell(Tensor x) -> Tensor\n  dispatch: {CPU: sell}\n";
        fs::write(directory.path().join("native_functions.yaml"), yaml).expect("a new file");
        fs::create_dir(directory.path().join("src")).expect("a new directory");
        let library = Library(directory);
        fs::write(library.source(), source).expect("a new file");
        library
    }

    /// The file of the operator.
    fn source(&self) -> PathBuf {
        self.0.path().join("src/sell.cpp")
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(self.source()).expect("a readable file")
    }

    /// The status, and the messages.
    fn kernels(&self, flags: &[&str]) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        let command = command.args(["kernels", "-s", "."]).args(flags).current_dir(self.0.path());
        let output = command.output().expect("the binary runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        crate::reported::note(&said);
        (output.status.code(), said)
    }
}

/// Its encoding, byte order mark and line ends stay.
fn appended_text_fits_the_file() {
    let mark = [0xef, 0xbb, 0xbf];
    let utf16 = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> { text.encode_utf16().flat_map(bytes).collect() };
    let little = |text: &str| utf16(text, u16::to_le_bytes);
    let big = |text: &str| utf16(text, u16::to_be_bytes);
    let start = "// Sells.\r\nint sold;\r\n";
    let plain = |text: &str| text.as_bytes().to_vec();
    for (before, encoded) in [
        (plain(start), &plain as &dyn Fn(&str) -> Vec<u8>),
        ([&mark[..], start.as_bytes()].concat(), &plain),
        (little(&format!("\u{feff}{start}")), &little),
        (big(&format!("\u{feff}{start}")), &big),
    ] {
        let library = Library::new(&before);
        let (status, said) = library.kernels(&["--sources", "src", "--write"]);
        assert_eq!(status, Some(0), "{said}");
        let after = library.bytes();
        assert!(after.starts_with(&before), "{before:?}");
        let added = &after[before.len()..];
        assert!(added.starts_with(&encoded("#include <shop/NativeFunctions.h>\r\n")), "{added:?}");
        assert!(added.ends_with(&encoded("}\r\n\r\n} // namespace shop::native\r\n")), "{added:?}");
        let (status, said) = library.kernels(&["--sources", "src", "--write"]);
        assert!(status == Some(0) && said.contains("all defined") && library.bytes() == after, "{said}");
    }
}

/// A new file includes the header of its operator where other sources include theirs.
fn includes_are_those_of_other_sources() {
    for (other, included) in [
        ("#include <shop/ops/buy_native.h>\n", "#include <shop/ops/sell_native.h>\n"),
        ("#include <mall/ops/buy_native.h>\n", "#include <shop/NativeFunctions.h>\n"),
        ("#include <shop/NativeFunctions.h>\n", "#include <shop/NativeFunctions.h>\n"),
    ] {
        let library = Library::new(other.as_bytes());
        fs::rename(library.source(), library.0.path().join("src/other.cpp")).expect("a renamed file");
        let (status, said) = library.kernels(&["--sources", "src", "--write"]);
        assert_eq!(status, Some(0), "{said}");
        let written = String::from_utf8(library.bytes()).expect("text");
        assert!(written.starts_with(included), "{written}");
    }
}

/// Files that cannot be appended to, and those that are no sources.
fn files_that_stay() {
    for (text, said) in [
        ("#if 0\n", "this condition does not end"),
        ("/* closed */ /* open\n", "this comment does not end"),
        ("namespace shop {\n", "this brace does not end"),
        ("#define SELL \\\n", "this preprocessor line does not end"),
    ] {
        let library = Library::new(text.as_bytes());
        let (status, found) = library.kernels(&["--sources", "src", "--write"]);
        assert!(status == Some(1) && found.contains("error[TG0980]") && found.contains(said), "{found}");
        assert_eq!(library.bytes(), text.as_bytes());
    }
    let library = Library::new(b"int sold;\n");
    let (status, said) = library.kernels(&["--sources", "src", "--write-to", "native_functions.yaml"]);
    assert!(status == Some(2) && said.contains("does not have the name of a C++ source"), "{said}");
    let mut permissions = fs::metadata(library.source()).expect("a file").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(library.source(), permissions).expect("new permissions");
    let (status, said) = library.kernels(&["--sources", "src", "--write"]);
    assert!(status == Some(2) && said.contains("it is read-only"), "{said}");
    assert_eq!(library.bytes(), b"int sold;\n");
}

/// Also if the skeletons go to a file that is not among the sources.
fn another_run_finds_the_skeletons() {
    for flags in [&["--write-to", "more.cpp"][..], &["--write"]] {
        let library = Library::new(b"");
        fs::rename(library.source(), library.0.path().join("src/other.cpp")).expect("a renamed file");
        let flags = [&["--sources", "src/other.cpp"], flags].concat();
        let (status, said) = library.kernels(&flags);
        assert!(status == Some(0) && said.contains("wrote 1 kernel in"), "{said}");
        let (status, said) = library.kernels(&flags);
        assert!(status == Some(0) && said.contains("1 kernel, all defined"), "{said}");
    }
}

fn verify_writes_nothing() {
    let library = Library::new(b"int sold;\n");
    let (status, said) = library.kernels(&["--sources", "src", "--write", "--verify"]);
    assert!(status == Some(1) && said.contains("error[TG0005]: 1 output would change"), "{said}");
    assert_eq!(library.bytes(), b"int sold;\n");
    assert_eq!(library.kernels(&["--sources", "src", "--write"]).0, Some(0));
    assert_eq!(library.kernels(&["--sources", "src", "--write", "--verify"]).0, Some(0));
}

/// Kernels of other operators are not compared, and their definitions are not unnamed.
fn only_some_operators() {
    let library = Library::new(b"namespace shop::native {\nint other() { return 1; }\n}\n");
    let path = library.0.path().join("native_functions.yaml");
    let more = "- func: shop::lend(Tensor x) -> Tensor\n  dispatch:\n    CPU: lend_cpu\n";
    fs::write(&path, fs::read_to_string(&path).expect("the YAML") + more).expect("the YAML");
    let run = |only: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        let command = command.args(["kernels", "-s", ".", "--sources", "src", "--only", only]);
        let output = command.current_dir(library.0.path()).output().expect("the binary runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        crate::reported::note(&text(&output.stderr));
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (status, printed, said) = run("shop::lend");
    assert_eq!((status, printed.matches("is not written yet").count()), (Some(1), 1), "{printed}{said}");
    assert!(printed.contains("lend_cpu") && !said.contains("sell") && !said.contains("TG0931"), "{printed}{said}");
    let (status, printed, _) = run("sell,lend");
    assert_eq!((status, printed.matches("is not written yet").count()), (Some(1), 2), "{printed}");
    let (status, _, said) = run("lent");
    assert!(status == Some(2) && said.contains("did you mean `lend`?"), "{said}");
}

const IN_PYTHON: &str = "\
- func: shop::sell(Tensor[] goods, SymInt[2] size, Tensor(a!) till, str from=\"shop\", *, Generator? by=None, \
ScalarType dtype=long) -> (Tensor, Tensor?[])
  tags: nondeterministic_seeded
  dispatch:
    CPU, CUDA: .sales:sell
- func: shop::count(*, int from=0) -> ()
  dispatch:
    CompositeExplicitAutograd: .stock.counts:count
- func: shop::pack(Tensor goods) -> Tensor
  dispatch:
    CPU: pack_cpu
    CUDA: .sales:pack
";

/// What a new module begins with.
const HEAD: &str = "\
\"\"\"Kernels of shop in Python.\"\"\"\n\nfrom __future__ import annotations\n\nimport torch\n\n\n";

const SELL: &str = "\
def sell(
    goods: list[torch.Tensor],
    size: list[int],
    till: torch.Tensor,
    from_: str,
    *,
    by: torch.Generator | None,
    dtype: torch.dtype,
) -> tuple[torch.Tensor, list[torch.Tensor | None]]:
    \"\"\"The kernel of shop::sell for CPU and CUDA.

    shop::sell(Tensor[] goods, SymInt[2] size, Tensor(a!) till, str from=\"shop\", *, Generator? by=None, \
ScalarType dtype=long) -> (Tensor, Tensor?[])
    \"\"\"
    raise NotImplementedError(\"shop::sell is not written yet\")
";

const PACK: &str = "\
def pack(goods: torch.Tensor) -> torch.Tensor:
    \"\"\"The kernel of shop::pack for CUDA.

    shop::pack(Tensor goods) -> Tensor
    \"\"\"
    raise NotImplementedError(\"shop::pack is not written yet\")
";

const COUNT: &str = "\
def count(**named) -> None:
    \"\"\"The kernel of shop::count for all devices.

    shop::count(*, int from=0) -> ()
    \"\"\"
    raise NotImplementedError(\"shop::count is not written yet\")
";

/// Each goes to its module: with the types of what it gets, once for all its keys.
fn kernels_in_python() {
    let library = Library::new(b"");
    let read = |name: &str| fs::read_to_string(library.0.path().join(name)).expect("a file");
    fs::write(library.0.path().join("native_functions.yaml"), IN_PYTHON).expect("the YAML");
    let (status, said) = library.kernels(&["--sources", "src", "--only", "sell,pack"]);
    let missing = "kernel `.sales:sell` is not defined anywhere";
    assert!(status == Some(1) && said.matches(missing).count() == 1, "{said}");
    let (status, said) = library.kernels(&["--sources", "src", "--write"]);
    let written = "wrote 1 kernel in `src/pack.cpp`, 3 kernels in `./python/sales.py`, \
                   1 kernel in `./python/stock/counts.py`";
    assert!(status == Some(0) && said.contains(written), "{said}");
    assert_eq!(read("python/sales.py"), format!("{HEAD}{SELL}\n\n{PACK}"));
    assert_eq!(read("python/stock/counts.py"), format!("{HEAD}{COUNT}"));
    let (status, said) = library.kernels(&["--sources", "src", "--write"]);
    assert!(status == Some(0) && said.contains("5 kernels, all defined"), "{said}");
}

/// They are appended to, with their line ends, and import torch once.
fn modules_stay_as_they_are() {
    let library = Library::new(b"");
    fs::write(
        library.0.path().join("native_functions.yaml"),
        &IN_PYTHON[IN_PYTHON.find("- func: shop::pack").expect("its entry")..],
    )
    .expect("the YAML");
    fs::remove_dir_all(library.0.path().join("src")).expect("no sources");
    let (status, said) = library.kernels(&[]);
    assert!(status == Some(2) && said.contains("there are no sources to compare with the YAML"), "{said}");
    fs::write(
        library.0.path().join("native_functions.yaml"),
        "- func: shop::pack(Tensor goods) -> Tensor\n  dispatch: {CUDA: .sales:pack}\n",
    )
    .expect("the YAML");
    fs::create_dir(library.0.path().join("python")).expect("a directory");
    let module = library.0.path().join("python/sales.py");
    for (before, between) in
        [("import torch\r\n\r\nx = 1\r\n", "\r\n\r\n"), ("import os", "\nimport torch\n\n\n"), ("\n", HEAD)]
    {
        fs::write(&module, before).expect("a module");
        let (status, said) = library.kernels(&["--write", "--verify"]);
        assert!(status == Some(1) && said.contains("error[TG0005]: 1 output would change"), "{said}");
        assert_eq!(library.kernels(&["--write"]).0, Some(0));
        let line_end = if before.contains('\r') { "\r\n" } else { "\n" };
        let expected = format!("{before}{between}{}", PACK.replace('\n', line_end));
        assert_eq!(fs::read_to_string(&module).expect("a module"), expected);
        let (status, said) = library.kernels(&[]);
        assert!(status == Some(0) && said.contains("1 kernel, all defined"), "{said}");
    }
}

/// What ends like a module's path is not that module if the package has an inner one.
fn a_module_is_found_by_its_whole_path() {
    let library = Library::new(b"");
    let path = |name: &str| library.0.path().join(name);
    let yaml = "- func: shop::a(Tensor x) -> Tensor\n  dispatch: {CPU: .kernels:a}\n\
                - func: shop::b(Tensor x) -> Tensor\n  dispatch: {CPU: .sub.kernels:b}\n";
    fs::write(path("native_functions.yaml"), yaml).expect("the YAML");
    fs::create_dir_all(path("python/sub")).expect("a directory");
    fs::write(path("python/sub/kernels.py"), "def a(x): ...\ndef b(x): ...\n").expect("a module");
    let (status, said) = library.kernels(&["--sources", "src"]);
    assert!(status == Some(1) && said.contains("expected in `./python/kernels.py`: def a("), "{said}");
    assert!(!said.contains(".sub.kernels:b` is not defined"), "{said}");
    // The package is put together from elsewhere.
    fs::create_dir(path("lib")).expect("a directory");
    fs::write(path("lib/kernels.py"), "def a(x): ...\n").expect("a module");
    let modules = ["--python-modules", "lib/kernels.py", "python/sub/kernels.py"];
    let (status, said) = library.kernels(&[&["--sources", "src"], modules.as_slice()].concat());
    assert!(status == Some(0) && said.contains("2 kernels, all defined"), "{said}");
    // Nothing is written if something cannot be.
    fs::remove_dir_all(path("python")).expect("a directory");
    fs::write(path("python"), "").expect("a file in its place");
    let yaml = format!("{yaml}- func: shop::c(Tensor x) -> Tensor\n  dispatch: {{CPU: c_cpu}}\n");
    fs::write(path("native_functions.yaml"), yaml).expect("the YAML");
    let (status, said) = library.kernels(&["--sources", "src", "--write"]);
    assert!(status == Some(2) && said.matches("cannot write ./python: it is not a directory").count() == 1, "{said}");
    assert!(!path("src/c.cpp").exists());
}

/// Names of types and of parameters do not get into each other's way.
fn skeletons_can_be_imported() {
    let library = Library::new(b"");
    let path = |name: &str| library.0.path().join(name);
    let yaml = "- func: shop::a(Tensor x, *, int named, int from) -> Tensor\n  dispatch: {CPU: .kernels:a}\n\
                - func: shop::b(Tensor[] x) -> Tensor\n  dispatch: {CPU: .kernels:list}\n\
                - func: shop::c(Tensor x) -> Tensor\n  dispatch: {CPU: .kernels:both}\n\
                - func: shop::d(Tensor x, int n) -> ()\n  dispatch: {CPU: .kernels:both}\n";
    fs::write(path("native_functions.yaml"), yaml).expect("the YAML");
    fs::create_dir(path("python")).expect("a directory");
    let before = "\"\"\"How to use it:\n\nimport torch\n\"\"\"\n";
    fs::write(path("python/kernels.py"), before).expect("a module");
    let (status, said) = library.kernels(&["--write"]);
    assert!(status == Some(0) && said.contains("wrote 4 kernels"), "{said}");
    let written = fs::read_to_string(path("python/kernels.py")).expect("a module");
    for line in [
        "import torch\n\n\ndef ",
        "def a(x: \"torch.Tensor\", *, named: \"int\", **named_) -> \"torch.Tensor\":\n",
        "def list(x: \"list[torch.Tensor]\") -> \"torch.Tensor\":\n",
        "def both(*args, **kwargs) -> \"object\":\n    \"\"\"The kernel of shop::c and shop::d for CPU.\n",
        "    shop::c(Tensor x) -> Tensor\n    shop::d(Tensor x, int n) -> ()\n",
    ] {
        assert!(written[before.len()..].contains(line), "{line}\n{written}");
    }
}

/// Lines have tests that are for all operators; what these name is no test of an operator.
fn lines_get_tests() {
    let library = Library::new(b"");
    let write = |text: &str| fs::write(library.0.path().join("native_functions.yaml"), text).expect("a new file");
    let cat = "- func: shop::cat(Tensor x) -> Tensor\n  dims: (x[*b, n]) -> [*b, n] map(b)\n  dispatch: {CPU: cat}\n";
    write(cat);
    let exists = |name: &str| library.0.path().join("tests").join(name).exists();
    let (status, said) = library.kernels(&["--tests"]);
    assert!(status == Some(0) && said.contains("wrote tests of 1 operator to `./tests`"), "{said}");
    let text = fs::read_to_string(library.0.path().join("tests/test_dims.py")).expect("tests");
    assert!(text.contains("PACKAGES = [\"shop\"]\n"), "{text}");
    assert!(exists("dims_cases.py") && exists("dims_inputs.py") && !exists("test_sharding.py"));
    let (status, said) = library.kernels(&["--tests", "--sharding"]);
    assert!(status == Some(0) && said.contains("wrote 2 files to `./tests`"), "{said}");
    assert!(exists("test_sharding.py") && exists("dims_sharded.py"));
    let (status, said) = library.kernels(&["--tests", "--sharding"]);
    assert!(status == Some(0) && said.contains("every operator has tests"), "{said}");

    write(&format!("{cat}- func: shop::sum(Tensor x) -> Tensor\n"));
    let (status, said) = library.kernels(&["--tests"]);
    assert!(status == Some(0) && said.contains("wrote tests of 1 operator"), "{said}");
    assert!(exists("test_sum.py"));
}

/// Arguments have values of their types, and a gradient where a formula gives one.
fn operators_without_tests_get_some() {
    let library = Library::new(b"");
    let write = |name: &str, text: &str| fs::write(library.0.path().join(name), text).expect("a new file");
    write(
        "native_functions.yaml",
        "- func: shop::sell(Tensor x, int[2] size, Tensor? by=None, *, str mode, ScalarType dtype=float) -> Tensor\n\
         - func: shop::sell.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)\n\
         - func: shop::buy(Tensor x) -> Tensor\n\
         - func: shop::count() -> int\n",
    );
    write(
        "derivatives.yaml",
        "- name: shop::sell(Tensor x, int[2] size, Tensor? by=None, *, str mode, ScalarType dtype=float) -> Tensor\n  x, by: sold(grad)\n",
    );
    fs::create_dir(library.0.path().join("tests")).expect("a new directory");
    write("tests/test_own.py", "def test_buy():\n    torch.ops.shop.buy(x)\n");
    let (status, said) = library.kernels(&["--tests"]);
    assert!(status == Some(0) && said.contains("wrote tests of 2 operators to `./tests`"), "{said}");
    let read = |name: &str| fs::read_to_string(library.0.path().join("tests").join(name)).expect("a test");
    let text = read("test_sell.py");
    let arguments = "    args = (\n        torch.randn(batch, 4, dtype=dtype, requires_grad=grad),  # x\n        [1, 1],  # size\n    )\n    \
                     kwargs = {\n        \"by\": torch.randn(batch, 4, dtype=dtype, requires_grad=grad),\n        \"mode\": \"\",\n    }\n    \
                     return args, kwargs\n";
    assert!(text.contains(arguments), "{text}");
    let tests: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("def test_")).collect();
    assert_eq!(
        tests,
        ["sell_inputs(change):", "sell_values():", "sell_opcheck():", "sell_gradients(change):", "sell_compiled():"]
    );
    // Each input has a line, and a name that is the test's id.
    let inputs = "sell_inputs = {\n    \"contiguous\": contiguous,\n    \"transposed\": transposed,\n    \"expanded\": expanded,\n    \
                  \"offset\": offset,\n    \"empty\": empty,\n    \"by=None\": argument(\"by\", None),\n    **second_device(),\n}\n";
    assert!(text.contains(inputs), "{text}");
    assert!(read("hard_inputs.py").contains("def second_device():"));
    assert!(read("test_count.py").contains("    args = ()\n    kwargs = {}\n    return args, kwargs\n"), "{text}");
    assert!(!library.0.path().join("tests/test_buy.py").exists());

    // What was written has the operators' names.
    let (status, said) = library.kernels(&["--tests"]);
    assert!(status == Some(0) && said.contains("every operator has tests in `./tests`"), "{said}");
    assert_eq!(read("test_sell.py"), text);
}
