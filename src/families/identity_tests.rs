//! Tests of the identity of runs, of every command whose runs are remembered.

use std::any::TypeId;
use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::{Arg, ArgAction};
use torchgen_base::write::Hash;
use torchgen_kit::driver::family::Command;

use super::commands;

/// Flags that change nothing that is written.
const UNCOUNTED: [&str; 15] = [
    "--quiet",
    "--verbose",
    "--strict",
    "--max-errors 3",
    "--message-format json",
    "--color always",
    "--threads 3",
    "--depfile d",
    "--timings",
    "--force",
    "--verify",
    "--prune",
    "--dry-run",
    "--output-dependencies c",
    "--dry-run=False",
];

/// What some flags need beside them.
const BESIDE: [&str; 3] = ["", "--registration r", "--declarations r"];

/// Flags whose values are sets, and two values of each.
const SETS: [(&str, &str, &str); 5] = [
    ("emit", "docs", "model"),
    ("generate", "sources", "headers"),
    ("backend-whitelist", "CPU", "CUDA"),
    ("op-registration-whitelist", "a", "b"),
    ("op-registration-allowlist", "a", "b"),
];

fn is_uncounted(flag: &str) -> bool {
    UNCOUNTED.iter().any(|known| known[2..].split([' ', '=']).next() == Some(flag))
}

fn definition(command: &Command) -> clap::Command {
    let definition = clap::Command::new(command.name).no_binary_name(true).args_override_self(true);
    (command.flags)(definition)
}

/// The required flags of a command.
fn required(command: &Command) -> String {
    let definition = definition(command);
    let flags = definition.get_arguments().filter(|arg| arg.is_required_set());
    flags.filter_map(|arg| Some(format!("--{} r ", arg.get_long()?))).collect()
}

/// The identity of a command line; `None` if the command does not have its flags.
fn try_identity(command: &Command, line: &str) -> Option<(Hash, Hash)> {
    let parse = |with: &&str| {
        let line = format!("{}{line} {with}", required(command));
        definition(command).try_get_matches_from(line.split_whitespace()).ok()
    };
    let matches = BESIDE.iter().find_map(parse)?;
    (command.invocation)(&matches).map(|invocation| (invocation.key, invocation.typed))
}

#[track_caller]
fn identity(command: &Command, line: &str) -> (Hash, Hash) {
    try_identity(command, line).unwrap_or_else(|| panic!("{} {line}", command.name))
}

/// The commands whose runs are remembered.
fn remembered() -> impl Iterator<Item = &'static Command> {
    commands().filter(|command| try_identity(command, "").is_some())
}

#[test]
fn runs_are_remembered() {
    let names: BTreeSet<&str> = remembered().map(|command| command.name).collect();
    let own = commands().filter(|command| command.documents.is_some()).map(|command| command.name);
    let torchs = "generate autograd generate-code backend-stubs lazy-tensor declarations gen-unboxing gen-pyi";
    assert_eq!(names, own.chain(torchs.split(' ')).collect());
    let keys: BTreeSet<String> = remembered().map(|command| format!("{:?}", identity(command, ""))).collect();
    assert_eq!(keys.len(), names.len());
}

#[test]
fn flags_that_do_not_count() {
    for flag in UNCOUNTED {
        let have = remembered().filter_map(|command| Some((command, try_identity(command, flag)?))).collect::<Vec<_>>();
        let different: Vec<_> =
            have.iter().filter(|(command, found)| *found != identity(command, "")).map(|(c, _)| c.name).collect();
        assert!(!have.is_empty() && different.is_empty(), "{flag}: {different:?}");
    }
}

/// Every other flag counts, and its default is the same as leaving it out.
#[test]
fn flags_that_count() {
    for command in remembered() {
        for arg in definition(command).get_arguments() {
            let flag = arg.get_long().unwrap();
            if is_uncounted(flag) {
                continue;
            }
            let default: Vec<String> = arg.get_default_values().iter().map(|v| format!("{}", v.display())).collect();
            if arg.get_action().takes_values() && !default.is_empty() {
                let line = format!("--{flag} {}", default.join(" "));
                assert_eq!(identity(command, &line), identity(command, ""), "{} {line}", command.name);
            }
            let key = |value: &String| try_identity(command, &format!("--{flag} {value}")).map(|(key, _)| key);
            let mut keys: Vec<Hash> = values(arg).iter().filter_map(key).collect();
            if default.is_empty() || !arg.get_action().takes_values() {
                keys.push(identity(command, "").0);
            }
            assert!(keys.len() > 1, "{} --{flag}", command.name);
            assert!(keys.iter().all(|key| keys.iter().filter(|other| *other == key).count() == 1), "--{flag}");
        }
    }
}

/// Some values of a flag.
fn values(arg: &Arg) -> Vec<String> {
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return vec![String::new()];
    }
    let named = arg.get_possible_values();
    let any = ["2.11", "2.12", "3", "4"].map(str::to_owned).to_vec();
    if named.is_empty() { any } else { named.iter().map(|value| value.get_name().to_owned()).collect() }
}

#[test]
fn order_and_repetition() {
    for (flag, one, other) in SETS {
        let lines = [[one, other, other], [other, one, one]]
            .map(|values| values.iter().map(|value| format!("--{flag} {value} ")).collect::<String>());
        let both = |c| Some((c, try_identity(c, &lines[0])?, try_identity(c, &lines[1])?));
        let have: Vec<_> = remembered().filter_map(both).collect();
        assert!(!have.is_empty(), "{flag}");
        for (command, first, second) in have {
            assert_eq!((first.0 == second.0, first.1 == second.1), (true, false), "{} {flag}", command.name);
            assert_ne!(first.0, identity(command, &format!("--{flag} {one}")).0, "{} {flag}", command.name);
        }
    }
    let generate = commands().find(|command| command.name == "generate").unwrap();
    for flag in ["static-dispatch-backend", "template-dir", "source-path"] {
        let key = |values: [&str; 2]| identity(generate, &values.map(|value| format!("--{flag} {value} ")).concat()).0;
        assert_ne!(key(["a", "b"]), key(["b", "a"]), "{flag}");
    }
}

/// The key does not depend on how a path is typed, but the other hash does.
#[test]
fn paths_are_absolute() {
    let here = std::env::current_dir().unwrap();
    for command in remembered() {
        let definition = definition(command);
        let is_path = |arg: &&Arg| arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        for arg in definition.get_arguments().filter(is_path) {
            let flag = arg.get_long().unwrap();
            let typed = |path: &str| try_identity(command, &format!("--{flag} {path}"));
            if is_uncounted(flag) {
                continue;
            }
            let plain = typed("rel").unwrap_or_else(|| panic!("{} --{flag}", command.name));
            for path in [format!("{}/rel", here.display()), "./rel".into(), "a/../rel".into()] {
                let other = typed(&path).unwrap();
                assert_eq!((other.0 == plain.0, other.1 == plain.1), (true, false), "{} {flag} {path}", command.name);
            }
            assert_ne!(typed("other").unwrap().0, plain.0, "{} {flag}", command.name);
        }
    }
}

/// Values that mean the same are the same.
#[test]
fn other_spellings() {
    let named = |name: &str| commands().find(|command| command.name == name).unwrap();
    for (name, one, other) in [
        ("gen-pyi", "", "--template-dir ."),
        ("generate", "--generate declarations_yaml", "--generate declarations-yaml"),
        ("generate", "-s a b", "-s a -s b"),
        ("generate", "--torch-path=p", "--torch-path p"),
    ] {
        assert_eq!(identity(named(name), one), identity(named(name), other), "{name} {other}");
    }
    let generate = named("generate");
    assert_ne!(identity(generate, "--generate").0, identity(generate, "").0);
    assert_ne!(identity(generate, "--static-dispatch-backend").0, identity(generate, "").0);
    // An empty path means none.
    let matches = definition(generate).try_get_matches_from(["--native-aot-ops-dir", ""]).unwrap();
    let empty = (generate.invocation)(&matches).unwrap().key;
    assert!(empty != identity(generate, "").0 && empty != identity(generate, "--native-aot-ops-dir .").0);
}
