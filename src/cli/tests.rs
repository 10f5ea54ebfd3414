//! Tests of the command line.

use super::*;

/// A command line as a run reads it.
pub(crate) fn parse(line: &str) -> Result<clap::ArgMatches, clap::Error> {
    let words = std::iter::once("torchgen-rs").chain(line.split_whitespace());
    let Normal { mut words, .. } = normalise(words.map(OsString::from));
    let mut definition = definition();
    let matches = definition.try_get_matches_from_mut(&words)?;
    let command = commands().find(|command| Some(command.name) == matches.subcommand_name());
    let completion = command.and_then(|command| complete(command, of_command(&matches)).ok()).unwrap_or_default();
    words.splice(2..2, completion.words);
    definition.try_get_matches_from_mut(words)
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
    assert_eq!(word(&format!("family: {}\n", Fallback::NAMES[0])), Fallback::COMMAND);
    assert_eq!(word("- func: f() -> ()\n"), Fallback::COMMAND);
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
    let several = || {
        heads::several_families(ByFamily::sort_sources(&[dir.path().to_owned()], Fallback::SOURCES))
            .map(|error| error.notes.len())
    };
    file("a.yaml", "family: graph-ir\n");
    assert_eq!(several(), None);
    file("b.yaml", "family: tensor-ir\n");
    assert_eq!(several(), Some(2));
    file(Fallback::SOURCES.file, "[]\n");
    assert_eq!(several(), Some(3));
}
