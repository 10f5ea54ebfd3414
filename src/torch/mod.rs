//! PyTorch's family: its commands, and what of it serves ATen, libraries and backends alike.
//!
//! Invariant: nothing is generated here; the crates of PyTorch's operators do that.

pub(crate) mod check;
pub(crate) mod commands;
pub(crate) mod declarations;
pub(crate) mod explain;
pub(crate) mod generator_list;
pub(crate) mod yaml_kinds;

use torchgen_kit::driver::family::Family;
use torchgen_model::codes;

/// PyTorch's operators.
pub(crate) const FAMILY: Family = Family {
    name: "torch",
    about: "PyTorch's operators: ATen, autograd, operator libraries",
    commands: commands::COMMANDS,
    generators: generator_list::all,
    yaml_kinds: yaml_kinds::YAML_KINDS,
    codes: codes::ALL,
    diagnostics: include_str!("../../docs/diagnostics.md"),
};

#[cfg(test)]
mod tests {
    use super::FAMILY;
    use torchgen_base::diag::explain::section;
    use torchgen_model::codes::all;

    #[test]
    fn every_code_is_explained() {
        let all = all();
        assert!(all.windows(2).all(|pair| pair[0].id < pair[1].id), "ids must ascend");
        let missing: Vec<_> = all
            .iter()
            .filter(|code| section(code, &[FAMILY.diagnostics]).is_none_or(str::is_empty))
            .map(|code| code.id)
            .collect();
        assert!(
            missing.is_empty(),
            "docs/diagnostics.md lacks a section for {missing:?}: add `## TG0123 its-name` in the order of the codes, with a \
             sentence or two and, where YAML alone shows it, a ```yaml wrong and a ```yaml right block, which tests/fast/explanations.rs runs"
        );
        let headings: Vec<_> = FAMILY.diagnostics.lines().filter_map(|line| line.strip_prefix("## TG")).collect();
        let expected: Vec<_> = all.iter().map(|code| format!("{} {}", &code.id[2..], code.name)).collect();
        assert_eq!(headings, expected, "the headings of docs/diagnostics.md are those of the codes, in order");
    }
}
