//! Tests of manifests: records are read back, and damaged ones are ignored.

use std::path::PathBuf;

use proptest::prelude::*;

use super::kind::PathKind;
use super::*;
use crate::write::manifest::observation::Observation;
use crate::write::stamp::Stamp;
use crate::write::{Entry, Identity};

fn entry(seed: u64) -> Entry {
    let stamp = Stamp { modified: -1, changed: 1 << 60, inode: u64::MAX - seed };
    Entry { size: seed, hash: Hash::of_bytes(&seed.to_le_bytes()), stamp: seed.is_multiple_of(2).then_some(stamp) }
}

fn sample() -> Record {
    let output = |install, path: &str, listed| Output { install, path: path.into(), listed, entry: entry(3) };
    Record {
        kin: Hash(0),
        typed: Hash(7),
        tool: Identity { size: 4, stamp: Stamp { modified: 1, changed: 2, inode: 3 } },
        seen: vec![
            Observation::File { path: "in/a b.yaml".into(), entry: entry(5), named: true },
            Observation::File { path: "in/b.h".into(), entry: entry(6), named: false },
            Observation::Kind { path: "/c".into(), kind: PathKind::Nothing, named: true },
            Observation::Names { path: "in".into(), hash: Hash(u128::MAX) },
        ],
        overlays: vec!["over".into()],
        installs: vec![
            Install { dir: "out".into(), place: "/x/out".into(), list_prefix: Some(String::new()) },
            Install { dir: "out/aoti".into(), place: "/x/out/aoti".into(), list_prefix: None },
        ],
        outputs: vec![output(0, "A.h", true), output(1, "b/B.h", false)],
        stale: vec![output(0, "old.h", true)],
        messages: vec![serde_json::json!({"a": 1})],
    }
}

#[test]
fn records_come_back() {
    let text = sample().to_text().unwrap();
    assert_eq!(Record::parse(&text), Some(sample()));
    assert_eq!(sample().bytes(), 6);
    let lists = sample().lists();
    assert_eq!((lists.len(), lists[0].paths.as_slice()), (1, &[PathBuf::from("out/A.h")][..]));
    assert_eq!(sample().inputs().collect::<Vec<_>>(), [Path::new("in/a b.yaml")]);
    let mut record = sample();
    record.outputs[0].path = "a\tb\nc".into();
    assert_eq!(Record::parse(&record.to_text().unwrap()), Some(record));
}

#[cfg(unix)]
#[test]
fn paths_that_are_not_unicode_are_not_kept() {
    use std::os::unix::ffi::OsStrExt;
    let mut record = sample();
    record.outputs[0].path = std::ffi::OsStr::from_bytes(b"a\xff").into();
    assert_eq!(record.to_text(), None);
}

#[test]
fn damaged_records_say_nothing() {
    let text = sample().to_text().unwrap();
    for (old, new) in [
        ("\"A.h", "\"../A.h"),
        ("\"A.h", "\"/A.h"),
        ("\"A.h", "\"./A.h"),
        ("\"A.h", "\""),
        ("{\"install\":0", "{\"install\":2"),
        ("{\"install\":0", "{\"install\":-1"),
        ("{\"install\":0", "{\"more\":0,\"install\":0"),
        ("\"listed\":true", "\"listed\":1"),
        ("Nothing", "Something"),
        ("\"size\":5", "\"size\":\"5\""),
        ("Names", "Other"),
        ("\"typed\"", "\"type\""),
        ("\"tool\"", "\"spade\""),
        ("}", ""),
    ] {
        assert!(text.contains(old), "{old:?}");
        assert_eq!(Record::parse(&text.replacen(old, new, 1)), None, "{old:?} -> {new:?}");
    }
    assert_eq!(Record::parse(""), None);
}

#[test]
fn files_remember_several() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(NAME);
    for key in 0..MOST as u128 + 2 {
        let record = Record { typed: Hash(key), ..sample() };
        update(&path, Hash(key), |_, _| Some(record)).unwrap();
    }
    let manifest = Manifest::read_file(&path);
    assert_eq!(manifest.records.len(), MOST);
    assert_eq!(manifest.record(Hash(1)), None);
    assert_eq!(manifest.record(Hash(2)).unwrap().typed, Hash(2));
    assert_eq!(manifest.others(Hash(2)).count(), MOST - 1);
    // Records that are not replaced keep their text, and the latest is the last.
    update(&path, Hash(2), |_, _| Some(sample())).unwrap();
    assert_eq!(Manifest::read_file(&path).records.last().unwrap().0, Hash(2));
    update(&path, Hash(3), |_, _| None).unwrap();
    assert_eq!(Manifest::read_file(&path).records.len(), MOST);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    assert!(update(&dir.path().join("no/where"), Hash(1), |_, _| None).is_err());
}

#[test]
fn runs_take_turns() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(NAME);
    std::thread::scope(|scope| {
        for key in 0..8 {
            let path = &path;
            scope.spawn(move || {
                for round in 0..10 {
                    update(path, Hash(key), |_, _| Some(Record { typed: Hash(round), ..sample() })).unwrap();
                }
            });
        }
    });
    let manifest = Manifest::read_file(&path);
    assert_eq!(manifest.records.len(), 8);
    assert!((0..8).all(|key| manifest.record(Hash(key)).unwrap().typed == Hash(9)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn anything_can_be_read(
        cut in 0usize..4000, flips in prop::collection::vec((0usize..4000, any::<u8>()), 0..4), text in "[\\PC\t\n]{0,40}",
    ) {
        let manifest = Manifest::parse(HEAD.to_owned());
        let good = manifest.with(Hash(1), &sample().to_text().unwrap());
        let mut bytes = good.into_bytes();
        for (at, byte) in flips {
            let length = bytes.len();
            bytes[at % length] ^= byte;
        }
        bytes.truncate(cut);
        let mut damaged = String::from_utf8_lossy(&bytes).into_owned();
        damaged.push_str(&text);
        let manifest = Manifest::parse(damaged.clone());
        prop_assert!(manifest.record(Hash(1)).is_none_or(|record| record == sample()));
        // Without the hash, only the form is checked.
        if let Some(record) = damaged.find('{').and_then(|at| Record::parse(&damaged[at..])) {
            let below = |output: &Output| record.place(output).starts_with(&record.installs[output.install].place);
            prop_assert!(record.outputs.iter().chain(&record.stale).all(below));
        }
    }
}

#[test]
fn a_kind_is_recorded_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a");
    let mut seen = Seen::default();
    assert!(!seen.is_file(&path) && !seen.exists(&path));
    std::fs::write(&path, "").unwrap();
    assert!(seen.is_file(&path) && seen.is_file(&path));
    let kinds =
        [PathKind::Nothing, PathKind::File].map(|kind| Observation::Kind { path: path.clone(), kind, named: true });
    assert_eq!(seen.all(), kinds);
}
