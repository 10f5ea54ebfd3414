//! Tests of what bodies show.

use super::{
    Checks, DeviceTable, Does, Effects, Function, Mutates, Named, Takes, effects, join, known, outcome, results,
};
use torchgen_base::diag::FileId;
use torchgen_base::lang::cpp;

/// What the last function of a text does: `writes x by add_`.
fn shown(text: &str) -> Vec<String> {
    let source = cpp::scan_source(text);
    let mut all: Vec<Effects> = source.definitions.iter().map(|one| effects(text, one)).collect();
    let (functions, devices) = (functions(&source.definitions), devices(text));
    join(&functions, &mut all, &devices);
    let (Some(definition), Some(last)) = (source.definitions.last(), all.last()) else { return Vec::new() };
    let mut shown = Vec::new();
    for (does, word) in [
        (Does::Writes, "writes"),
        (Does::Returns, "returns"),
        (Does::ReadsAsNumber, "reads"),
        (Does::MakesContiguous, "copies"),
        (Does::Keeps, "keeps"),
    ] {
        for effect in last.first_of_each_parameter(does) {
            shown.push(format!("{word} {} by {}", super::name(&definition.parameters[effect.parameter]), effect.by));
        }
    }
    shown
}

fn functions(definitions: &[cpp::Definition]) -> Vec<Function> {
    definitions.iter().map(|one| Function::new(FileId::default(), one)).collect()
}

fn devices(text: &str) -> DeviceTable {
    let mut devices = DeviceTable::default();
    devices.add(text);
    devices
}

/// What is known of the parameters of the last function of a text: a letter for each that leads to
/// a tensor, `n`ever, `u`nknown, `p`erhaps or `a`lways.
fn mutates(text: &str) -> String {
    let source = cpp::scan_source(text);
    let mut all: Vec<Effects> = source.definitions.iter().map(|one| effects(text, one)).collect();
    let (functions, declared) = (functions(&source.definitions), functions(&source.declared));
    let devices = devices(text);
    join(&functions, &mut all, &devices);
    let all: Vec<&Effects> = all.iter().collect();
    let found = known(&Named::new(&functions, &devices), &Named::new(&declared, &devices), &all);
    let letter = |one: &Mutates| match one {
        Mutates::Never => 'n',
        Mutates::Unknown => 'u',
        Mutates::Perhaps(_) => 'p',
        Mutates::Always(_) => 'a',
    };
    let last = functions.last().zip(found.last());
    let shown = |takes: &Takes| *takes != Takes::Nothing;
    last.map(|(function, known)| {
        function.takes.iter().zip(known).filter(|(t, _)| shown(t)).map(|(_, k)| letter(k)).collect()
    })
    .unwrap_or_default()
}

/// The effects of a body on `const at::Tensor& x`, and other parameters.
#[track_caller]
fn check(body: &str, expected: &[&str]) {
    let text = format!(
        "at::Tensor f(const at::Tensor& x, at::Tensor y, const std::optional<at::Tensor>& o, at::TensorList xs) {{ {body} }}"
    );
    assert_eq!(shown(&text), expected, "{body}");
}

#[test]
fn methods_and_operators_that_write() {
    for (body, by) in [
        ("x.add_(1);", "add_"),
        ("x.view({-1}).t().copy_(y);", "copy_"),
        ("x += 1;", "+="),
        ("x[0] = y;", "="),
        ("x.select(0, 1) *= 2;", "*="),
        ("x.index({0}) = y;", "="),
        ("at::add_out(x, y, y);", "add_out"),
        ("torch::stable::fill_(x, 0);", "fill_"),
        ("at::add_outf(y, y, 1, x);", "add_outf"),
        ("auto z = x; z.zero_();", "zero_"),
        ("const auto& z = x.narrow(0, 1, 2); z.zero_();", "zero_"),
        ("at::Tensor z(x); z.zero_();", "zero_"),
        ("x.contiguous().zero_();", "zero_"),
        ("at::parallel_for(0, 1, 1, [&](int64_t a, int64_t b) { x[a].fill_(1); });", "fill_"),
        ("if (c) { x.mul_(2); }", "mul_"),
        ("config.add_output(x).build();", "add_output"),
        ("\n#ifdef A\nx.mul_(2);\n#endif\n", "mul_"),
    ] {
        let expected = format!("writes x by {by}");
        let found = shown(&format!("void f(const at::Tensor& x, at::Tensor y) {{ {body} }}"));
        assert!(found.contains(&expected), "{body}: {found:?}");
    }
}

#[test]
fn memory_that_is_written() {
    for (body, by) in [
        ("x.data_ptr<float>()[0] = 1;", "="),
        ("float* p = x.data_ptr<float>(); p[0] += 1;", "+="),
        ("auto* p = x.data_ptr<float>(); for (int i = 0; i < 3; ++i) *p++ = i;", "="),
        ("auto p = static_cast<float*>(x.data_ptr()); *(p + 1) = 2;", "="),
        ("float* p = (float*)x.data_ptr(); ++p[0];", "++"),
        ("float* p = x.data_ptr<float>(); float* q = p + 3; q[1]--;", "--"),
        ("auto a = x.accessor<float, 2>(); a[0][1] = 3;", "="),
        ("auto a = x.packed_accessor32<float, 2>(); auto row = a[0]; row[1] = 3;", "="),
        ("float* p = x.data_ptr<float>(); auto& e = p[2]; e = 1;", "="),
        ("std::memcpy(x.data_ptr<float>(), q, 4);", "memcpy"),
        ("float* p = x.data_ptr<float>(); std::fill(p, p + 3, 0);", "fill"),
        ("float* p = x.data_ptr<float>(); atomicAdd(&p[1], 2.f);", "atomicAdd"),
        ("float* p = x.mutable_data_ptr<float>();", "mutable_data_ptr"),
        ("const_cast<float*>(x.const_data_ptr<float>())[0] = 1;", "="),
        ("const float* p = x.const_data_ptr<float>(); auto q = (float*)p; q[1] += 2;", "+="),
        ("auto y = x.to(at::kFloat).split(2)[0]; y.data_ptr<float>()[0] = 1;", "="),
        ("AT_DISPATCH_ALL_TYPES(x.scalar_type(), \"f\", [&] { x.data_ptr<scalar_t>()[0] = 1; });", "="),
    ] {
        check(body, &[&format!("writes x by {by}")]);
    }
}

#[test]
fn what_writes_nothing() {
    for body in [
        "auto z = x.clone(); z.add_(1);",
        "at::Tensor z = x + 1; z += x; z[0] = x;",
        "y = x.clone(); y.add_(1);",
        "y = x.clone(); y.data_ptr<float>()[0] = 1;",
        "const float* p = x.data_ptr<float>(); float s = p[0]; s += p[1]; s = 3;",
        "auto p = x.data_ptr<const float>(); use(p[0]);",
        "auto p = x.const_data_ptr<float>(); out[0] = p[0];",
        "use(reinterpret_cast<const int*>(x.const_data_ptr())); auto p = x.const_data_ptr<float>(); p += 2; ++p;",
        "auto a = x.accessor<const float, 1>(); out[0] = a[0];",
        "x.requires_grad_(true);",
        "bool b = x.size == y.size; b = x == y; c <= x;",
        "// x.add_(1);\n/* x.add_(1); */ log(\"x.add_(1);\");",
        "\n#if 0\nx.add_(1);\n#endif\n",
        "auto r = R\"(x.add_(1);)\";",
        "at::add_out(out, x, y); at::sum(x, 0);",
        "for (auto x : other) { x.zero_(); }",
        "{ auto x = at::empty({1}); x.zero_(); }",
        "run([&](at::Tensor x) { x.zero_(); });",
        "std::tie(x, y) = g(); x.zero_();",
        "a.x.add_(1); b->x.add_(1); n::x.add_(1);",
        "unknown(x); unknown(x.data_ptr<float>());",
        "std::vector<at::Tensor> zs = xs.vec(); zs[0] = y;",
    ] {
        let found = shown(&format!("void f(const at::Tensor& x, at::Tensor y, at::TensorList xs) {{ {body} }}"));
        assert!(!found.iter().any(|one| one.starts_with("writes")), "{body}: {found:?}");
    }
    // Before it is assigned to, it is the argument.
    check("y.add_(1); y = x.clone(); y.mul_(2);", &["writes y by add_"]);
    check("y = y.contiguous(); y.mul_(2);", &["writes y by mul_", "copies y by contiguous"]);
}

#[test]
fn optional_arguments_and_lists() {
    check("if (o) o->zero_();", &["writes o by zero_"]);
    check("o.value().zero_();", &["writes o by zero_"]);
    check("auto z = *o; z.zero_();", &["writes o by zero_"]);
    check("for (const auto& z : xs) { z.zero_(); }", &["writes xs by zero_"]);
    check("xs[1].zero_();", &["writes xs by zero_"]);
    check("at::_foreach_add_(xs, 1);", &["writes xs by _foreach_add_"]);
}

#[test]
fn functions_of_the_project() {
    let helper = "namespace a { static void fill(at::Tensor t, float* p, int n) { p[0] = n; t.zero_(); } }\n";
    let of = |body: &str| shown(&format!("{helper}void f(const at::Tensor& x, const at::Tensor& y) {{ {body} }}"));
    assert_eq!(of("a::fill(x, y.data_ptr<float>(), 1);"), ["writes x by a::fill", "writes y by a::fill"]);
    assert_eq!(of("fill(x, nullptr, 1);"), ["writes x by fill"]);
    assert!(of("at::fill(x, nullptr, 1); b.fill(x, nullptr, 1);").is_empty());
    let kernel = "template <typename T> __global__ void k(const T* a, T* __restrict__ b) { b[threadIdx.x] = a[0]; }\n\
        void launch(at::Tensor t) { k<float><<<1, (t.numel() + 255) / 256>>>(t.data_ptr<float>(), t.data_ptr<float>()); }\n\
        void f(at::Tensor x) { launch(x); }";
    assert_eq!(shown(kernel), ["writes x by launch"]);
    // The name of a method says that it writes; a function that it is passed to may not.
    let reads = "void g(const float* p) { use(p[0]); }\nvoid f(at::Tensor x) { g(x.mutable_data_ptr<float>()); }";
    assert!(shown(reads).is_empty());
    let unknown = "void f(at::Tensor x) { h(x.mutable_data_ptr<float>()); }";
    assert_eq!(shown(unknown), ["writes x by mutable_data_ptr"]);
    let handle = "void* g(at::Tensor x) { return x.mutable_data_ptr(); }\nvoid f(at::Tensor x) { auto p = g(x); }";
    assert!(shown(handle).is_empty());
    // One of the functions of the name does not write.
    let two = "void g(at::Tensor t) { t.zero_(); } void g(at::Tensor t, int n = 0) { t.sum(); }\nvoid f(at::Tensor x) { g(x); }";
    assert!(shown(two).is_empty());
    let each_other = "void g(at::Tensor t) { f(t); } void f(at::Tensor x) { g(x); }";
    assert!(shown(each_other).is_empty());
}

#[test]
fn how_much_is_known() {
    let kernel = "template <typename T> __global__ void k(const T* a, T* b, int n) { LOOP(i, n) { b[i] = a[i]; } }\n\
        __global__ void opaque(float* b) { helper(b); }\n\
        template <typename... T> void many(const at::Tensor& x, at::Tensor y, T... rest) { y.zero_(); }\n\
        void elsewhere(const at::Tensor& x, at::Tensor& y, float* p, const float* q);\n";
    for (body, expected) in [
        ("k<float><<<1, 2>>>(x.data_ptr<float>(), y.data_ptr<float>(), 3);", "na"),
        ("opaque<<<1, 2>>>(y.data_ptr<float>()); auto z = at::add(x, x) * x;", "np"),
        ("unknown(x); use(y.data_ptr<float>());", "uu"),
        ("elsewhere(x, y, nullptr, nullptr);", "up"),
        ("elsewhere(z, z, x.data_ptr<float>(), y.data_ptr<float>());", "pn"),
        ("y.copy_(x); auto n = x.relu().sum(); CHECK(x.dim() == 2);", "na"),
        ("cublasSgemm(handle, x.data_ptr<float>());", "un"),
        ("all.values[0] = x.data_ptr<float>(); const float* z = y.const_data_ptr<float>();", "pn"),
        ("many(x, y, 1, 2, 3);", "na"),
    ] {
        assert_eq!(
            mutates(&format!("{kernel}void f(const at::Tensor& x, at::Tensor y) {{ {body} }}")),
            expected,
            "{body}"
        );
    }
    assert_eq!(mutates("void f(at::Tensor x) { x.contiguous().zero_(); }"), "p");
    let flag = "template <typename F> void k(volatile int* flag, F call) { call(flag); }\n";
    assert_eq!(mutates(&format!("{flag}void f(at::Tensor x) {{ k(x.data_ptr<int>(), g); }}")), "u");
    // A table with a function for each device.
    let table = "void on_cuda(at::Tensor x, at::Tensor y) { y.copy_(x); }\nvoid on_cpu(at::Tensor x, at::Tensor y) { helper(y); }\n\
        REGISTER_DEVICE_IMPL(run, CUDA, on_cuda);\n";
    let call = "void f(at::Tensor x, at::Tensor y) { DISPATCH_DEVICE_IMPL(run, x, y); }";
    assert_eq!(mutates(&format!("{table}{call}")), "na");
    assert_eq!(mutates(&format!("{table}REGISTER_DEVICE_IMPL(run, CPU, on_cpu);\n{call}")), "np");
    assert_eq!(mutates("void g(at::Tensor x) { f(x); }\nvoid f(at::Tensor x) { g(x); }"), "n");
}

#[test]
fn how_many_results() {
    let of = |body: &str| {
        let text = format!(
            "std::vector<at::Tensor> g(at::Tensor x, int n = 1) {{ return {{x, x.t()}}; }}\nstd::vector<at::Tensor> f(at::Tensor x) {{ {body} }}"
        );
        let source = cpp::scan_source(&text);
        let outcomes: Vec<_> = source.definitions.iter().map(|one| outcome(&text, one)).collect();
        let (functions, devices) = (functions(&source.definitions), DeviceTable::default());
        let found = results(&Named::new(&functions, &devices), &outcomes);
        found.last().copied().flatten()
    };
    for (body, expected) in [
        ("return {x, h(x, 1), x};", Some(3)),
        ("if (c) { return {x, x}; } auto h = [] { return 1; }; return {x, x};", Some(2)),
        ("if (c) { return {x}; } return {x, x};", None),
        ("return g(x);", Some(2)),
        ("auto all = g(x); return all;", Some(2)),
        ("std::vector<at::Tensor> all = {x, x}; return all;", Some(2)),
        ("std::vector<at::Tensor> all{x}; all.push_back(x); return all;", None),
        ("std::vector<at::Tensor> all; return all;", None),
        ("return std::vector<at::Tensor>{x};", Some(1)),
        ("return std::vector<at::Tensor>({x, x});", Some(2)),
        ("return at::split(x, 2);", None),
        ("return {};", None),
        ("return f(x);", None),
        ("", None),
    ] {
        assert_eq!(of(body), expected, "{body}");
    }
}

#[test]
fn devices_that_are_checked() {
    let mut checks = Checks::default();
    checks.add("#define CHECK_DEVICE(x) TORCH_CHECK(x.is_cuda(), #x)\n#define CHECK_INPUT(x) \\\n  CHECK_DEVICE(x); CHECK_CONTIGUOUS(x)\n");
    for (body, expected) in [
        ("CHECK_CUDA(x);", Some("CUDA")),
        ("CHECK_INPUT(x); CHECK_INPUT(y);", Some("CUDA")),
        ("TORCH_CHECK(x.device().is_cuda(), \"x\");", Some("CUDA")),
        ("if (x.is_cuda()) { return a(x); } TORCH_CHECK(x.is_cpu()); return b(x);", None),
        ("if (x.device().type() == at::kCPU) { return a(x); } CHECK_CUDA(x); return b(x);", None),
        ("CHECK_CUDA(x); if (x.numel() == 0) { return x; }", Some("CUDA")),
        ("TORCH_CHECK(x.is_cpu());", Some("CPU")),
        ("CHECK_CPU(x); CHECK_CUDA(y);", None),
        ("TORCH_CHECK(!x.is_cuda());", None),
        ("TORCH_CHECK(x.is_cuda() || x.is_cpu());", None),
        ("if (x.is_cuda()) { run(x); } CHECK_CONTIGUOUS(x);", None),
    ] {
        assert_eq!(checks.device(body), expected, "{body}");
    }
}

#[test]
fn what_is_returned() {
    for body in [
        "return x;",
        "return (x);",
        "return std::move(x);",
        "return x.t();",
        "return x[0];",
        "return c ? x : y.clone();",
        "return {x, y.clone()};",
        "return std::make_tuple(y.clone(), x);",
        "return std::tuple<at::Tensor, at::Tensor>(x, y.clone());",
        "return std::tuple<at::Tensor, at::Tensor>{x, y.clone()};",
        "auto z = x; if (c) { return z; } return y.clone();",
    ] {
        check(body, &["returns x by return"]);
    }
    check("return *o;", &["returns o by return"]);
    check("return x.contiguous();", &["returns x by return", "copies x by contiguous"]);
    for body in [
        "return x.clone();",
        "return x + y;",
        "x.sum(); return at::add(x, y);",
        "y = y.clone(); return y;",
        "auto g = [&] { return x; }; return g().clone();",
        "return at::empty({1}, x.options());",
        "return {x.clone()};",
        "return use(x) ? y.clone() : y.sum();",
        "return x.dim() == 1 ? y.sum() : y.clone();",
    ] {
        check(body, &[]);
    }
}

#[test]
fn numbers_and_what_is_kept() {
    check("auto n = x.size(0);", &["reads x by size"]);
    check("auto n = x.item<float>();", &["reads x by item"]);
    check("static at::Tensor cache = x;", &["keeps x by cache"]);
    check("cache_ = x;", &["keeps x by cache_"]);
    check("saved.push_back(x);", &["keeps x by push_back"]);
    check("std::vector<at::Tensor> own; own.push_back(x); at::Tensor z; z = x;", &[]);
}

#[test]
fn any_text_is_read() {
    for body in [
        "x.",
        "x[",
        "x(",
        "*x",
        "(((x",
        "x.add_(",
        "return {x",
        "x < x < x",
        "}}}",
        "x ? x",
        "= x;",
        "auto [ = x",
        "&x = ",
    ] {
        shown(&format!("void f(at::Tensor x) {{ {body} }}"));
        shown(&format!("void f(at::Tensor x) {{ {body}"));
    }
    shown(&format!("void f(at::Tensor x) {{ {} }}", "x+".repeat(20_000)));
    shown(&format!("void f(at::Tensor x) {{ {}x{} }}", "f(x,".repeat(5_000), ")".repeat(5_000)));
    shown(&format!("void f(at::Tensor x) {{ {} }}", "x<".repeat(20_000)));
}
