//! The embedded templates, as (path below `templates/`, text), sorted by path.

/// Every `templates/**/*.j2` of this build.
pub(super) const TEMPLATES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/embedded_templates.rs"));
