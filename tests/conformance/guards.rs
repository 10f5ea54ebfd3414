//! Tests of the suite itself: when the reference runs, what makes a record wrong, what the hash of
//! inputs covers. A directory of their own takes the place of the wheel, so that they take no time.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::Path;

use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;

use super::configuration::{self, Suite};
use super::recorded::{self, Expected};
use super::records::{self, Files, Kind, Record, Records};
use super::reference::Reference;
use super::{MANIFEST, Mode, title, workspace};

type Test = fn() -> Result<(), String>;

/// The tests of this module.
pub(super) fn trials() -> Vec<Trial> {
    let tests: [(&str, Test); 6] = [
        ("records/answers", answers),
        ("records/inputs", inputs),
        ("records/in_line", super::in_line::holes_are_moved),
        ("records/files", files),
        ("records/data", data),
        ("records/modes", modes),
    ];
    let trial = |(name, test): (&str, Test)| Trial::test(title(name), move || test().map_err(Failed::from));
    tests.map(trial).into()
}

/// Every record belongs to a configuration.
pub(super) fn known(records: &Records, names: &BTreeSet<&str>) -> Result<(), String> {
    let unknown = records.unknown(names);
    if unknown.is_empty() {
        return Ok(());
    }
    let kinds: BTreeSet<&str> = unknown.iter().map(|name| records::split(name).0).collect();
    let commands = kinds.iter().map(|kind| format!("\n    cargo test --test integration -- --record {kind}/"));
    Err(format!("no configuration is called {}; drop the records:{}", unknown.join(", "), commands.collect::<String>()))
}

/// Fails with this message unless the condition holds.
fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}

fn scratch() -> Result<TempDir, String> {
    tempfile::tempdir().map_err(|error| error.to_string())
}

/// When the reference runs, and what a comparison says.
fn answers() -> Result<(), String> {
    struct Case {
        name: &'static str,
        /// The file's texts: in our tree, in the reference's tree, when it was recorded.
        ours: &'static str,
        reference: &'static str,
        recorded: Option<&'static str>,
        /// The inputs of the record; those of now are `now`.
        inputs: &'static str,
        live: bool,
        /// How often the reference runs.
        runs: u32,
        /// What the message must contain; nothing for a test that passes.
        says: &'static [&'static str],
    }
    const RENEW: &str = "cargo test --test integration -- --record --exact conformance::aten/x";
    const LINES: &str = "line 2\n    reference \"b\\n\"\n    ours      \"c\\n\"";
    let case = Case {
        name: "",
        ours: "a\nb\n",
        reference: "a\nb\n",
        recorded: Some("a\nb\n"),
        inputs: "now",
        live: false,
        runs: 0,
        says: &[],
    };
    const WRONG: &str = "the record differs from what the reference writes, in 1 files:\n    out/f";
    let cases = [
        Case { name: "all agree", ..case },
        Case { name: "live", live: true, runs: 1, ..case },
        Case { name: "our file differs", ours: "a\nc\n", runs: 1, says: &[LINES], ..case },
        Case { name: "our file differs, live", ours: "a\nc\n", live: true, runs: 1, says: &[LINES], ..case },
        Case { name: "a changed record", recorded: Some("x"), runs: 1, says: &[WRONG, RENEW], ..case },
        Case {
            name: "a changed record, live",
            recorded: Some("x"),
            live: true,
            runs: 1,
            says: &[WRONG, RENEW],
            ..case
        },
        // Only a live run sees this.
        Case {
            name: "another reference",
            reference: "a\n",
            live: true,
            runs: 1,
            says: &[WRONG, RENEW, "line 2"],
            ..case
        },
        Case { name: "no record", recorded: None, runs: 1, says: &["there is no record", RENEW], ..case },
        Case {
            name: "no record, live",
            recorded: None,
            live: true,
            runs: 1,
            says: &["there is no record", RENEW],
            ..case
        },
        Case {
            name: "no record, and ours differs",
            ours: "a\nc\n",
            recorded: None,
            runs: 1,
            says: &[LINES, RENEW],
            ..case
        },
        Case { name: "other inputs", inputs: "old", runs: 1, says: &["made for other inputs", RENEW], ..case },
        Case {
            name: "other inputs, live",
            inputs: "old",
            live: true,
            runs: 1,
            says: &["for other inputs", RENEW],
            ..case
        },
    ];
    for case in cases {
        let directory = scratch()?;
        let [ours, reference, recorded] = ["ours", "reference", "recorded"].map(|name| directory.path().join(name));
        workspace::write(&ours.join("out/f"), case.ours.as_bytes())?;
        workspace::write(&ours.join("out").join(MANIFEST), b"")?;
        workspace::write(&reference.join("out/f"), case.reference.as_bytes())?;
        let mut record = None;
        if let Some(text) = case.recorded {
            workspace::write(&recorded.join("out/f"), text.as_bytes())?;
            record = Some(Record { inputs: case.inputs.to_owned(), files: records::files(&recorded, MANIFEST)? });
        }
        let runs = Cell::new(0);
        let expected = Expected { name: "aten/x", inputs: "now".to_owned(), record, live: case.live };
        let answer = recorded::compare(case.name, &expected, (&ours, 0.0), || {
            runs.set(runs.get() + 1);
            Ok(reference)
        });
        let said = answer.err();
        let right = match &said {
            None => case.says.is_empty(),
            Some(said) => !case.says.is_empty() && case.says.iter().all(|part| said.contains(part)),
        };
        ensure(right && runs.get() == case.runs, || {
            format!("{}: the reference ran {} times, and the message is {said:?}", case.name, runs.get())
        })?;
    }
    Ok(())
}

const DATA: &str = "
wheel: {pin: torch==1.2.3, file: a.whl, sha256: abc, requirements: [x==1], megabytes: 1}
trees:
  base:
    copy: {torchgen: wheel/torchgen, whole: here/whole}
  tree:
    base: base
    append: {torchgen/a: here/appended}
    prepend: {torchgen/a: here/prepended}
    named: {some: here/some}
configurations:
- {name: lazy/x, tree: tree, runs: [lazy-tensor -s some/named.yaml], live: true}
headers: []
errors: []
together: []
";

/// The hash of inputs covers all that the reference's output depends on, and nothing else.
fn inputs() -> Result<(), String> {
    let directory = scratch()?;
    let here = directory.path();
    let own =
        ["whole/deep/file", "appended", "prepended", "some/named.yaml", "some/other.yaml", "reference_backend.py"];
    for name in own.iter().chain(&["reference_autograd.py"]) {
        workspace::write(&here.join(name), name.as_bytes())?;
    }
    let before = hash(here, DATA)?;
    let changes = [
        ("the wheel", "sha256: abc", "sha256: abd"),
        ("a package", "x==1", "x==2"),
        ("what is copied", "wheel/torchgen", "wheel/other"),
        ("where it is copied to", "{torchgen: ", "{elsewhere: "),
        ("what is appended to", "append: {torchgen/a", "append: {torchgen/b"),
        ("what is prepended to", "prepend: {torchgen/a", "prepend: {torchgen/b"),
        ("a base", "    base: base\n", ""),
        ("a flag", "named.yaml]", "named.yaml --flag]"),
        ("another file", "some/named.yaml]", "some/other.yaml]"),
        ("a subcommand", "[lazy-tensor", "[backend-stubs"),
        ("another run", "named.yaml]", "named.yaml, lazy-tensor]"),
    ];
    for (name, old, new) in changes {
        ensure(DATA.contains(old) && hash(here, &DATA.replace(old, new))? != before, || {
            format!("the hash does not cover {name}")
        })?;
    }
    for name in own {
        let text = workspace::read(&here.join(name))?;
        workspace::write(&here.join(name), b"changed")?;
        let covered = hash(here, DATA)? != before;
        ensure(covered == (name != "some/other.yaml"), || format!("{name}: covered: {covered}"))?;
        workspace::write(&here.join(name), &text)?;
    }
    let rename = |from: &str, to: &str| std::fs::rename(here.join(from), here.join(to)).map_err(|e| e.to_string());
    rename("whole/deep/file", "whole/deep/renamed")?;
    ensure(hash(here, DATA)? != before, || "the hash does not cover a file's name".to_owned())?;
    rename("whole/deep/renamed", "whole/deep/file")?;
    // A file that no run names, the configuration's name, the driver of other subcommands.
    workspace::write(&here.join("some/new.yaml"), b"new")?;
    workspace::write(&here.join("reference_autograd.py"), b"new")?;
    let same = hash(here, &DATA.replace("lazy/x", "lazy/y"))? == before;
    ensure(same, || "the hash covers what the output does not depend on".to_owned())
}

fn suite(data: &str) -> Result<Suite, String> {
    let directory = scratch()?;
    let path = directory.path().join("configurations.yaml");
    workspace::write(&path, data.as_bytes())?;
    configuration::load(&path)
}

/// The hash of the inputs of the first configuration.
fn hash(here: &Path, data: &str) -> Result<String, String> {
    let suite = suite(data)?;
    Reference { wheel: here, suite: &suite, here, cache: here, again: false }.inputs(&suite.configurations[0])
}

/// The files of records: what is written is read back, and an edited one is refused.
fn files() -> Result<(), String> {
    let files = |files: &[(&str, u64)]| files.iter().map(|(path, hash)| ((*path).to_owned(), *hash)).collect::<Files>();
    let record = |inputs: &str, of: &[(&str, u64)]| Record { inputs: inputs.to_owned(), files: files(of) };
    let kind = Kind::from([
        ("both".to_owned(), record("1f", &[("out/a b.h", 1), ("out/c.h", 2), ("top", 3)])),
        ("nothing".to_owned(), record("2f", &[])),
        ("same".to_owned(), record("3f", &[("out/a b.h", 1), ("out/c.h", 0xf00d), ("top", 3)])),
    ]);
    let text = records::text(&kind);
    let groups = "\nboth:\n out/\n  0000000000000002 c.h\n\nboth same:\n out/\n  0000000000000001 a b.h\n ./\n  0000000000000003 top\n\nsame:\n";
    ensure(text.contains(groups) && records::parse(&text)? == kind, || text.clone())?;

    let directory = scratch()?;
    let place = directory.path().join("1.2.3");
    let load = || Records::load(place.clone());
    let names = BTreeSet::from(["aten/both", "aten/same", "lazy/x"]);
    let records = load()?;
    for (name, record) in &kind {
        records.put(&format!("aten/{name}"), record.clone(), &names)?;
    }
    // What belongs to no configuration is dropped; `known` finds it where nothing is recorded.
    let read = load()?;
    let kept = |name: &str| read.get(&format!("aten/{name}")) == kind.get(name).cloned();
    ensure(kept("both") && kept("same") && read.get("aten/nothing").is_none(), || "records were lost".to_owned())?;
    known(&read, &names)?;
    let said = known(&read, &BTreeSet::from(["aten/both"])).err().unwrap_or_default();
    ensure(said.contains("no configuration is called aten/same;") && said.contains("--record aten/"), || said)?;

    let path = place.join("aten.txt");
    let written = workspace::text(&path)?;
    for (old, new) in
        [("  0000000000000001 a b.h\n", ""), (" out/", " out"), ("000f00d", "000x00d"), ("\nsame", "\nsome")]
    {
        ensure(written.contains(old), || format!("{old:?} is not in\n{written}"))?;
        workspace::write(&path, written.replacen(old, new, 1).as_bytes())?;
        let said = load().err().unwrap_or_else(|| format!("{old:?} was replaced, and nothing is said"));
        ensure(said.contains("as `--record` writes it"), || said)?;
    }
    Ok(())
}

/// What the data must have.
fn data() -> Result<(), String> {
    suite(DATA)?;
    let said = suite(&DATA.replace(", live: true", "")).err().unwrap_or_default();
    ensure(said.contains("mark a configuration of lazy/ with `live: true`"), || said)
}

/// The arguments that choose a mode are not passed on.
fn modes() -> Result<(), String> {
    for (line, mode, rest) in [
        ("program aten/x", Mode::Records, "program aten/x"),
        ("program --live aten/x", Mode::Live, "program aten/x"),
        ("program --exact --record aten/x", Mode::Record, "program --exact aten/x"),
    ] {
        let (found, others) = Mode::of(line.split(' ').map(str::to_owned));
        ensure(found == mode && others.join(" ") == rest, || line.to_owned())?;
    }
    Ok(())
}
