//! Own entries as facts: what `model` prints of own YAML.

use torchgen_base::diag::Sources;
use torchgen_kit::facts::{Facts, Own, Place, Relation, Thing};

use super::run::Read;

/// All entries, in the order of the sections.
pub(crate) fn facts(read: &Read, sources: &Sources) -> Facts {
    let mut things = Vec::new();
    for section in &read.model.sections {
        for entry in &section.entries {
            let keys = entry.plain().filter_map(|(key, value)| {
                let value = serde_json::to_value(minijinja::value::Serde(value).0).ok()?;
                (!value.is_null()).then(|| (key.to_owned(), value))
            });
            let operator = entry.operator.map(|at| read.model.thing(at));
            things.push(Thing {
                kind: section.name.clone().into(),
                name: entry.name(&read.model),
                at: Place::from_span(entry.span, sources),
                doc: None,
                schema: operator.and_then(|thing| thing.schema.clone()),
                parts: operator.map_or_else(Vec::new, |thing| thing.parts.clone()),
                relations: operator.map(|thing| Relation::new("operator", &thing.name)).into_iter().collect(),
                signatures: Vec::new(),
                facts: keys.collect::<Own>(),
                outputs: Vec::new(),
            });
        }
    }
    Facts { namespace: None, things }
}
