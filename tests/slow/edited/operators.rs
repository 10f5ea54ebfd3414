//! Random edits of native_functions.yaml.
//!
//! Invariant: an edit depends on the random numbers and the files only, and says what it did.

use super::entry::{Entry, Schema, name_of, parts};
use super::{Files, replaced_words};
use crate::support::random::Random;

const TYPES: &str = "Tensor|Tensor?|Tensor[]|Tensor?[]|Tensor(a)|Tensor(a!)|Tensor(b!)|Tensor(a!)?|Tensor(a!)[]|Tensor(a|b)|\
    Tensor(a -> *)|Tensor[3]|int|int?|int[]|int[2]|int[2]?|int[]?|SymInt|SymInt?|SymInt[]|SymInt[1]|SymInt[3]?|SymBool|float|float?|\
    float[]|float[]?|bool|bool?|bool[]|bool[3]|Scalar|Scalar?|Scalar[]|str|str?|str[]|ScalarType|ScalarType?|Layout|Layout?|\
    Device|Device?|Device[]|DeviceIndex|MemoryFormat|MemoryFormat?|Generator|Generator?|Dimname|Dimname?|Dimname[]|Dimname[1]?|\
    Storage|Stream|QScheme|ConstQuantizerPtr|__torch__.torch.classes.a.B|tensor|Int|double|complex|Tensor[][]|int??|";
const NAMES: &str = "x|dim|out|grad|result|self|other|input|n|from|in|class|default|int|dtype|device|layout|pin_memory|memory_format|\
    generator|names|size|weight|_x|x_|a.b|1x|Tensor|tensors|output|lambda|None|options|func";
const DEFAULTS: &str = "None|0|1|-1|2|1.0|1e-5|-0.5|True|False|true|[]|[0]|[0,1]|[-2,-1]|(0,1)|Mean|Sum|long|float|cpu|strided|\
    contiguous_format|preserve_format|\"abc\"|'abc'|\"a,b\"|inf|nan|abc|0x10|{}|9223372036854775807|99999999999999999999|";
const RETURNS: &str = "Tensor|Tensor(a)|Tensor(a!)|Tensor(b!)|Tensor(a!)[]|Tensor[]|Tensor?|()|(Tensor, Tensor)|(Tensor a, Tensor b)|\
    (Tensor a, Tensor)|(Tensor(a!), Tensor(b!))|(Tensor(a!) a, Tensor(b!) b)|int|SymInt|bool|Scalar|float|str|Tensor(a)[]|\
    (Tensor, int)|(Tensor result, Tensor[] rest)|ScalarType|Storage|Tensor result|Tensor out|(Tensor self, Tensor x)|int[]|()?|\
    QScheme|(Tensor)|Dimname[]|Tensor -> Tensor|void|";
const SUFFIXES: &str = "_|__|_out|_copy|_backward|_inplace|_functional|.out|.Tensor|.Scalar|.x|._x|.default|.|.a.b|-x|";
const DISPATCH_KEYS: &str = "CPU|CUDA|Meta|MPS|XPU|MTIA|HPU|Vulkan|XLA|PrivateUse1|QuantizedCPU|QuantizedCUDA|SparseCPU|SparseCUDA|\
    SparseMPS|SparseMeta|SparseCsrCPU|SparseCsrCUDA|SparseCsrMeta|NestedTensorCPU|NestedTensorCUDA|NestedTensorMeta|MkldnnCPU|\
    ZeroTensor|Python|BackendSelect|FuncTorchBatched|Conjugate|Negative|Functionalize|ADInplaceOrView|Autograd|AutogradCPU|\
    AutogradCUDA|AutogradNestedTensor|AutogradOther|CompositeExplicitAutograd|CompositeExplicitAutogradNonFunctional|\
    CompositeImplicitAutograd|CompositeImplicitAutogradNestedTensor|Dense|Sparse|Undefined|CatchAll|Cpu|GPU|Generic|ScalarOnly|\
    CPU, CUDA|CPU, Foo|MPS, XPU, MTIA|CPU,CUDA|CPU, CPU|";
const KERNELS: &str =
    "one|one_cpu|at::native::one|at::cpu::one|at::meta::one|native::one|one_symint|one_out|a::b::c|1one|";
/// Keys with values, at `=`; an empty one is null.
const KEYS: &[(&str, &str)] = &[
    (
        "variants",
        "function|method|function, method|method, function|function,method|functions|method method||[function]",
    ),
    ("structured", "True|False|true|yes|1|'True'|"),
    ("structured_delegate", "add.out|nothing|one.out|add|"),
    ("structured_inherits", "TensorIteratorBase|at::meta::linalg_cross|1|"),
    ("device_check", "NoCheck|ExactSame|nocheck|True|"),
    ("device_guard", "True|False|0|'False'|"),
    ("manual_kernel_registration", "True|False|1|"),
    ("manual_cpp_binding", "True|False|x|"),
    ("python_module", "nn|fft|linalg|special|sparse|nested|foo||1|Nn"),
    ("category_override", "dummy|factory|foo|"),
    ("cpp_no_default_args", "['self']|['dim']|[dim, x]|dim|[]|['dim', 'dim']|"),
    ("use_const_ref_for_mutable_tensors", "True|False|1|"),
    (
        "ufunc_inner_loop",
        "{Generic: add (AllAndComplex, BFloat16)}|{ScalarOnly: add (Bool)}|{Generic: add}|x|{}|{Foo: add (Bool)}",
    ),
    ("precomputed", "['dim -> int dim']|['dim -> int a, int b', 'x, y']|['x -> int y']|dim|[]"),
    (
        "tags",
        "core|pointwise|nondeterministic_seeded|data_dependent_output|dynamic_output_shape|generated|inplace_view|view_copy|\
        pt2_compliant_tag|reduction|out|foo|[core, pointwise]|[core, foo]|[core, core]|[]||1|needs_fixed_stride_order|[[core]]",
    ),
    ("autogen", "one.out|one_out|x|, |[one.out]|1|"),
    ("bogus", "1|"),
    ("func", "x|"),
    ("Variants", "function|"),
    (
        "dispatch",
        "{}|CPU||{CPU: one}|[CPU]|{CPU: 1}|{CPU: [one]}|{CompositeImplicitAutograd: one}|{CompositeExplicitAutograd: one}",
    ),
];

/// One of the texts between the lines of a table.
pub(super) fn one<'a>(random: &mut Random, table: &'a str) -> &'a str {
    // A bar between brackets belongs to a type.
    let texts: Vec<&str> = table.split('|').collect();
    match *random.pick(&texts).expect("a table is not empty") {
        "Tensor(a" | "b)" => "Tensor(a|b)",
        text => text,
    }
}

type Edit = fn(&mut Random, &mut Files) -> Option<String>;

pub(super) const EDITS: &[Edit] = &[
    argument_name,
    argument_name,
    argument_type,
    argument_type,
    argument_default,
    argument_default,
    argument_added,
    argument_removed,
    argument_moved,
    star,
    returns,
    returns,
    operator_name,
    entry_removed,
    entry_twice,
    key_set,
    key_set,
    key_set,
    key_removed,
    key_removed,
    dispatch_key_added,
    dispatch_key_added,
    dispatch_key_removed,
    dispatch_key_renamed,
    kernel_renamed,
    autogen,
    tags_of_another,
];

/// An operator, of those that PyTorch has.
fn operator<'a>(random: &mut Random, files: &'a mut Files) -> Option<&'a mut Entry> {
    let limit = u64::try_from(files.operators.len()).ok()?;
    if limit == 0 {
        return None;
    }
    let at = usize::try_from(random.below(limit)).ok()?;
    files.operators.get_mut(at)
}

/// Replaces an operator's schema; half of the time, also where a derivative names it.
fn replace(random: &mut Random, files: &mut Files, of: &str, schema: &Schema) -> String {
    let text = schema.text();
    let together = random.once_in(2);
    let derivatives = files.derivatives.iter_mut().filter(|_| together);
    for entry in files.operators.iter_mut().chain(derivatives) {
        if let Some((before, found)) = Schema::of(&entry.head)
            && found.text() == of
        {
            entry.head = format!("{before}{text}");
        }
    }
    format!("{of} => {text}{}", if together { ", with its derivative" } else { "" })
}

/// The schema of a random operator.
fn schema(random: &mut Random, files: &mut Files) -> Option<Schema> {
    Some(Schema::of(&operator(random, files)?.head)?.1)
}

/// An argument that is not the star.
fn argument(random: &mut Random, schema: &Schema) -> Option<usize> {
    let all: Vec<usize> = (0..schema.arguments.len()).filter(|at| schema.arguments[*at] != "*").collect();
    random.pick(&all).copied()
}

fn argument_name(random: &mut Random, files: &mut Files) -> Option<String> {
    let of = schema(random, files)?;
    let (_, old, _) = parts(&of.arguments[argument(random, &of)?])?;
    let new = one(random, NAMES);
    let root = of.name.split('.').next()?.trim_end_matches('_').to_owned();
    let all = random.below(3) > 0;
    // In its whole group and in their derivatives, or in this one alone.
    for entry in files.operators.iter_mut().chain(&mut files.derivatives).chain(&mut files.deprecated) {
        let Some((_, found)) = Schema::of(&entry.head) else { continue };
        let same = found.name.split('.').next().is_some_and(|name| name.trim_end_matches('_') == root);
        if if all { same } else { found.text() == of.text() } {
            *entry = Entry {
                head: replaced_words(&entry.head, old, new),
                items: entry
                    .items
                    .iter()
                    .map(|item| item.iter().map(|line| replaced_words(line, old, new)).collect())
                    .collect(),
            };
        }
    }
    Some(format!("{}: {old} is called {new}{}", of.name, if all { ", in all of its group" } else { "" }))
}

fn argument_type(random: &mut Random, files: &mut Files) -> Option<String> {
    let of = schema(random, files)?;
    let at = argument(random, &of)?;
    let (_, name, default) = parts(&of.arguments[at])?;
    let mut new = of.clone();
    new.arguments[at] =
        format!("{} {name}{}", one(random, TYPES), default.map(|text| format!("={text}")).unwrap_or_default());
    Some(replace(random, files, &of.text(), &new))
}

fn argument_default(random: &mut Random, files: &mut Files) -> Option<String> {
    let of = schema(random, files)?;
    let at = argument(random, &of)?;
    let (kind, name, default) = parts(&of.arguments[at])?;
    let mut new = of.clone();
    new.arguments[at] = match default {
        Some(_) if random.once_in(3) => format!("{kind} {name}"),
        _ => format!("{kind} {name}={}", one(random, DEFAULTS)),
    };
    Some(replace(random, files, &of.text(), &new))
}

fn argument_added(random: &mut Random, files: &mut Files) -> Option<String> {
    let of = schema(random, files)?;
    let at = usize::try_from(random.below(u64::try_from(of.arguments.len()).ok()? + 1)).ok()?;
    let default = if random.once_in(2) { format!("={}", one(random, DEFAULTS)) } else { String::new() };
    let mut new = of.clone();
    new.arguments.insert(at, format!("{} {}{default}", one(random, TYPES), one(random, NAMES)));
    Some(replace(random, files, &of.text(), &new))
}

fn argument_removed(random: &mut Random, files: &mut Files) -> Option<String> {
    let of = schema(random, files)?;
    let mut new = of.clone();
    new.arguments.remove(argument(random, &of)?);
    Some(replace(random, files, &of.text(), &new))
}

fn argument_moved(random: &mut Random, files: &mut Files) -> Option<String> {
    let of = schema(random, files)?;
    let (one, other) = (argument(random, &of)?, argument(random, &of)?);
    let mut new = of.clone();
    new.arguments.swap(one, other);
    (one != other).then(|| replace(random, files, &of.text(), &new))
}

fn star(random: &mut Random, files: &mut Files) -> Option<String> {
    let of = schema(random, files)?;
    let mut new = of.clone();
    new.arguments.retain(|argument| argument != "*");
    if new.arguments.len() == of.arguments.len() || random.once_in(2) {
        let at = usize::try_from(random.below(u64::try_from(new.arguments.len()).ok()? + 1)).ok()?;
        new.arguments.insert(at, "*".to_owned());
    }
    Some(replace(random, files, &of.text(), &new))
}

fn returns(random: &mut Random, files: &mut Files) -> Option<String> {
    let of = schema(random, files)?;
    let new = Schema { returns: one(random, RETURNS).to_owned(), ..of.clone() };
    Some(replace(random, files, &of.text(), &new))
}

fn operator_name(random: &mut Random, files: &mut Files) -> Option<String> {
    let of = schema(random, files)?;
    let (root, overload) = of.name.split_once('.').unwrap_or((&of.name, ""));
    let name = match random.below(4) {
        0 => root.to_owned(),
        1 => format!("{root}{}.{overload}", one(random, SUFFIXES)),
        2 => schema(random, files)?.name,
        _ => format!("{root}{}", one(random, SUFFIXES)),
    };
    let new = Schema { name, ..of.clone() };
    Some(replace(random, files, &of.text(), &new))
}

fn entry_removed(random: &mut Random, files: &mut Files) -> Option<String> {
    let limit = u64::try_from(files.operators.len()).ok().filter(|count| *count > 0)?;
    let entry = files.operators.remove(usize::try_from(random.below(limit)).ok()?);
    Some(format!("without {}", entry.head))
}

fn entry_twice(random: &mut Random, files: &mut Files) -> Option<String> {
    let mut entry = operator(random, files)?.clone();
    let said = format!("twice {}", entry.head);
    if random.once_in(2)
        && let Some((before, mut schema)) = Schema::of(&entry.head).map(|(before, schema)| (before.to_owned(), schema))
    {
        schema.name.push('2');
        entry.head = format!("{before}{}", schema.text());
    }
    files.operators.push(entry);
    Some(said)
}

fn key_set(random: &mut Random, files: &mut Files) -> Option<String> {
    let (key, values) = random.pick(KEYS)?;
    let value = one(random, values);
    let entry = operator(random, files)?;
    if random.below(4) == 0 {
        // A key that is there stays there, and is there twice.
        entry.items.push(vec![format!("  {key}: {value}")]);
    } else {
        entry.set(key, value);
    }
    Some(format!("{}: {key}: {value}", entry.head))
}

fn key_removed(random: &mut Random, files: &mut Files) -> Option<String> {
    let entry = operator(random, files)?;
    let limit = u64::try_from(entry.items.len()).ok().filter(|count| *count > 0)?;
    let item = entry.items.remove(usize::try_from(random.below(limit)).ok()?);
    Some(format!("{}: without {}", entry.head, name_of(&item)))
}

/// An operator with a dispatch table on lines of their own, and the index of this item.
fn dispatched<'a>(random: &mut Random, files: &'a mut Files) -> Option<(&'a mut Entry, usize)> {
    let entry = operator(random, files)?;
    let at = entry.position("dispatch").filter(|at| entry.items[*at].len() > 1)?;
    Some((entry, at))
}

/// The line of a random kernel.
fn kernel(random: &mut Random, item: &[String]) -> Option<usize> {
    let is_kernel = |at: &usize| item[*at].contains(": ") && !item[*at].trim_start().starts_with('#');
    let all: Vec<usize> = (1..item.len()).filter(is_kernel).collect();
    random.pick(&all).copied()
}

fn dispatch_key_added(random: &mut Random, files: &mut Files) -> Option<String> {
    let (key, name) = (one(random, DISPATCH_KEYS), one(random, KERNELS));
    let entry = operator(random, files)?;
    let at = entry.position("dispatch").unwrap_or_else(|| {
        entry.items.push(vec!["  dispatch:".to_owned()]);
        entry.items.len() - 1
    });
    entry.items[at].insert(1, format!("    {key}: {name}"));
    Some(format!("{}: dispatch {key}: {name}", entry.head))
}

fn dispatch_key_removed(random: &mut Random, files: &mut Files) -> Option<String> {
    let (entry, at) = dispatched(random, files)?;
    let line = kernel(random, &entry.items[at])?;
    let line = entry.items[at].remove(line);
    Some(format!("{}: without{line}", entry.head))
}

fn dispatch_key_renamed(random: &mut Random, files: &mut Files) -> Option<String> {
    let key = one(random, DISPATCH_KEYS);
    let (entry, at) = dispatched(random, files)?;
    let line = kernel(random, &entry.items[at])?;
    let (old, name) = entry.items[at][line].split_once(": ")?;
    let said = format!("{}: {} is {key}", entry.head, old.trim());
    entry.items[at][line] = format!("    {key}: {name}");
    Some(said)
}

fn kernel_renamed(random: &mut Random, files: &mut Files) -> Option<String> {
    let name = one(random, KERNELS);
    let (entry, at) = dispatched(random, files)?;
    let line = kernel(random, &entry.items[at])?;
    let key = entry.items[at][line].split_once(": ")?.0.to_owned();
    entry.items[at][line] = format!("{key}: {name}");
    Some(format!("{}:{key}: {name}", entry.head))
}

/// An operator gets, or loses, variants that are generated.
fn autogen(random: &mut Random, files: &mut Files) -> Option<String> {
    let of = schema(random, files)?;
    let (root, overload) = of.name.split_once('.').unwrap_or((&of.name, ""));
    let root = root.trim_end_matches('_');
    let out = if overload.is_empty() { format!("{root}.out") } else { format!("{root}.{overload}_out") };
    let names = match random.below(5) {
        0 => out,
        1 => root.to_owned(),
        2 => format!("{}, {out}", of.name.replacen(root, &format!("{root}_functional"), 1)),
        3 => of.name.clone(),
        _ => format!("{out}, {out}"),
    };
    let entry = files
        .operators
        .iter_mut()
        .find(|entry| Schema::of(&entry.head).is_some_and(|(_, found)| found.text() == of.text()))?;
    entry.set("autogen", &names);
    Some(format!("{}: autogen: {names}", entry.head))
}

fn tags_of_another(random: &mut Random, files: &mut Files) -> Option<String> {
    let from = operator(random, files)?.clone();
    let entry = operator(random, files)?;
    let (key, item) = random.pick(&from.items).map(|item| (name_of(item).to_owned(), item.clone()))?;
    match entry.position(&key) {
        Some(at) => entry.items[at] = item,
        None => entry.items.push(item),
    }
    Some(format!("{}: {key} of {}", entry.head, from.head))
}
