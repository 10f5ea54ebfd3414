//! Flags that all commands have, where files go, and what is printed about a run.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;
use tempfile::TempDir;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        quiet_runs_print_results_alone,
        a_list_is_not_a_directory,
        dry_runs_list_what_they_would_write,
        a_directory_that_cannot_be_written_is_one_error,
        codes_are_explained_as_json_and_by_number,
        completions_of_every_shell,
        manual_pages_of_every_command,
        lists_of_one_family,
        further_outputs_are_listed
    ]
}

/// Runs a command line: its status, standard output and standard error without times.
#[track_caller]
fn run(dir: &Path, line: &str) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(line.split_whitespace())
        .current_dir(dir)
        .output()
        .expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let times = regex::Regex::new(r" \(\d+\.\d\d s\)").expect("a pattern");
    let said = times.replace_all(&text(&output.stderr), "").into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), said)
}

/// A project of op builders.
fn project() -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    let (status, _, said) = run(dir.path(), "new --family op-builders . --namespace shop");
    assert_eq!(status, 0, "{said}");
    dir
}

fn quiet_runs_print_results_alone() {
    let dir = project();
    let done = |out: &str| (0, out.to_owned(), String::new());
    assert_eq!(run(dir.path(), "-q check -s ."), done(""));
    assert_eq!(run(dir.path(), "op-builders -s . -d out -q"), done(""));
    let (_, explained, said) = run(dir.path(), "explain TG0203");
    assert!(explained.starts_with("TG0203") && said.is_empty(), "{said}");
    assert_eq!(run(dir.path(), "--quiet explain TG0203"), done(&explained));
    std::fs::write(dir.path().join("wrong.yaml"), "family: op-builders\nnamespce: x\n").expect("a file");
    let (status, _, said) = run(dir.path(), "--color never -q check -s wrong.yaml");
    assert!(status == 1 && said.contains("namespce"), "{said}");
}

fn a_list_is_not_a_directory() {
    let dir = project();
    std::fs::create_dir(dir.path().join("there")).expect("a directory");
    for (flags, given) in [
        ("op-builders -s . -d out --output-dependencies there", "there"),
        ("op-builders -s . -d out --output-dependencies lists/", "lists/"),
        ("-s . --output-dependencies=lists/ -d out", "lists/"),
        ("declarations -s . -d out --output-dependencies there", "there"),
        ("gen-unboxing -d out -o there", "there"),
    ] {
        let expected = format!(
            "error[TG0001]: `--output-dependencies` names the file of a CMake list, but `{given}` is a directory\n |\n \
             = help: `-d {given}` names the directory to write to\n\n"
        );
        assert_eq!(run(dir.path(), flags), (2, String::new(), expected), "{flags}");
        assert!(!dir.path().join("out").exists(), "{flags}");
    }
    let (status, _, said) = run(dir.path(), "op-builders -s . -o out");
    assert!(status == 2 && said.contains("tip: a similar argument exists: '--out-dir'"), "{said}");
}

fn dry_runs_list_what_they_would_write() {
    let dir = project();
    let listed = |line: &str| {
        let (status, _, said) = run(dir.path(), line);
        assert_eq!(status, 0, "{said}");
        let (first, rest) = said.split_once('\n').expect("a line");
        (first.to_owned(), rest.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>())
    };
    let dry = "op-builders -s . -d out --dry-run";
    let (said, files) = listed(dry);
    assert_eq!(said, format!("torchgen-rs: dry run, would write {} files", files.len()));
    assert!(files.len() > 2 && !dir.path().join("out").exists());
    assert_eq!(run(dir.path(), "op-builders -s . -d out -q").0, 0);
    assert!(files.iter().all(|file| dir.path().join(file).is_file()));
    let none = (format!("torchgen-rs: dry run, would write 0 of {} files", files.len()), Vec::<String>::new());
    assert_eq!(listed(dry), none);
    assert_eq!(listed(&format!("{dry} --force")), none);
    std::fs::write(dir.path().join(&files[1]), "mine").expect("an output");
    let one = (format!("torchgen-rs: dry run, would write 1 of {} files", files.len()), vec![files[1].clone()]);
    assert_eq!(listed(dry), one);
    assert_eq!(listed(&format!("{dry} --force")), one);
    // The lists are the answer.
    let lists = format!("{dry} --output-dependencies lists/x.cmake");
    assert_eq!(listed(&lists), (format!("torchgen-rs: dry run, lists of {} files", files.len()), Vec::new()));
    assert_eq!(listed(&format!("{lists} -v")).1, files);
}

fn a_directory_that_cannot_be_written_is_one_error() {
    let dir = project();
    std::fs::write(dir.path().join("file"), "").expect("a file");
    let (status, _, said) = run(dir.path(), "op-builders -s . -d file/out");
    assert_eq!((status, said.matches("error[").count()), (2, 1), "{said}");
    assert!(said.starts_with("error[TG0003]: cannot write file: "), "{said}");
    assert!(said.contains("= help: this is a file; name a directory"), "{said}");
}

fn codes_are_explained_as_json_and_by_number() {
    let dir = tempfile::tempdir().expect("a directory");
    let (status, all, said) = run(dir.path(), "explain --json");
    assert_eq!((status, said.as_str()), (0, ""));
    for line in all.lines() {
        let code: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(code["code"].as_str().or(code["id"].as_str()).is_some_and(|id| id.starts_with("TG")), "{line}");
    }
    let (status, one, _) = run(dir.path(), "explain tg0203 --json");
    let code: serde_json::Value = serde_json::from_str(&one).expect("JSON");
    assert!(status == 0 && code.is_object(), "{one}");
    let (status, _, said) = run(dir.path(), "explain 0203");
    let expected = "error[TG0001]: there is no diagnostic `0203`\n |\n = help: did you mean `TG0203`?\n \
                    = help: `torchgen-rs explain` lists them all\n";
    assert_eq!((status, said.trim_end()), (2, expected.trim_end()));
}

fn completions_of_every_shell() {
    let dir = tempfile::tempdir().expect("a directory");
    for (shell, start) in [
        ("bash", "_torchgen__rs()"),
        ("zsh", "#compdef torchgen-rs"),
        ("fish", "# Print an optspec"),
        ("powershell", "\nusing namespace System.Management.Automation"),
        ("elvish", "\nuse builtin;"),
    ] {
        let (status, text, said) = run(dir.path(), &format!("completions {shell}"));
        assert_eq!((status, said.as_str()), (0, ""), "{shell}");
        assert!(text.starts_with(start), "{shell}: {}", &text[..200]);
        for word in ["graph-ir", "out-dir", "explain", "message-format", "completions"] {
            assert!(text.contains(word), "{shell}: {word}");
        }
    }
    let (status, _, said) = run(dir.path(), "completions tcsh");
    assert!(status == 2 && said.contains("[possible values: bash, elvish, fish, powershell, zsh]"), "{said}");
    // What bash makes of it.
    let script = "source <(torchgen-rs completions bash); COMP_WORDS=(torchgen-rs chec); COMP_CWORD=1; \
                  _torchgen__rs torchgen-rs chec torchgen-rs; echo ${COMPREPLY[@]}";
    let script = script.replace("<(torchgen-rs", &format!("<({}", env!("CARGO_BIN_EXE_torchgen-rs")));
    if let Ok(output) = Command::new("bash").args(["-c", &script]).output() {
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "check");
    }
}

fn manual_pages_of_every_command() {
    let dir = tempfile::tempdir().expect("a directory");
    let (status, page, said) = run(dir.path(), "man");
    assert!(status == 0 && said.is_empty() && page.contains(".TH torchgen-rs 1"), "{said}");
    let (status, out, said) = run(dir.path(), "man pages");
    assert_eq!((status, out.as_str()), (0, ""), "{said}");
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
    let names: Vec<String> = std::fs::read_dir(dir.path().join("pages"))
        .expect("a directory")
        .map(|entry| name(entry).to_string_lossy().into_owned())
        .filter(|name| !name.starts_with('.'))
        .collect();
    let (_, help, _) = run(dir.path(), "-h");
    let command = |line: &str| Some(line.strip_prefix("  ")?.split("  ").next()?.trim().to_owned());
    let section = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a section");
    let commands: Vec<String> =
        section.lines().filter_map(command).filter(|name| !name.is_empty() && !name.contains(' ')).collect();
    assert_eq!(names.len(), commands.len() + 1, "{commands:?}");
    for name in commands {
        let page = std::fs::read_to_string(dir.path().join(format!("pages/torchgen-rs-{name}.1"))).expect("a page");
        assert!(page.contains(&format!(".TH torchgen-rs-{name} 1")), "{name}");
        assert!(page.contains("Examples:") && page.contains("\\-\\-quiet"), "{name}");
    }
}

fn lists_of_one_family() {
    let dir = tempfile::tempdir().expect("a directory");
    let (status, text, _) = run(dir.path(), "list --family op-builders");
    assert!(status == 0 && text.starts_with("op_builders: ") && text.lines().count() < 20, "{text}");
    let (_, lines, _) = run(dir.path(), "list --json");
    for line in lines.lines() {
        let generator: serde_json::Value = serde_json::from_str(line).expect("JSON");
        for key in ["family", "name", "command", "about", "files", "templates"] {
            assert!(!generator[key].is_null(), "{key}: {line}");
        }
    }
    let (status, _, said) = run(dir.path(), "list --family graf-ir");
    let expected = "error[TG0001]: there is no family `graf-ir`\n |\n = help: did you mean `graph-ir`?\n\n";
    assert_eq!((status, said.as_str()), (2, expected));
}

fn further_outputs_are_listed() {
    let dir = project();
    let (_, help, _) = run(dir.path(), "op-builders --help");
    assert!(help.contains("[possible values: docs, model, self-test]"), "{help}");
    let (status, _, said) = run(dir.path(), "op-builders -s . --emit doc,model");
    assert!(status == 2 && said.contains("tip: a similar value exists: 'docs'"), "{said}");
    assert!(said.contains("[possible values: docs, model, self-test]"), "{said}");
}
