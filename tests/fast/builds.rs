//! What builds see of a run: depfiles that name no more than a run depends on, and the headers of
//! AOTInductor that a later run adds to.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;

use crate::incremental::tree::Tree;
use crate::pytorch::AUTOGRAD_TEMPLATES;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![depfiles_name_nothing_above_the_sources, shims_extend_an_updated_header]
}

/// PyTorch's layout in small, with autograd in `tools/autograd`, and no `torchgen/` above it.
fn with_autograd() -> Tree {
    let tree = Tree::mini();
    AUTOGRAD_TEMPLATES.iter().for_each(|name| tree.append(&format!("tools/autograd/templates/{name}"), "\n"));
    tree.append("tools/autograd/derivatives.yaml", "[]\n");
    tree.append("tools/autograd/deprecated.yaml", "[]\n");
    tree
}

/// Every file that is created in a listed directory makes Ninja run the rule.
fn depfiles_name_nothing_above_the_sources() {
    let tree = with_autograd();
    let flags = "--generate headers autograd --autograd-dir tools/autograd --autograd-install-dir out/autograd \
                 --depfile x.d";
    let listed = || {
        let text = fs::read_to_string(tree.path("x.d")).expect("a depfile");
        let rule = text.split("\n\n").next().expect("a rule").to_owned();
        let inputs = rule.lines().map(|line| line.trim_end_matches(" \\").trim().to_owned());
        inputs.filter(|line| tree.dir.path().ancestors().any(|above| Path::new(line) == above)).collect::<Vec<_>>()
    };
    tree.run(flags);
    assert_eq!(listed(), [""; 0]);
    // The run itself sees a package that appears above the sources.
    assert!(tree.is_unchanged(flags));
    fs::create_dir(tree.path("torchgen")).expect("a directory");
    assert!(!tree.is_unchanged(flags));
}

/// Out of PyTorch's tree, shims of composite kernels are those of the tree: a header with them is
/// extended.
fn shims_extend_an_updated_header() {
    let tree = Tree::mini();
    let composite = "\n- func: pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor\n";
    tree.append("source/native/native_functions.yaml", composite);
    tree.run("--extend-aoti-c-shim");
    tree.run("--update-aoti-c-shim");
    let header = fs::read_to_string(tree.path("out/aoti/c_shim_cpu.h")).expect("a header");
    assert!(header.contains("aoti_torch_cpu_pad"), "{header}");
    tree.run("--extend-aoti-c-shim");
    let source = fs::read_to_string(tree.path("out/aoti/c_shim_cpu.cpp")).expect("a source");
    assert!(!source.contains("aoti_torch_cpu_pad") && source.contains("generated/extend/c_shim_cpu.h"), "{source}");
    // A shim that has changed is an error with either flag.
    fs::write(tree.path("out/aoti/c_shim_cpu.h"), header.replace("cpu_pad(", "cpu_pad(int extra, ")).expect("a file");
    for flags in ["", "--extend-aoti-c-shim"] {
        let output = tree.output(flags);
        assert_eq!(output.status.code(), Some(1), "{flags}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("error[TG0531]"), "{flags}");
    }
}
