//! Texts and their one form.

mod properties;

use super::*;

const STYLE: Style<'_> = Style { schema_keys: &["func", "name"], list_keys: &["variants", "autogen"] };

#[track_caller]
fn check(text: &str, expected: &str) {
    let once = format(text, STYLE, None);
    assert_eq!(once.as_deref(), Ok(expected), "{text}");
    assert_eq!(format(expected, STYLE, None).as_deref(), Ok(expected), "again: {text}");
}

#[test]
fn indentation() {
    check("a:\n    b: c\n    d:\n      - e\n      -   f\n", "a:\n  b: c\n  d:\n  - e\n  - f\n");
    check("-   a: b\n    c:\n        - d\n\n-\n   e: f\n", "- a: b\n  c:\n  - d\n\n-\n  e: f\n");
    check("- - a\n  -  b:  c\n     d: e\n", "- - a\n  - b: c\n    d: e\n");
    check("  a: b\n  c: d\n", "a: b\nc: d\n");
    check("a:\n   b\n", "a:\n  b\n");
    check("? a\n:   b\n?   - c\n    - d\n: - e\n  -    f\n", "? a\n: b\n? - c\n  - d\n: - e\n  - f\n");
    check("---\n a: b\n...\n---   c\n", "---\na: b\n...\n--- c\n");
}

#[test]
fn spaces() {
    check("a :  b # c\nd:\te\t# f\ng: h    # i\n", "a: b  # c\nd: e  # f\ng: h    # i\n");
    check("a: b \t\n\n\n\nc: d\n\n\n", "a: b\n\nc: d\n");
    check("\n\na: b", "a: b\n");
    check("a: &x  !!str   b\nc:   *x\n*x : d\n", "a: &x !!str b\nc: *x\n*x : d\n");
    check("", "");
    check("\n \n", "");
    check("# only\n\n", "# only\n");
    check("%YAML 1.1\n---\na:  b\n", "%YAML 1.1\n---\na: b\n");
}

#[test]
fn brackets() {
    check("a: [ b,c , d ]\n", "a: [b, c, d]\n");
    check("a: { b:  c,d: [ ] }\n", "a: {b: c, d: []}\n");
    check("a: [b,\n  c,\n        d]\n", "a: [b,\n    c,\n    d]\n");
    check("a: [\n b, # one\n     # two\n c\n    ]\nd: e\n", "a: [\n  b,  # one\n  # two\n  c\n]\nd: e\n");
    check("- {a: b,\n     c: [\n d], e}\n", "- {a: b,\n   c: [\n     d], e}\n");
    check("- [\n a\n ]\n", "- [\n    a\n  ]\n");
    check("[a,   b]: c\n{d:  e}: f\n", "[a, b]: c\n{d: e}: f\n");
    check("a: {b: , c}\n", "a: {b: , c}\n");
}

#[test]
fn comments() {
    check(
        "a:\n    # of b\n    b: c\n  # of a's end\n# of d\nd: e\n",
        "a:\n  # of b\n  b: c\n# of a's end\n# of d\nd: e\n",
    );
    check(
        "- a: b\n    # after\n\n  # at the keys\n\n# at the entry\n- c: d\n",
        "- a: b\n  # after\n\n  # at the keys\n\n# at the entry\n- c: d\n",
    );
    check("- a: b\n# within\n  c: d\n", "- a: b\n# within\n  c: d\n");
    check("a: #b\n  c:   d # e\n", "a:  #b\n  c: d  # e\n");
}

#[test]
fn scalars_over_several_lines() {
    check(
        "-   a: |\n        b  \n          c\n\n    d: >-\n      e\n      f\n",
        "- a: |\n      b  \n        c\n\n  d: >-\n    e\n    f\n",
    );
    check("-   a: |2\n         b\n      c\n", "- a: |2\n       b\n    c\n");
    check("-   a: \"b\n            c\n\n      d\" # e\n", "- a: \"b\n          c\n\n    d\"  # e\n");
    check("-   a: b\n      c\n    d: e\n", "- a: b\n    c\n  d: e\n");
    check("a: [\"b\n c\",   d\n e]\n", "a: [\"b\n    c\", d\n    e]\n");
    check("a: \"b \\\n   c\"\n", "a: \"b \\\n   c\"\n");
    // Blank lines at the end of these count.
    check("a: |+\n  b\n\n\n", "a: |+\n  b\n\n\n");
    check("a: |+\n  b\n\n\nc:  d\n", "a: |+\n  b\n\n\nc: d\n");
    check("a: |\n  b\n\n\n\nc:  d\n\n\n", "a: |\n  b\n\nc: d\n");
    check("a:  |\n  b", "a: |\n  b");
    check("a:  |-\n  b", "a: |-\n  b\n");
}

#[test]
fn schemas_and_lists_of_names() {
    check(
        "- func: f.out( Tensor  self,int[2] n = 1 ,*,int[] d = [0,1],str s='a,  b')->( Tensor,Tensor )\n",
        "- func: f.out(Tensor self, int[2] n=1, *, int[] d=[0,1], str s='a,  b') -> (Tensor, Tensor)\n",
    );
    check("- name:  x::f (Tensor(a->*) self)->()\n", "- name: x::f(Tensor(a -> *) self) -> ()\n");
    check("- other: f(a,b)->c\n", "- other: f(a,b)->c\n");
    check(
        "- variants: function,method\n  autogen: f.out,  g.out\n",
        "- variants: function, method\n  autogen: f.out, g.out\n",
    );
    check("dispatch:\n  CPU,CUDA:  f\n", "dispatch:\n  CPU, CUDA: f\n");
    check("- func: \"f(Tensor a,int b) -> ()\"\n", "- func: \"f(Tensor a, int b) -> ()\"\n");
}

#[test]
fn quotes() {
    check("\"a\":  'yes'\n'b c':  d\n\"no\":  e\n", "a: 'yes'\n'b c': d\n\"no\": e\n");
    check("func: 'f(int a,int b)->()'\n", "func: 'f(int a, int b) -> ()'\n");
}

#[test]
fn line_ends() {
    check("a:  b\r\nc:  d\r\n", "a: b\r\nc: d\r\n");
    check("a:  b\r\nc:  d\ne: |\n  f\r\n", "a: b\r\nc: d\r\ne: |\r\n  f\r\n");
    check("a:  b\rc: d\r", "a: b\nc: d\n");
    check("a:  é # ü\n\u{85}b:  c\u{2028}", "a: é  # ü\n\u{85}b: c\u{2028}");
    check("\u{feff}a:  b\n", "\u{feff}a: b\n");
}

#[test]
fn ranges() {
    let text = "- a:  b\n  c:  d\n\n\n- e:  f\n# g\n- h:  i\n";
    let check = |range, expected: &str| assert_eq!(format(text, STYLE, Some(range)).as_deref(), Ok(expected));
    check(1..=1, "- a: b\n  c: d\n\n- e:  f\n# g\n- h:  i\n");
    check(2..=2, "- a: b\n  c: d\n\n- e:  f\n# g\n- h:  i\n");
    check(5..=5, "- a:  b\n  c:  d\n\n\n- e: f\n# g\n- h:  i\n");
    check(7..=99, "- a:  b\n  c:  d\n\n\n- e:  f\n# g\n- h: i\n");
}

#[test]
fn errors() {
    assert_eq!(format("a: [\n", STYLE, None), Err(Unformatted::Syntax));
    assert_eq!(format("a: b: c\n", STYLE, None), Err(Unformatted::Syntax));
}
