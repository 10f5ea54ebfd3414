//! Tests of the command line.

use clap::FromArgMatches;

use super::*;
use torchgen_generators::OutputKind;
use torchgen_generators::args::GenerateArgs;

fn parse(line: &str) -> Result<clap::ArgMatches, clap::Error> {
    let words = std::iter::once("torchgen-rs").chain(line.split_whitespace());
    definition().try_get_matches_from(normalise(words.map(OsString::from)).words)
}

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
    assert_eq!(generate("--source_p a").install_dir.to_str(), Some("build/aten/src/ATen"));
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
fn the_definition_is_sound() {
    definition().debug_assert();
}

#[test]
fn the_head_of_a_file_names_the_command() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.yaml");
    let word = |text: &str| {
        std::fs::write(&path, text).unwrap();
        default_command(&source_paths(&["-d".into(), "x".into(), "-s".into(), path.clone().into()]))
    };
    assert_eq!(word("family: torch\n"), "generate");
    assert_eq!(word("- func: f() -> ()\n"), "generate");
    for command in families::commands().filter(|command| command.documents.is_some()) {
        assert_eq!(word(&format!("family: {}\n", command.name)), command.name);
    }
}

#[test]
fn all_sources_are_found() {
    let found = |line: &str| {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        source_paths(&words).iter().map(|path| path.to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("-s a b -d out --source_path=c d -se --strict f"), ["a", "b", "c", "d", "e"]);
    assert_eq!(found("--source a -o b"), ["a"]);
    assert_eq!(found("-d a"), [""; 0]);
}

#[test]
fn sources_of_several_families_need_several_commands() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    let several = || check::several_families(&[dir.path().to_owned()]).map(|error| error.notes.len());
    file("a.yaml", "family: graph-ir\n");
    assert_eq!(several(), None);
    file("b.yaml", "family: tensor-ir\n");
    assert_eq!(several(), Some(2));
    file("native_functions.yaml", "[]\n");
    assert_eq!(several(), Some(3));
}
