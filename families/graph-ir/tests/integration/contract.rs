//! The names that programs rely on: a program uses each of them, and nothing that is generated is
//! left out of it.
//!
//! `contract/ir.yaml` is a family that has every construct once, and `contract.cpp`
//! uses what comes of it. Two comparisons keep that program complete: with the list of names below,
//! which is what Glow's ClassGen promises, and with the headers that are generated.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use regex::Regex;

use super::{generate, root};
use crate::support::cxx::{Build, Program, by_clang, clang};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    let by_clang = by_clang(trials![the_names_work_by_clang]);
    [trials![every_public_name_is_used, the_names_work], by_clang].into_iter().flatten().collect()
}

/// What is promised, in the words of `contract.cpp`: where, the names.
const PROMISED: &[(&str, &[&str])] = &[
    ("indices", &["InputIndices", "InputIdx", "OtherIdx", "ResultIndices", "ResultIdx", "SecondIdx"]),
    ("inputs and results", &["getInput", "getOther", "getResult", "getSecond"]),
    ("lists of inputs and results", &["getInputs", "getOutputs", "getOutputsNth", "getOutputsSize", "addExtraResult"]),
    (
        "members of every type",
        &[
            "getWide",
            "getCount",
            "getSigned",
            "getSize",
            "getExtent",
            "getFactor",
            "getFlag",
            "getText",
            "getShape",
            "getChoice",
            "getPlace",
            "getWides",
            "getCounts",
            "getSigns",
            "getSizes",
            "getExtents",
            "getFactors",
        ],
    ),
    ("setters", &["setCount", "setCounts", "setPlace"]),
    ("modes", &["Mode", "getMode", "getModeStr"]),
    ("inputs by number", &["getNumInputs", "getInputName", "getNthInput", "setNthInput", "getOutputName"]),
    ("properties", &["isOverwrittenNthInput", "hasSideEffects", "isCanonical", "isDataParallel", "hasFusedActivation"]),
    ("values", &["classof", "getDebugDesc", "isEqual", "getHash", "clone", "verify"]),
    ("walking", &["visit", "shouldVisit", "pre", "post"]),
    (
        "gradients",
        &[
            "MembersGradNode",
            "getOriginalOutputForResult",
            "getGradOfOriginalOutputNamedResult",
            "getGradOfInputNamedInput",
            "getGrad",
            "GraphGradMapper",
            "hasGradient",
            "getGradient",
            "addGradient",
        ],
    ),
    ("methods of the user's", &["className", "twiceK"]),
    ("lists of nodes", &["DEF_NODE"]),
    ("files", &["Glow_Fuse", "saveGraph", "loadGraph"]),
    (
        "instructions",
        &[
            "MixInst",
            "getDest",
            "getSrc",
            "getState",
            "getScratch",
            "getScratchSize",
            "getTable",
            "getTableSize",
            "getMore",
            "getK",
            "isInplaceOp",
            "dump",
            "getOperandName",
            "getNumFixedOperands",
            "OperandKind",
            "InOut",
        ],
    ),
    ("gradients of instructions", &["MixGradInst", "getSrcGrad", "getDestGrad"]),
    ("the builder", &["IRBuilder", "createMixInst", "createMixGradInst", "createJoinInst", "createSpecialInst"]),
    ("lowering", &["IRGenerator", "valueForNode"]),
    ("lists of instructions", &["DEF_INSTR", "DEF_BACKEND_SPECIFIC_INSTR", "DEF_VALUE", "DEF_INSTR_RANGE"]),
];

/// Records that the support library adds to the family; its own tests use them.
const PRELUDE: &[&str] =
    &["SaveNode", "AddNode", "SplatNode", "AllocActivationInst", "DeallocActivationInst", "CopyInst"];

fn sources() -> PathBuf {
    root().join("families/graph-ir/tests/contract")
}

/// The words of a source without its comments.
fn words(text: &str) -> BTreeSet<String> {
    let word = Regex::new(r"\w+").expect("a pattern");
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.flat_map(|line| word.find_iter(line).map(|found| found.as_str().to_owned()).collect::<Vec<_>>()).collect()
}

/// The names of methods, enumerators and types that a generated header declares for the public.
fn declared(header: &str) -> BTreeSet<String> {
    let class = Regex::new(r"(?m)^class (\w+) final").expect("a pattern");
    let method = Regex::new(r"(?m)^  (?:[\w:<>&*][\w:<>&*, ]*[ *&])?(\w+)\(").expect("a pattern");
    let enumerator = Regex::new(r"(?m)^    (\w+Idx) =").expect("a pattern");
    let kind = Regex::new(r"(?m)^  (?:enum|using) (\w+)").expect("a pattern");
    let starts: Vec<(usize, &str)> = class
        .captures_iter(header)
        .map(|found| (found.get(0).expect("a match").start(), found.get(1).expect("a name").as_str()))
        .collect();
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([header.len()]);
    let mut names = BTreeSet::new();
    for ((start, name), end) in starts.iter().zip(ends).filter(|((_, name), _)| !PRELUDE.contains(name)) {
        names.insert((*name).to_owned());
        for pattern in [&method, &enumerator, &kind] {
            names.extend(pattern.captures_iter(&header[*start..end]).map(|found| found[1].to_owned()));
        }
    }
    names
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn every_public_name_is_used() {
    let directory = tempfile::tempdir().expect("a directory");
    let out = generate(directory.path(), &["-s", &sources().display().to_string()]);
    let used = words(&read(&sources().join("contract.cpp")));
    let missing: Vec<String> = PROMISED
        .iter()
        .flat_map(|(place, names)| names.iter().map(move |name| (*place, *name)))
        .filter(|(_, name)| !used.contains(*name))
        .map(|(place, name)| format!("{place}: {name}"))
        .collect();
    assert!(missing.is_empty(), "contract.cpp does not use {missing:?}");

    let headers: BTreeSet<String> =
        ["AutoGenNodes.h", "AutoGenInstr.h"].iter().flat_map(|name| declared(&read(&out.join(name)))).collect();
    assert!(headers.contains("getFactors") && headers.contains("OperandIndices") && headers.len() > 90, "{headers:?}");
    let unused: Vec<&String> = headers.difference(&used).collect();
    assert!(unused.is_empty(), "the headers declare what contract.cpp does not use: {unused:?}");
}

/// The family has every construct, and the support library with its assertions: the release build
/// is this one, not that of Glow's lists, which takes the optimizer minutes.
fn the_names_work() {
    for build in Build::BOTH {
        behave(|program| program.build(build));
    }
}

/// The other compiler has other warnings. They do not come from its optimizer.
fn the_names_work_by_clang() {
    behave(|program| program.compiler(clang()).flag("-DNDEBUG"));
}

fn behave(built: impl FnOnce(Program) -> Program) {
    let directory = tempfile::tempdir().expect("a directory");
    let out = generate(directory.path(), &["-s", &sources().display().to_string()]);
    let program = Program::new("graph_ir_contract").generated(&out).include(sources());
    let program = program.include(root().join("families/graph-ir/tests")).source(sources().join("contract.cpp"));
    let said = built(program).run();
    assert!(said.ends_with(" cases, 0 failed\n"), "{said}");
}
