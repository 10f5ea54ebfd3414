//! Tests of PyTorch's family: the flags of `generate`, and the explanations of its codes.

use clap::FromArgMatches;

use crate::cli::tests::parse;
use torchgen_generators::OutputKind;
use torchgen_generators::args::GenerateArgs;
use torchgen_model::codes::all;

fn generate(line: &str) -> GenerateArgs {
    let matches = parse(line).expect("a valid line");
    let (name, matches) = matches.subcommand().expect("a subcommand");
    assert_eq!(name, "generate");
    GenerateArgs::from_arg_matches(matches).expect("valid flags")
}

#[test]
fn generate_is_the_default() {
    assert_eq!(generate("-s a -d b").source_path().to_str(), Some("a"));
    assert_eq!(generate("generate -s a").source_path().to_str(), Some("a"));
    // This checkout is a library's folder, so it is the default here.
    let args = generate("");
    assert_eq!((args.source_path().to_str(), args.install_dir.to_str()), (Some("."), Some("generated")));
    assert_eq!(generate("--source_p /a").install_dir.to_str(), Some("build/aten/src/ATen"));
    assert_eq!(generate("--install=c").install_dir.to_str(), Some("c"));
}

#[test]
fn lists_add_up_and_scalars_override() {
    let args = generate("--backend_whitelist CPU CUDA --backend-whitelist=Meta -d a -d b");
    assert_eq!(args.backend_whitelist.as_deref(), Some(&["CPU".to_owned(), "CUDA".into(), "Meta".into()][..]));
    assert_eq!(args.install_dir.to_str(), Some("b"));
    let args = generate("--generate headers --generate sources");
    assert_eq!(args.generate, Some(vec![OutputKind::Headers, OutputKind::Sources]));
}

#[test]
fn bare_lists_are_empty() {
    assert_eq!(generate("--static-dispatch-backend --rocm").static_dispatch_backend, Some(Vec::new()));
    assert_eq!(generate("--generate").generate, Some(Vec::new()));
    assert_eq!(generate("--rocm").static_dispatch_backend, None);
}

#[test]
fn abbreviations_work_when_unambiguous() {
    assert_eq!(generate("--inst out").install_dir.to_str(), Some("out"));
    assert!(parse("--s a").is_err());
}

#[test]
fn whitelists_exclude_each_other() {
    assert!(parse("--op-registration-whitelist aten::add --op-selection-yaml-path f").is_err());
}

#[test]
fn ids_ascend() {
    let all = all();
    assert!(all.windows(2).all(|pair| pair[0].id < pair[1].id), "ids must ascend");
}
