//! Docstrings as Python would add them.

use super::*;
use torchgen_base::diag::Sources;

fn docs(text: &str) -> (Docs, Vec<String>) {
    let (mut docs, mut diagnostics, mut sources) = (Docs::default(), Diagnostics::default(), Sources::new());
    let file = sources.add("docs.py", text.to_owned());
    docs.add(file, text, &mut diagnostics);
    (docs, diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect())
}

#[test]
fn strings() {
    let text = r#"
import torch
from torch._C import _add_docstr as add_docstr

def parse_kwargs(desc):
    return {}

common = parse_kwargs("""
    input (Tensor): the input.
    out (Tensor, optional): the output,
        on two lines.
""")
more: dict[str, str] = merge_dicts(common, {"note": r"a \note"}, parse_kwargs("\n    dim (int): one\n"))

add_docstr(
    torch.abs,
    r"""
abs(input) -> Tensor

Computes \text{{it}}.

Args:
    {input}
    {out} {{}}
""".format(**common),
)
add_docstr(torch.sum, ("a\n" "  b {x}\n" + "{note}{dim}".format(**more)) + f" {common['input']}.")
add_docstr_all("tan", """
    tan() -> Tensor

    	See.
    """)
for name in dir(torch):
    if name:
        add_docstr(name, "no")
add_docstr(torch.last, "last")
"#;
    let (docs, messages) = docs(text);
    assert_eq!(messages, Vec::<String>::new());
    let lines = |name: &str| docs.get(name).unwrap().join("|");
    assert_eq!(
        lines("torch.abs"),
        r"abs(input) -> Tensor||Computes \text{it}.||Args:|    input (Tensor): the input.|    out (Tensor, optional): the output,|        on two lines. {}"
    );
    assert_eq!(lines("torch.sum"), r"a|  b {x}|a \notedim (int): one input (Tensor): the input..");
    assert_eq!(lines("torch._C.TensorBase.tan"), "tan() -> Tensor||    See.");
    assert_eq!(lines("torch.last"), "last");
    assert!(docs.get("name").is_none());
}

#[test]
fn what_is_not_read() {
    let text = "add_docstr(torch.a, text())\nadd_docstr(torch.b, '{x}'.format(**{}))\nadd_docstr(torch.c, 'c')\n\
                add_docstr(torch.d, 'a' % 1)\nadd_docstr\n";
    let (docs, messages) = docs(text);
    assert_eq!(messages.len(), 3, "{messages:?}");
    assert_eq!(docs.get("torch.c").unwrap().join("|"), "c");
    let (_, messages) = self::docs("add_docstr(torch.a, 'a'\n");
    assert_eq!(messages, ["`(` is not closed"]);
}
