//! Turns a selective-build file into a selector.

use crate::model::selector::{Selected, Selector};
use crate::records::SelectiveRecord;

impl Selector {
    /// The selector of a selective-build file.
    pub fn from_record(record: SelectiveRecord) -> Selector {
        let operators = record.operators.into_iter().map(|operator| {
            let selected = Selected {
                root: operator.is_root_operator,
                training: operator.is_used_for_training,
                all_overloads: operator.include_all_overloads,
                span: Some(operator.name.span()),
            };
            (operator.name.into_string(), selected)
        });
        Selector {
            include_all_operators: record.include_all_operators,
            include_all_non_op_selectives: record.include_all_non_op_selectives,
            operators: operators.collect(),
            kernel_metadata: record.kernel_metadata,
            custom_classes: record.custom_classes,
            build_features: record.build_features,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::read_selective;
    use torchgen_base::diag::{Diagnostics, Sources};
    use torchgen_base::yaml::{Options, parse};

    /// Selected, root, for training: `s`, `r`, `t`, or a dash instead of each.
    fn check(selector: &Selector, name: &str, expected: &str) {
        let flags = [
            (selector.is_operator_selected(name), 's'),
            (selector.is_root_operator(name), 'r'),
            (selector.is_operator_selected_for_training(name), 't'),
        ];
        let found: String = flags.iter().map(|&(set, letter)| if set { letter } else { '-' }).collect();
        assert_eq!(found, expected, "{name}");
    }

    #[test]
    fn everything() {
        check(&Selector::nop(), "any::thing.at_all", "srt");
    }

    #[test]
    fn whitelists() {
        let selector = Selector::from_whitelist([("aten::add", None), ("aten::mul.out", None)]);
        for (name, expected) in [
            ("aten::add", "sr-"),
            ("aten::add.Tensor", "sr-"),
            ("aten::mul.out", "sr-"),
            ("aten::mul.Tensor", "---"),
            ("aten::mul", "---"),
            ("aten::add_", "---"),
        ] {
            check(&selector, name, expected);
        }
        assert_eq!(selector.unmatched(["aten::add.Tensor", "aten::mul"]), [("aten::mul.out", None)]);
        assert!(selector.include_all_non_op_selectives);
    }

    #[test]
    fn files() {
        let text = "\
operators:
  aten::a: {is_root_operator: No, is_used_for_training: yes}
  aten::b.x: {is_used_for_training: false}
  aten::b: {include_all_overloads: false}
  aten::c: {is_used_for_training: false}
  aten::c.x: {is_root_operator: false, include_all_overloads: false}
  aten::a: {is_root_operator: false}
kernel_metadata:
  add: [int, float]
custom_classes: [C]
";
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        let file = sources.add("selected.yaml", text.to_owned());
        let root = parse(&sources, file, Options::SAFE_LOAD, &mut diagnostics).expect("valid");
        let selector = Selector::from_record(read_selective(root, &mut diagnostics).expect("valid"));
        assert!(diagnostics.is_empty());
        for (name, expected) in [
            ("aten::a", "s-t"),
            ("aten::a.y", "s-t"),
            ("aten::b", "srt"),
            ("aten::b.x", "sr-"),
            ("aten::b.y", "---"),
            ("aten::c.x", "s-t"),
            ("aten::c.y", "sr-"),
        ] {
            check(&selector, name, expected);
        }
        let unmatched = selector.unmatched(["aten::a.q", "aten::b.x", "aten::c", "aten::c.x"]);
        let shown: Vec<_> =
            unmatched.iter().map(|(name, span)| (*name, sources.line_col(span.unwrap_or_default()))).collect();
        assert_eq!(shown, [("aten::b", (4, 3))]);
        assert_eq!(selector.kernel_metadata["add"], ["int", "float"]);
        assert_eq!(selector.custom_classes, ["C"]);
    }
}
