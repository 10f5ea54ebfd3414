//! `examples/privateuse1`: a device of our own, with kernels for PyTorch's operators, as
//! docs/privateuse1.md describes it.

use libtest_mimic::Trial;

use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![example_runs, page_shows_the_example]
}

fn example_runs() {
    let source = root().join("examples/privateuse1");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path();
    torch().generate(&source, out);
    let library = torch()
        .cxx("privateuse1")
        .shared()
        .source(out.join("src/Library_0.cpp"))
        .source(source.join("kernels.cpp"))
        .source(source.join("device.cpp"))
        .include(out)
        .include(out.join("include"))
        .include(&source)
        .built();
    let said = run(torch().tool("python").arg(source.join("test_device.py")).arg(&library));
    for behaviour in [
        "moved",
        "mixed_dtypes",
        "scalars_on_cpu",
        "broadcasting",
        "views",
        "autograd",
        "printed",
        "saved",
        "copied",
        "compiled",
    ] {
        assert!(said.contains(&format!("{behaviour} ok")), "{behaviour} was not tried:\n{said}");
    }
}

/// The code on the page is the example's.
fn page_shows_the_example() {
    let page = std::fs::read_to_string(root().join("docs/privateuse1.md")).expect("the page");
    let files = ["native_functions.yaml", "kernels.cpp", "test_device.py"];
    let files = files.map(|name| std::fs::read_to_string(root().join("examples/privateuse1").join(name)).expect(name));
    let blocks: Vec<&str> = page.split("```").skip(1).step_by(2).collect();
    assert!(blocks.len() >= 5, "{}", blocks.len());
    for block in blocks {
        let code = block.split_once('\n').expect("a fence with its language").1;
        assert!(files.iter().any(|text| text.contains(code)), "{code}");
    }
    assert!(files[0].matches("    PrivateUse1: ").count() >= 15, "operators with a kernel");
}
