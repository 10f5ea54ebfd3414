//! Tests of reading operators, tags and selections. `errors.txt` holds inputs with errors and the
//! full diagnostics for them; `UPDATE_EXPECT=1` writes the diagnostics again.

use super::native::{ATEN_KEYS, LIBRARY_KEYS};
use super::*;
use torchgen_base::diag::{Diagnostics, Sources};
use torchgen_base::yaml::testing::{PARTS, check_cases, shown};
use torchgen_base::yaml::{Options, parse};

/// Reads `text` as the kind of file named, and returns how many records it has, and the
/// diagnostics.
fn check(name: &str, text: &str) -> String {
    shown(name, text, |root, diagnostics| {
        let count = match name.split_whitespace().next() {
            Some("tags.yaml") => read_tags(root, diagnostics).len(),
            Some("selected.yaml") => read_selective(root, diagnostics).map_or(0, |record| record.operators.len()),
            Some("library.yaml") => read_native_functions(root, &LIBRARY_KEYS, diagnostics).len(),
            _ => read_native_functions(root, &ATEN_KEYS, diagnostics).len(),
        };
        format!("read: {count}\n")
    })
}

#[test]
fn errors() {
    check_cases("src/records/tests/errors.txt", check);
}

#[test]
fn records_keep_what_was_written() {
    let text = "\
- func: add(Tensor a) -> Tensor
  variants: function, method
  dispatch:
    CPU, CUDA: add_kernel
    SparseCPU : x::y
  structured: yes
  tags: [core, pointwise]
  ufunc_inner_loop:
    Generic: add (AllAndComplex, BFloat16)
  precomputed:
  - dim -> int dim
  device_check:
- {func: f() -> (), tags: core, ufunc_inner_loop: f (Bool), structured_delegate: null, cpp_no_default_args: ['on']}
";
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add("f.yaml", text.to_owned());
    let root = parse(&sources, file, Options::OPERATORS, &mut diagnostics).unwrap();
    let records = read_native_functions(root, &ATEN_KEYS, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(
        serde_json::to_string(&records).unwrap(),
        r#"[{"func":"add(Tensor a) -> Tensor","variants":"function, method","dispatch":[{"key":"CPU, CUDA","keys":["CPU","CUDA"],"kernel":"add_kernel"},{"key":"SparseCPU","keys":["SparseCPU"],"kernel":"x::y"}],"structured":true,"precomputed":["dim -> int dim"],"ufunc_inner_loop":[["Generic","add (AllAndComplex, BFloat16)"]],"tags":["core","pointwise"]},{"func":"f() -> ()","ufunc_inner_loop":"f (Bool)","tags":["core"],"cpp_no_default_args":["on"]}]"#
    );
    let keys = &records[0].dispatch.as_ref().unwrap().value[0].keys;
    assert_eq!(keys.iter().map(|key| sources.line_col(key.span())).collect::<Vec<_>>(), [(4, 5), (4, 10)]);
    assert_eq!(sources.line_col(records[1].span), (13, 4));
}

proptest::proptest! {
    /// Reading any file ends, and every place that it reports can be shown.
    #[test]
    fn anything_can_be_read(parts in proptest::collection::vec(proptest::sample::select(PARTS), 0..24)) {
        for kind in ["native_functions.yaml", "tags.yaml", "selected.yaml", "library.yaml"] {
            check(kind, &parts.concat());
        }
    }
}
