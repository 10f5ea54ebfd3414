//! `torchgen-rs gen-operators-yaml`: the selective-build YAML of a model.
//!
//! Invariant: same flags, same file. Rule: PyTorch's tools/code_analyzer/gen_operators_yaml.py,
//! `fill_output`.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use super::MANAGER;
use super::closure::{BuildUse, Dependencies, canonical_name};
use super::json::dumps;
use super::oplist::{Operator, list, lists};
use super::yaml_text::{self, Yaml};
use torchgen_base::diag::Diagnostic;
use torchgen_base::yaml;
use torchgen_generators::args::OperatorsYamlArgs;
use torchgen_kit::driver::output;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::records::{self, ModelRecord};

/// What a build knows of its models.
#[derive(Serialize)]
struct DebugInfo<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    model_name: Option<&'a str>,
    asset_info: IndexMap<&'a str, Asset<'a>>,
    is_new_style_rule: bool,
}

#[derive(Default, Serialize)]
struct Asset<'a> {
    md5_hash: Vec<&'a str>,
}

/// Runs the job.
pub fn generate(args: &OperatorsYamlArgs, session: &mut Session) -> Result<Summary, JobError> {
    let document = match args.include_all_operators {
        true => everything(args),
        false => selection(args, session)?,
    };
    let renderer = session.renderer("torch", &args.common.template_dir)?;
    let text = yaml_text::dump(document, &renderer)?;
    output::write_file(&args.common, MANAGER, &args.output_path, text, renderer, session)
}

fn everything(args: &OperatorsYamlArgs) -> Yaml {
    let info = DebugInfo { model_name: Some(&args.model_name), asset_info: IndexMap::new(), is_new_style_rule: false };
    Yaml::Map(vec![
        ("debug_info".to_owned(), Yaml::List(vec![dumps(&info)])),
        ("include_all_operators".to_owned(), Yaml::Flag(true)),
        ("operators".to_owned(), Yaml::Map(Vec::new())),
        ("kernel_metadata".to_owned(), Yaml::Map(Vec::new())),
    ])
}

fn selection(args: &OperatorsYamlArgs, session: &mut Session) -> Result<Yaml, JobError> {
    let dependencies = Dependencies::read_graph(&args.dep_graph_yaml_path, session)?;
    let mut models = Vec::new();
    for path in &args.models_yaml_path {
        let root = session.read_yaml(path, yaml::Options::SAFE_LOAD)?;
        models.extend(records::read_models(root, &mut session.diagnostics));
    }
    let versions = args.model_versions.as_deref().unwrap_or_default();
    let is_chosen = |model: &ModelRecord| {
        model.name == args.model_name
            && versions.contains(&model.version)
            && args.model_assets.as_ref().is_none_or(|assets| assets.contains(&model.asset))
    };
    models.retain(is_chosen);
    missing(args, &models, session);
    session.fail_on_errors(args.common.strict)?;
    Ok(document(args, &dependencies, &models))
}

/// Reports the versions and assets that no model has.
fn missing(args: &OperatorsYamlArgs, models: &[ModelRecord], session: &mut Session) {
    let mut report = |what: &str, wanted: Option<&Vec<String>>, of: fn(&ModelRecord) -> &String| {
        for name in wanted.into_iter().flatten().filter(|name| !models.iter().any(|model| of(model) == *name)) {
            let message = format!("rule `{}`: no model `{}` has the {what} `{name}`", args.rule_name, args.model_name);
            session.diagnostics.push(Diagnostic::new(&codes::ILLEGAL_VALUE, message));
        }
    };
    if args.model_versions.is_some() {
        report("asset", args.model_assets.as_ref(), |model| &model.asset);
        report("version", args.model_versions.as_ref(), |model| &model.version);
    }
}

fn document(args: &OperatorsYamlArgs, dependencies: &Dependencies, models: &[ModelRecord]) -> Yaml {
    let named = |names: &[String]| -> IndexSet<String> { names.iter().filter(|n| !n.is_empty()).cloned().collect() };
    let static_training = named(&args.training_root_ops);
    let mut static_roots = named(&args.root_ops);
    static_roots.extend(static_training.iter().cloned());
    // Operators that were traced are taken as they are; of others, all that they call is added.
    for model in models.iter().filter(|model| model.traced_operators.is_none()) {
        static_roots.extend(model.root_operators.iter().cloned());
    }
    let closure = |roots: &IndexSet<String>, used_in| match roots.is_empty() {
        true => BTreeSet::new(),
        false => dependencies.closure(roots.iter().map(|name| canonical_name(name)), used_in),
    };
    let mut operators: BTreeMap<String, Operator> = BTreeMap::new();
    let by_model = || Operator { debug_info: Some([args.model_name.clone()].into()), ..Operator::default() };
    let mut put = |names: &mut dyn Iterator<Item = &String>, operator: Operator| {
        for name in names {
            operators.entry(name.clone()).or_default().and(operator.clone());
        }
    };
    let of_roots = !args.not_include_all_overloads_static_root_ops;
    let of_closure = !args.not_include_all_overloads_closure_ops;
    let called = closure(&static_roots, BuildUse::Inference);
    let called_in_training = closure(&static_training, BuildUse::Training);
    put(&mut static_roots.iter(), Operator { root: true, all_overloads: of_roots, ..by_model() });
    put(&mut called.iter(), Operator { all_overloads: of_closure, ..by_model() });
    put(&mut static_training.iter(), Operator { root: true, training: true, all_overloads: true, ..by_model() });
    put(&mut called_in_training.iter(), Operator { training: true, all_overloads: of_closure, ..by_model() });
    for model in models {
        let Some(traced) = &model.traced_operators else { continue };
        put(&mut model.root_operators.iter(), Operator { root: true, training: model.train, ..by_model() });
        put(&mut traced.iter(), Operator { training: model.train, ..by_model() });
    }
    let mut kernel_metadata: IndexMap<String, BTreeSet<String>> = IndexMap::new();
    for (tag, dtypes) in models.iter().flat_map(|model| &model.kernel_metadata) {
        kernel_metadata.entry(tag.clone()).or_default().extend(dtypes.iter().cloned());
    }
    let classes = models.iter().flat_map(|model| &model.custom_classes).cloned().collect();
    let features = models.iter().flat_map(|model| &model.build_features).cloned().collect();
    let all = operators.values().any(|operator| operator.all_overloads);
    let operators = operators.iter().map(|(name, operator)| (name.clone(), operator.yaml())).collect();
    let mut pairs = vec![
        ("debug_info".to_owned(), Yaml::List(vec![dumps(&debug_info(args, models))])),
        ("operators".to_owned(), Yaml::Map(operators)),
        ("custom_classes".to_owned(), list(&classes)),
        ("build_features".to_owned(), list(&features)),
        ("include_all_non_op_selectives".to_owned(), Yaml::Flag(all)),
    ];
    if models.iter().any(|model| !model.kernel_metadata.is_empty()) {
        pairs.push(("kernel_metadata".to_owned(), lists(&kernel_metadata)));
    }
    Yaml::Map(pairs)
}

fn debug_info<'a>(args: &OperatorsYamlArgs, models: &'a [ModelRecord]) -> DebugInfo<'a> {
    let mut asset_info: IndexMap<&str, Asset> = IndexMap::new();
    for model in models {
        asset_info.entry(&model.asset).or_default().md5_hash.push(&model.md5_hash);
    }
    DebugInfo { model_name: None, asset_info, is_new_style_rule: args.model_versions.is_some() }
}
