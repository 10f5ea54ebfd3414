//! Every embedded template and C++ source can be replaced, and a template names the views that it
//! is rendered with.
//!
//! The runs below, to which a family adds its own, replace each of them by one that leaves a mark.
//! The mark must be in a written file or in the output. The views of each template are measured
//! too: debug builds record what they render.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use libtest_mimic::Trial;
use regex::Regex;
use walkdir::WalkDir;

use crate::support::cases::Case;
use crate::support::expected;
use crate::support::pytorch::{pytorch, root};

/// The command lines, from the root of the checkout: `OUT` is a new directory, `PYTORCH` a source
/// path in PyTorch's layout, `LIBRARY` the bundled library without its templates, which would
/// replace the embedded ones.
const RUNS: &[&str] = &[
    "-s LIBRARY -d OUT",
    "-s LIBRARY -d OUT --per-operator-headers",
    "-s tests/autograd -d OUT",
    "-s tests/silent -d OUT",
    "-s tests/structured -d OUT",
    "-s tests/dialect/library -d OUT",
    "-s tests/python_package/source -d OUT",
    "-s tests/conditions -d OUT",
    "-s tests/dims -d OUT",
    "-s tests/dims -d OUT --abi stable",
    "-s tests/several tests/several/cache.yaml tests/several/attention -d OUT --python-package several_ops",
    "-s PYTORCH/empty -d OUT --aoti-install-dir OUT/aoti",
    "-s PYTORCH/shims -d OUT --aoti-install-dir OUT/aoti --update-aoti-c-shim",
    "-s PYTORCH/source -d OUT --aoti-install-dir OUT/aoti --mps --xpu --mtia --rocm --per-operator-headers",
    "-s PYTORCH/source -d OUT --aoti-install-dir OUT/aoti --static-dispatch-backend CPU \
     --op-selection-yaml-path PYTORCH/selective.yaml",
    "-s PYTORCH/source -d OUT --aoti-install-dir OUT/aoti --native-aot-ops-dir PYTORCH/declarations",
    "-s PYTORCH/source -d OUT --aoti-install-dir OUT/aoti -o OUT/lists/list.cmake --depfile OUT/lists/list.d \
     --force-schema-registration",
    "autograd --native-functions-path PYTORCH/source/native/native_functions.yaml \
     --tags-path PYTORCH/source/native/tags.yaml --autograd-dir PYTORCH/autograd --install-dir OUT",
    "autograd --native-functions-path PYTORCH/views/native/native_functions.yaml \
     --tags-path PYTORCH/source/native/tags.yaml --autograd-dir PYTORCH/autograd --install-dir OUT",
    "generate-code --native-functions-path PYTORCH/source/native/native_functions.yaml \
     --tags-path PYTORCH/source/native/tags.yaml --autograd-dir PYTORCH/autograd --gen-dir OUT",
    "backend-stubs -s tests/conformance/backend/added.yaml -o OUT --torch-path PYTORCH/checkout",
    "backend-stubs -s tests/conformance/backend/added_functional.yaml -o OUT --torch-path PYTORCH/checkout",
    "lazy-tensor -s PYTORCH/lazy.yaml -o OUT --torch-path PYTORCH/checkout --skip-shape-inference-check \
     --gen-ts-lowerings --gen-forced-fallback-code --node-base-hdr own/node.h",
    "graph-ir -s families/graph-ir/example -d OUT --emit docs,dot,model,self-test",
    "graph-ir -s families/graph-ir/example -d OUT --against families/graph-ir/example",
    "new OUT/my_graph --family graph-ir",
    "explain rms_norm -s LIBRARY --format svg",
    "explain rms_norm -s LIBRARY --format dot",
    "explain --family graph-ir -s families/graph-ir/example Add",
    "op-builders -s families/op-builders/example -d OUT --emit docs,model,self-test",
    "explain --family op-builders -s families/op-builders/example gelu_erf",
    "new OUT/my_builders --family op-builders",
    "tensor-ir -s families/tensor-ir/example -d OUT --emit docs,model,parser,self-test,skeletons",
    "tensor-ir -s families/tensor-ir/example -d OUT --against families/tensor-ir/example",
    "new OUT/my_ir --family tensor-ir",
    "explain --family tensor-ir -s families/tensor-ir/example add",
    "generator -s families/generator/example -d OUT --emit docs,schema",
    "explain --family generator -s families/generator/example add.Tensor",
    "new OUT/my_generator --family generator",
    "declarations -s PYTORCH/source -d OUT",
    "wrappers -s families/wrappers/tests/templates.yaml -d OUT --mock --all --emit stubs",
    "wrappers -s families/wrappers/tests/legacy/backend.yaml -d OUT",
    "explain --family wrappers -s families/wrappers/tests/templates.yaml abs",
    "new OUT/my_backend --family wrappers",
    "gen-unboxing -s PYTORCH/source -d OUT",
    "stable-ops --ops aten::cumsum,aten::rand --torch-min 2.13 --output OUT/stable_ops.h",
    "-s tests/stable/library -d OUT --abi stable",
    "-s tests/stable/trained -d OUT --abi stable",
    "gen-static-runtime-ops -s PYTORCH/source -p OUT/ops.cpp -t OUT/tests.cc",
    "from-cpp tests/stable/from_cpp/sounds.cpp --output OUT/native_functions.yaml",
    "gen-pyi --native-functions-path PYTORCH/source/native/native_functions.yaml \
     --tags-path PYTORCH/source/native/tags.yaml --deprecated-functions-path PYTORCH/autograd/deprecated.yaml \
     --template-dir PYTORCH/stubs --out OUT",
    "backend-stubs -s PYTORCH/hooks.yaml -o OUT --torch-path PYTORCH/checkout",
    "gen-oplist --output-dir OUT --model-file-list-path tests/selection/expected/bird.yaml \
     --allow-include-all-overloads",
    "explain soft_cap",
    "docs -s LIBRARY -d OUT",
    "docs -s LIBRARY -d OUT --format markdown",
    "docs -s PYTORCH/source -d OUT",
    "docs -s tests/diff/new/ATen --from tests/diff/old/ATen -d OUT",
    "docs -s tests/site/families/graph-ir.yaml -d OUT",
    "docs -s tests/site/families/graph-ir.yaml -d OUT --format markdown",
    "docs -s tests/site/families/wrappers.yaml -d OUT",
    "explain nms",
    "explain -s tests/mini/source scale",
    "kernels -s LIBRARY --sources OUT",
    "kernels -s LIBRARY --sources OUT --write",
    "kernels -s LIBRARY --tests OUT",
    "kernels -s tests/dims --tests OUT --sharding",
    "kernels -s tests/adopted/registered --tests OUT",
    "adopt tests/adopted/sources/oldlib.cpp --out-dir OUT --write",
    "adopt tests/adopted/bound/library --out-dir OUT --write",
    "kernels -s tests/stable/library --sources OUT",
    "kernels -s KERNELS_IN_PYTHON --sources OUT",
    "new OUT/my_ops --abi unstable --cuda",
    "new OUT/my_stable_ops --cuda",
    "new OUT/my_inner_ops --inside my_package --abi unstable",
];

/// The test of this module; a release build does not record views.
pub(crate) fn trials() -> Vec<Trial> {
    if cfg!(debug_assertions) { trials![templates_can_be_replaced_and_name_their_views] } else { Vec::new() }
}

/// All templates and C++ sources by name, but those of `units`, which the program does not
/// register.
fn templates() -> BTreeMap<String, String> {
    let is_one = |path: &PathBuf| path.extension().is_some_and(|end| end == "j2" || end == "h" || end == "cpp");
    let mut templates = BTreeMap::new();
    for (prefix, dir) in folders() {
        let paths = WalkDir::new(&dir).into_iter().map(|entry| entry.expect("a readable entry").into_path());
        for path in paths.filter(is_one) {
            let name = format!("{prefix}{}", path.strip_prefix(&dir).expect("below").to_string_lossy());
            templates.insert(name, fs::read_to_string(&path).expect("a template"));
        }
    }
    // Those of the language server, of comments, of lists, of probes and of environments are not
    // replaced; tests/fast/lsp.rs, tests/fast/diff.rs, tests/here, tests/torch/dims.rs and
    // project.rs show what they say.
    let kept = ["kit/comment.md.j2", "torch/explain/operators.j2", "torch/kernels/probe.py.j2"];
    let is_replaced = |name: &str| !kept.contains(&name);
    let asks = |name: &str| ["editor/", "torch/project/"].iter().any(|folder| name.starts_with(folder));
    templates.retain(|name, _| !asks(name) && is_replaced(name));
    templates
}

/// The folders of templates, each with the beginning of their names.
fn folders() -> Vec<(String, PathBuf)> {
    let families =
        fs::read_dir(root().join("families")).expect("families").map(|entry| entry.expect("a family").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().replace('-', "_");
    let families = families.map(|path| (format!("{}/", name(&path)), path.join("templates")));
    let families = families.filter(|(prefix, dir)| dir.is_dir() && prefix != "units/");
    families.chain([(String::new(), root().join("templates"))]).collect()
}

/// The mark of the replaced template in the output.
fn mark(name: &str) -> String {
    format!("replaced:{name}:")
}

/// Whether a file is C++ that is not a template, which has no view.
fn is_plain(name: &str) -> bool {
    !name.ends_with(".j2")
}

/// The template with its mark: at the end and, because only the macros of an imported template are
/// emitted, at the end of each macro. In a C++ source the mark is in its namespace, since templates
/// write what is there. In YAML that the same run reads it is a comment.
fn marked(name: &str, text: &str) -> String {
    let mark = mark(name);
    if is_plain(name) {
        let at = text.find("\n} // namespace torchgen_").unwrap_or(text.len());
        let at = text[..at].rfind("\n} // namespace").filter(|before| at - before < 20).unwrap_or(at);
        return format!("{}\n// {mark}\n{}", &text[..at], &text[at..]);
    }
    if name.starts_with("torch/adopt/") && name.ends_with(".yaml.j2") {
        return format!("{text}# {mark}\n");
    }
    let text = ["{% endmacro", "{%- endmacro"]
        .iter()
        .fold(text.to_owned(), |text, end| text.replace(end, &format!("{mark}{end}")));
    format!("{text}{mark}")
}

/// The views that the head of a template names: `{# view: path::of::Type #}`, several with commas.
fn named_views(text: &str) -> Option<BTreeSet<String>> {
    let (views, _) = text.strip_prefix("{# view: ")?.split_once(" #}\n")?;
    Some(views.split(',').map(|view| view.trim().to_owned()).collect())
}

/// A type as heads of templates name it: `model::...` for one of the crate `torchgen_model`,
/// without generics and references.
fn view_name(of: &str) -> String {
    let of = of.trim_start_matches('&');
    let of = of.split_once('<').map_or(of, |(name, _)| name);
    of.strip_prefix("torchgen_").unwrap_or(of).to_owned()
}

/// The results of a function for the items, several at a time.
fn on_all_cores<T: Sync, R: Send>(items: &[T], function: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        std::iter::from_fn(|| {
            let index = next.fetch_add(1, Ordering::Relaxed);
            items.get(index).map(|item| function(index, item))
        })
        .collect::<Vec<R>>()
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread that ends")).collect()
    })
}

/// The templates whose marks one of the [`RUNS`] prints or writes. `places` are the directories
/// that its words name; `OUT` is `out`.
fn marks_of(run: &str, out: &Path, places: &[(&str, PathBuf)], used: &Path) -> BTreeSet<String> {
    static MARK: LazyLock<Regex> = LazyLock::new(|| Regex::new("replaced:([^:]+):").expect("a regex"));
    let path = |name: &str, path: &Path| if name == "OUT" { out.to_owned() } else { path.to_owned() };
    let word = |word: &str| {
        let filled = |word: String, (name, of): &(&str, PathBuf)| word.replace(name, &path(name, of).to_string_lossy());
        places.iter().fold(word.to_owned(), filled)
    };
    // A generator of a user has only templates of its own to replace.
    let overlay = if run.contains("families/generator/example") { "OF_GENERATORS" } else { "OVERLAY" };
    let words = format!("{run} --template-dir {overlay}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.args(words.split_whitespace().map(word)).current_dir(root()).env("TORCHGEN_USED_TEMPLATES", used);
    let output = command.output().expect("the binary runs");
    // `kernels` ends with 1 if it printed missing kernels.
    let good = output.status.success() || run.starts_with("kernels");
    assert!(good, "{run}\n{}", String::from_utf8_lossy(&output.stderr));
    let mut marks = BTreeSet::new();
    let mut look = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        marks.extend(MARK.captures_iter(&text).map(|found| found[1].to_owned()));
    };
    look(&output.stdout);
    look(&output.stderr);
    for entry in WalkDir::new(out).into_iter().map(|entry| entry.expect("a readable entry")) {
        if entry.file_type().is_file() {
            look(&fs::read(entry.path()).expect("a readable file"));
        }
    }
    marks
}

fn templates_can_be_replaced_and_name_their_views() {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let place = |name: &str| scratch.path().join(name);
    let (tree, used, library) = (place("pytorch"), place("used"), place("library"));
    let (overlay, of_generators) = (place("overlay"), place("of-generators"));
    pytorch(&tree);
    fs::create_dir(&library).expect("a new directory");
    for name in ["native_functions.yaml", "derivatives.yaml", "derivatives_manual.h", "library.yaml"] {
        fs::copy(root().join(name), library.join(name)).expect("a new file");
    }
    let templates = templates();
    for (name, text) in &templates {
        let is_of_generators = name.starts_with("generator/");
        for overlay in [Some(&overlay), is_of_generators.then_some(&of_generators)].into_iter().flatten() {
            let path = overlay.join(name);
            fs::create_dir_all(path.parent().expect("a directory")).expect("a new directory");
            fs::write(path, marked(name, text)).expect("a new file");
        }
    }
    let in_python = place("kernels-in-python");
    Case::read(&root().join("tests/ui/kernels-python.md"), &[]).expect("a case").write_files(&in_python);
    let places = [
        ("OUT", place("out")),
        ("PYTORCH", tree),
        ("LIBRARY", library),
        ("OVERLAY", overlay),
        ("OF_GENERATORS", of_generators),
        ("KERNELS_IN_PYTHON", in_python),
    ];
    let marks = on_all_cores(RUNS, |index, run| {
        let out = place(&format!("out{index}"));
        fs::create_dir(&out).expect("a new directory");
        marks_of(run, &out, &places, &used)
    });
    let marks: BTreeSet<String> = marks.into_iter().flatten().collect();
    // They are run, and what they print is read.
    let run = ["torch/adopt/registered.py.j2", "torch/adopt/written.py.j2", "torch/adopt/classes.py.j2"];
    let is_run = |name: &str| run.contains(&name);
    let unmarked: Vec<&String> =
        templates.keys().filter(|name| !marks.contains(*name) && !is_run(name.as_str())).collect();
    let count = templates.len();
    assert!(unmarked.is_empty(), "replacing these of {count} templates changes no output: {unmarked:#?}");

    let used = fs::read_to_string(&used).expect("debug builds note what they render");
    let mut views: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (name, view) in used.lines().filter_map(|line| line.split_once('\t')) {
        views.entry(name).or_default().insert(view_name(view));
    }
    let head = |views: &BTreeSet<String>| {
        let views: Vec<&str> = views.iter().map(String::as_str).collect();
        format!("{{# view: {} #}}\n", views.join(",\n         "))
    };
    if expected::are_written() {
        for (name, views) in &views {
            let text = &templates[*name];
            let body = named_views(text).and_then(|_| text.split_once(" #}\n")).map_or(text.as_str(), |(_, body)| body);
            let folder = |(prefix, dir): (String, PathBuf)| Some(dir.join(name.strip_prefix(prefix.as_str())?));
            let path = folders().into_iter().find_map(folder).expect("a folder of the template");
            fs::write(path, head(views) + body).expect("a template");
        }
        return;
    }
    let wrong: Vec<String> = templates
        .iter()
        .filter(|(name, text)| {
            !is_plain(name) && !is_run(name) && named_views(text).as_ref() != views.get(name.as_str())
        })
        .map(|(name, _)| format!("{name}: {}", views.get(name.as_str()).map_or_else(String::new, head)))
        .collect();
    assert!(wrong.is_empty(), "the first lines of these templates should name their views:\n{}", wrong.concat());
}
