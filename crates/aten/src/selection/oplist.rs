//! `torchgen-rs gen-oplist`: merges the selections of several models.
//!
//! Invariant: same flags, same files. Rule: PyTorch's tools/code_analyzer/gen_oplist.py and
//! tools/lite_interpreter/gen_selected_mobile_ops_header.py.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::MANAGER;
use super::yaml_text::{self, Yaml};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::{RenderError, Renderer};
use torchgen_base::write::OutputFile;
use torchgen_base::yaml;
use torchgen_generators::args::OplistArgs;
use torchgen_generators::info;
use torchgen_kit::driver::family::GeneratorInfo;
use torchgen_kit::driver::output;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::records::{self, SelectiveRecord};

/// An operator as all models together have it.
#[derive(Debug, Default, Clone)]
pub(super) struct Operator {
    pub(super) root: bool,
    pub(super) training: bool,
    pub(super) all_overloads: bool,
    pub(super) debug_info: Option<BTreeSet<String>>,
}

impl Operator {
    /// With what another model says of it.
    pub(super) fn and(&mut self, other: Operator) {
        self.root |= other.root;
        self.training |= other.training;
        self.all_overloads |= other.all_overloads;
        if let Some(debug_info) = other.debug_info {
            self.debug_info.get_or_insert_default().extend(debug_info);
        }
    }

    /// As selective-build YAML has it.
    pub(super) fn yaml(&self) -> Yaml {
        let mut pairs = vec![
            ("is_root_operator".to_owned(), Yaml::Flag(self.root)),
            ("is_used_for_training".to_owned(), Yaml::Flag(self.training)),
            ("include_all_overloads".to_owned(), Yaml::Flag(self.all_overloads)),
        ];
        if let Some(debug_info) = &self.debug_info {
            pairs.push(("debug_info".to_owned(), list(debug_info)));
        }
        Yaml::Map(pairs)
    }
}

/// What all models select.
#[derive(Debug, Default)]
struct MergedSelection {
    all_operators: bool,
    all_non_op_selectives: bool,
    debug_info: Option<BTreeSet<String>>,
    operators: IndexMap<String, Operator>,
    kernel_metadata: IndexMap<String, BTreeSet<String>>,
    et_kernel_metadata: IndexMap<String, BTreeSet<String>>,
    custom_classes: BTreeSet<String>,
    build_features: BTreeSet<String>,
}

/// What `torchgen-rs list` prints.
#[rustfmt::skip]
pub const GENERATOR_INFO: GeneratorInfo = info!("gen-oplist", "selection", "lists for a selective build", &["selected_operators.yaml", "selected_mobile_ops.h", "SupportedMobileModelsRegistration.cpp"]);

/// A list of words in order.
pub(super) fn list(words: &BTreeSet<String>) -> Yaml {
    Yaml::List(words.iter().cloned().collect())
}

/// A mapping to lists of words.
pub(super) fn lists(map: &IndexMap<String, BTreeSet<String>>) -> Yaml {
    Yaml::Map(map.iter().map(|(key, words)| (key.clone(), list(words))).collect())
}

/// Runs the job.
pub fn generate(args: &OplistArgs, session: &mut Session) -> Result<Summary, JobError> {
    let mut merged = MergedSelection::default();
    let mut hashes = BTreeSet::new();
    for path in model_files(&args.model_file_list_path, session)? {
        let root = match session.read_yaml(&path, yaml::Options::SAFE_LOAD) {
            Ok(root) => root,
            Err(JobError::Input) => continue,
            Err(stop) => return Err(stop),
        };
        let Some(record) = records::read_selective(root, &mut session.diagnostics) else { continue };
        if !args.allow_include_all_overloads {
            for operator in record.operators.iter().filter(|operator| operator.include_all_overloads) {
                let message = format!("`{}` includes all of its overloads", operator.name);
                let found = Diagnostic::new(&codes::ILLEGAL_VALUE, message).at(operator.name.span());
                session.diagnostics.push(found.help("list its overloads, or pass `--allow-include-all-overloads`"));
            }
        }
        match model_hashes(&record) {
            Ok(found) => hashes.extend(found),
            Err(error) => {
                let message = format!("`debug_info` of `{}` is not what gen-operators-yaml writes", path.display());
                session.diagnostics.push(Diagnostic::new(&codes::ILLEGAL_VALUE, message).note(error.to_string()));
            }
        }
        merged.add(record);
    }
    session.fail_on_errors(args.common.strict)?;
    let renderer = session.renderer("torch", &args.common.template_dir)?;
    let files = merged.files(&hashes, &renderer)?;
    output::write_below(&args.common, MANAGER, &args.output_dir, files, renderer, session)
}

/// The files of models: the one that is there, or those that a file lists.
fn model_files(path: &str, session: &mut Session) -> Result<Vec<PathBuf>, JobError> {
    if session.seen.is_file(Path::new(path)) {
        return Ok(vec![PathBuf::from(path)]);
    }
    let Some(listed) = path.strip_prefix('@') else {
        let found = Diagnostic::new(&codes::READ_FAILED, format!("there is no file `{path}`"));
        return Err(found.help("write `@` before the path of a file that lists others").into());
    };
    let bytes = session.read_bytes(Path::new(listed))?;
    Ok(String::from_utf8_lossy(&bytes).split_whitespace().map(PathBuf::from).collect())
}

#[derive(Deserialize)]
struct DebugInfo {
    is_new_style_rule: bool,
    #[serde(default)]
    asset_info: BTreeMap<String, Asset>,
}

#[derive(Deserialize)]
struct Asset {
    md5_hash: Vec<String>,
}

/// The hashes of the files of models.
fn model_hashes(record: &SelectiveRecord) -> serde_json::Result<Vec<String>> {
    let Some(text) = record.debug_info.as_ref().and_then(|lines| lines.first()) else { return Ok(Vec::new()) };
    let info: DebugInfo = serde_json::from_str(text)?;
    let assets = info.asset_info.into_values().filter(|_| info.is_new_style_rule);
    Ok(assets.flat_map(|asset| asset.md5_hash).collect())
}

#[derive(Serialize)]
struct Models<'a> {
    hashes: &'a BTreeSet<String>,
}

#[derive(Serialize)]
struct MobileOps<'a> {
    /// The operators that models call; none if all are included.
    roots: Option<String>,
    /// Custom classes and build features; none if all are included.
    others: Option<[String; 2]>,
    /// The dtypes of each kernel; none if all are included.
    kernels: Option<Vec<KernelDtypes<'a>>>,
}

#[derive(Serialize)]
struct KernelDtypes<'a> {
    tag: &'a str,
    dtypes: &'a BTreeSet<String>,
}

fn joined<'a>(words: impl IntoIterator<Item = &'a String>) -> String {
    words.into_iter().map(String::as_str).collect::<Vec<_>>().join(";")
}

impl MergedSelection {
    fn add(&mut self, record: SelectiveRecord) {
        self.all_operators |= record.include_all_operators;
        self.all_non_op_selectives |= record.include_all_non_op_selectives;
        if let Some(debug_info) = record.debug_info {
            self.debug_info.get_or_insert_default().extend(debug_info);
        }
        for operator in record.operators {
            let own = Operator {
                root: operator.is_root_operator,
                training: operator.is_used_for_training,
                all_overloads: operator.include_all_overloads,
                debug_info: operator.debug_info.map(|lines| lines.into_iter().collect()),
            };
            self.operators.entry(operator.name.into_string()).or_default().and(own);
        }
        for (tag, dtypes) in record.kernel_metadata {
            self.kernel_metadata.entry(tag).or_default().extend(dtypes);
        }
        for (tag, dtypes) in record.et_kernel_metadata {
            self.et_kernel_metadata.entry(tag).or_default().extend(dtypes);
        }
        self.custom_classes.extend(record.custom_classes);
        self.build_features.extend(record.build_features);
    }

    fn files(&self, hashes: &BTreeSet<String>, renderer: &Renderer) -> Result<Vec<OutputFile>, RenderError> {
        let models =
            renderer.fragment("torch/selection/SupportedMobileModelsRegistration.cpp.j2", &Models { hashes })?;
        let header = renderer.fragment("torch/selection/selected_mobile_ops.h.j2", &self.mobile_ops())?;
        let yaml = yaml_text::dump(self.yaml(), renderer)?;
        let file = |name: &str, text: String| OutputFile::new(MANAGER, name, text);
        Ok(vec![
            file("SupportedMobileModelsRegistration.cpp", models),
            file("selected_operators.yaml", yaml),
            file("selected_mobile_ops.h", header),
        ])
    }

    fn mobile_ops(&self) -> MobileOps<'_> {
        let roots: BTreeSet<&String> = self.operators.iter().filter(|(_, op)| op.root).map(|(name, _)| name).collect();
        let traced = !self.all_operators && !self.all_non_op_selectives;
        let kernels = self.kernel_metadata.iter().map(|(tag, dtypes)| KernelDtypes { tag, dtypes });
        MobileOps {
            roots: (!self.all_operators).then(|| joined(roots)),
            others: traced.then(|| [joined(&self.custom_classes), joined(&self.build_features)]),
            kernels: traced.then(|| kernels.collect()),
        }
    }

    fn yaml(&self) -> Yaml {
        let operators = self.operators.iter().map(|(name, operator)| (name.clone(), operator.yaml())).collect();
        let mut pairs = vec![
            ("include_all_non_op_selectives".to_owned(), Yaml::Flag(self.all_non_op_selectives)),
            ("include_all_operators".to_owned(), Yaml::Flag(self.all_operators)),
            ("operators".to_owned(), Yaml::Map(operators)),
            ("kernel_metadata".to_owned(), lists(&self.kernel_metadata)),
            ("et_kernel_metadata".to_owned(), lists(&self.et_kernel_metadata)),
            ("custom_classes".to_owned(), list(&self.custom_classes)),
            ("build_features".to_owned(), list(&self.build_features)),
        ];
        if let Some(debug_info) = &self.debug_info {
            pairs.push(("debug_info".to_owned(), list(debug_info)));
        }
        Yaml::Map(pairs)
    }
}
