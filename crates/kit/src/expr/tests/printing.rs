//! Expressions in C++ and in Python.

use super::{Cpp, Python, checked};

fn cpp(text: &str) -> String {
    let printer = Cpp { helpers: "expr::", named: &str::to_owned, function: &|_, _| None, variable: &str::to_owned };
    printer.print(&checked(text).unwrap_or_else(|error| panic!("{text}: {error:?}")))
}

fn python(text: &str) -> String {
    let constant = |name: &str| format!("_math.{name}");
    let function = |name: &str, arguments: &[String]| match (name, arguments) {
        ("sizes", [x]) => Some(format!("{x}.shape")),
        ("size", [x, dim]) => Some(format!("{x}.shape[{dim}]")),
        _ => None,
    };
    let printer = Python { helpers: "_expr.", function: &function, variable: &str::to_owned, constant: &constant };
    printer.print(&checked(text).unwrap_or_else(|error| panic!("{text}: {error:?}")))
}

#[test]
fn cpp_keeps_order_and_types() {
    for (text, expected) in [
        ("n // 2", "expr::floor_div(n, std::int64_t(2))"),
        ("(n + 1) * 2", "(n + std::int64_t(1)) * std::int64_t(2)"),
        ("n + 0.5", "static_cast<double>(n) + 0.5"),
        ("a == 1", "a == 1.0"),
        ("not (n == 1 or n == 2)", "!((n == std::int64_t(1)) || (n == std::int64_t(2)))"),
        ("c is None", "!c.has_value()"),
        ("c is not None and ndim(c) == 2", "c.has_value() && (expr::ndim((*c)) == std::int64_t(2))"),
        ("[1, 2]", "expr::list_of<std::int64_t>(std::int64_t(1), std::int64_t(2))"),
        ("axes[1:]", "expr::part(axes, std::int64_t(1), std::nullopt)"),
        ("\"n{n}?\"", "expr::text(std::string(\"n\"), n, std::string(\"?\"))"),
        ("3 not in axes", "!expr::contains(axes, std::int64_t(3))"),
        ("-n", "-n"),
        ("1 - -n", "std::int64_t(1) - (-n)"),
        ("1e3 + .5", "1e3 + 0.5"),
        ("[*axes]", "axes"),
        ("[*axes, 1]", "expr::joined(axes, expr::list_of<std::int64_t>(std::int64_t(1)))"),
        (
            "[1, *axes[1:], *axes]",
            "expr::joined(expr::joined(expr::list_of<std::int64_t>(std::int64_t(1)), \
             expr::part(axes, std::int64_t(1), std::nullopt)), axes)",
        ),
        ("[*axes, .5]", "expr::joined(expr::list_as<double>(axes), expr::list_of<double>(0.5))"),
        ("x.size(0)", "expr::size(x, std::int64_t(0))"),
    ] {
        assert_eq!(cpp(text), expected, "{text}");
    }
}

#[test]
fn python_keeps_order_and_types() {
    for (text, expected) in [
        ("n // 2", "(n // 2)"),
        ("(n + 1) * -n", "((n + 1) * (-n))"),
        ("n + 0.5", "(float(n) + 0.5)"),
        ("1 if not (n == 1 or n == 2) else -2", "(1 if (not ((n == 1) or (n == 2))) else -2)"),
        ("c is not None and ndim(c) == 2", "((c is not None) and (_expr.ndim(c) == 2))"),
        ("[*x.sizes[:-1], n, *axes]", "[*x.shape[:-1], n, *axes]"),
        ("x.sizes[1:n + 1]", "x.shape[1:(n + 1)]"),
        ("x.size(0)", "x.shape[0]"),
        ("[i for i in range(n) if i not in axes]", "[i for i in list(range(n)) if (i not in axes)]"),
        ("[[]] + [axes]", "([[]] + [axes])"),
        ("len(axes) + max(1, n) + product(axes)", "((len(axes) + max(1, n)) + _expr.product(axes))"),
        ("pi if True else .5", "(_math.pi if True else .5)"),
        ("\"{n}\\\"\\té\"", "_expr.text(n, \"\\\"\\té\")"),
        ("None if n == 1 else x", "(None if (n == 1) else x)"),
    ] {
        assert_eq!(python(text), expected, "{text}");
    }
}
