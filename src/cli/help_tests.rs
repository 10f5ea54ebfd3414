//! Tests of what the help says, with the whole definition of the command line.

use std::collections::BTreeMap;

use clap::FromArgMatches;

use super::tests::parse;
use super::*;
use torchgen_kit::driver::args::CommonArgs;

/// Flags whose help differs between commands, and why.
const WORDINGS: &[(&str, &str)] = &[
    ("against", "`breaking` takes revisions too"),
    ("backend-yaml", "`check` checks it, `model` adds its kernels"),
    ("dry-run", "the reference's commands for backends accept a value"),
    ("force-schema-registration", "it has an effect in `generate` alone"),
    ("format", "`explain` prints, `docs` writes"),
    ("namespace", "of C++ functions, of operators, of a project"),
    ("only", "`graph-ir` writes a part of the files, `model` and `diff` print some of the things"),
    ("outputs", "`model` prints, `docs` writes"),
    ("python", "`adopt` asks it, `dev` installs for it, `test` takes several"),
    ("root-ops", "one script of the reference takes names, the other a file"),
    ("op-selection-yaml-path", "`check` checks it, `generate` leaves headers as they are"),
    ("torch", "`test` takes several versions"),
    ("write", "`kernels` writes skeletons, `adopt` YAML"),
    ("per-operator-headers", "`generate` writes them, the others include them"),
];

/// The subcommands with all that clap adds.
fn built() -> Vec<clap::Command> {
    let mut all = definition();
    all.build();
    all.get_subcommands().cloned().collect()
}

#[test]
fn every_example_is_a_command_line() {
    for command in commands() {
        assert!(command.examples.len() >= 2, "{} has two examples", command.name);
        for example in command.examples {
            // What follows is the shell's.
            let words = example.line.split(" > ").next().unwrap_or_default();
            let matches = parse(words).unwrap_or_else(|error| panic!("{}: {error}", example.line));
            assert_eq!(matches.subcommand_name(), Some(command.name), "{}", example.line);
            assert!(!example.does.ends_with('.'), "{}", example.does);
        }
        let help = built().iter_mut().find(|built| built.get_name() == command.name).map(|c| c.render_long_help());
        let help = help.map(|help| help.to_string()).unwrap_or_default();
        let shown = help.replace(" \\\n       ", "");
        for example in command.examples {
            assert!(shown.contains(&format!("\n    torchgen-rs {}", example.line)), "{help}");
        }
    }
}

#[test]
fn a_flag_has_one_wording() {
    let mut found: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for command in built() {
        for arg in command.get_arguments() {
            let Some(long) = arg.get_long() else { continue };
            let names: Vec<&str> = arg.get_value_names().unwrap_or_default().iter().map(|name| name.as_str()).collect();
            let takes = arg.get_action().takes_values();
            let text = format!("{} <{}>", arg.get_help().cloned().unwrap_or_default(), names.join(" "));
            let text = if takes { text } else { arg.get_help().cloned().unwrap_or_default().to_string() };
            found.entry(long.to_owned()).or_default().entry(text).or_default().push(command.get_name().to_owned());
        }
    }
    let several: Vec<_> = found.iter().filter(|(_, texts)| texts.len() > 1).collect();
    let listed = |long: &str| WORDINGS.iter().any(|(flag, _)| *flag == long);
    let new: Vec<_> = several.iter().filter(|(long, _)| !listed(long)).collect();
    assert!(new.is_empty(), "{new:#?}");
    for (flag, why) in WORDINGS {
        assert!(several.iter().any(|(long, _)| long == flag), "`--{flag}` has one wording now, so remove: {why}");
    }
}

#[test]
fn every_flag_has_a_heading() {
    let headings = [
        "Input",
        "Output",
        "Diagnostics",
        "Performance",
        "Selection",
        "Autograd",
        "ATen",
        "Operator libraries",
        "Names in the generated code",
    ];
    for command in built() {
        for arg in command.get_arguments().filter(|arg| !arg.is_positional()) {
            let heading = arg.get_help_heading().unwrap_or("none");
            assert!(headings.contains(&heading), "{} --{}: {heading}", command.get_name(), arg.get_id());
        }
    }
}

#[test]
fn commands_have_only_flags_with_an_effect() {
    let written = ["--depfile=f", "--prune", "--force", "--threads=2", "--timings"];
    for (lines, flags) in [
        (&["new x", "cmake-module x", "json-schema library", "list"][..], &written[..]),
        (&["new x", "cmake-module x", "json-schema library", "list"][..], &["--strict", "--verify", "--data-dir=d"]),
        (&["audit x", "from-cpp x"][..], &written[..]),
        (&["check", "explain"][..], &["--depfile=f", "--prune", "--force", "--verify"]),
    ] {
        for line in lines {
            assert!(parse(line).is_ok(), "{line}");
            for flag in flags {
                let error = parse(&format!("{line} {flag}")).map(|_| ()).map_err(|error| error.kind());
                assert_eq!(error, Err(clap::error::ErrorKind::UnknownArgument), "{line} {flag}");
            }
        }
    }
}

/// Commands with the long names and defaults of the reference, and one that lists families.
const REFERENCE: [&str; 9] = [
    "new",
    "generate",
    "autograd",
    "generate-code",
    "gen-unboxing",
    "gen-pyi",
    "gen-static-runtime-ops",
    "gen-oplist",
    "gen-operators-yaml",
];

#[test]
fn the_short_help_has_a_line_for_each_flag() {
    for mut command in built() {
        let (short, long) = (command.render_help().to_string(), command.render_long_help().to_string());
        let name = command.get_name();
        assert!(short.lines().count() <= 40, "{name}: {short}");
        assert!(!short.contains("Examples:") && long.contains("Examples:"), "{name}");
        for arg in command.get_arguments().filter_map(|arg| arg.get_long()) {
            assert!(long.contains(&format!("--{arg}")), "{name} --{arg}");
        }
        let flags = short.split_once("\nInput:").or(short.split_once("\nOutput:")).unwrap_or_default().1;
        let broken: Vec<&str> = flags.lines().filter(|line| line.starts_with("          ")).collect();
        assert!(REFERENCE.contains(&name) || broken.is_empty(), "{name}: {broken:?}");
    }
}

#[test]
fn flags_of_all_commands_are_accepted_before_the_command() {
    let common = |line: &str| {
        let matches = parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let (name, matches) = matches.subcommand().expect("a command");
        let common = CommonArgs::from_arg_matches(matches).expect("flags");
        (name.to_owned(), common.quiet, common.verbose, common.max_errors, format!("{:?}", common.color))
    };
    let expected =
        |name: &str, quiet, verbose, errors, color: &str| (name.to_owned(), quiet, verbose, errors, color.to_owned());
    assert_eq!(common("-q check"), expected("check", true, false, 100, "Auto"));
    assert_eq!(common("--color always check x"), expected("check", false, false, 100, "Always"));
    assert_eq!(common("--color=always --max_errors 3 -v list"), expected("list", false, true, 3, "Always"));
    assert_eq!(common("--col always explain --color never"), expected("explain", false, false, 100, "Never"));
    assert_eq!(common("-q -s x"), expected("generate", true, false, 100, "Auto"));
    assert_eq!(common("--max-errors 2 -s x --mps"), expected("generate", false, false, 2, "Auto"));
    assert_eq!(common("-v"), expected("generate", false, true, 100, "Auto"));
    let misspelt = parse("--color always chek").map(|_| ()).map_err(|error| error.kind());
    assert_eq!(misspelt, Err(clap::error::ErrorKind::InvalidSubcommand));
}

#[test]
fn the_flag_that_is_meant_is_suggested() {
    let suggested = |line: &str| {
        let mut all = definition();
        all.build();
        let error = parse(line).map(|_| ()).expect_err("an unknown flag");
        let command = all.find_subcommand(line.split(' ').next().unwrap_or_default());
        let text = suggest::improve(error, command).to_string();
        text.split_once("tip: ").unwrap_or_default().1.lines().next().unwrap_or_default().to_owned()
    };
    let similar = |flag: &str| format!("a similar argument exists: '{flag}'");
    assert_eq!(suggested("check --src ."), similar("--source-path"));
    assert_eq!(suggested("graph-ir -s . -o out"), similar("--out-dir"));
    assert_eq!(suggested("stable-ops --ops all -o x.h"), similar("--out-file"));
    assert_eq!(suggested("check --strct"), similar("--strict"));
    assert_eq!(suggested("generate --dry-run ."), similar("--source-path"));
    for (word, command) in
        [("build", "generate"), ("lint", "check"), ("init", "new"), ("create", "new"), ("fmt", "format")]
    {
        assert_eq!(suggested(word), format!("a similar subcommand exists: '{command}'"));
    }
}

#[test]
fn abbreviations_of_the_reference_keep_their_meaning() {
    for line in ["generate --out x.cmake", "gen-unboxing --ou x.cmake", "generate --output x.cmake -d y"] {
        let matches = parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let (_, matches) = matches.subcommand().expect("a command");
        let list: Option<&PathBuf> = matches.get_one("output_dependencies");
        assert_eq!(list, Some(&PathBuf::from("x.cmake")), "{line}");
    }
    for line in ["-s a --out-dir x", "-s a --install_dir x", "graph-ir -s a --output x", "declarations --install-dir x"]
    {
        let matches = parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let (_, matches) = matches.subcommand().expect("a command");
        let dir: Option<&PathBuf> = matches.get_one("install_dir");
        assert_eq!(dir, Some(&PathBuf::from("x")), "{line}");
    }
}
