//! Where a traced run puts the texts about each operator, and which kernels these register.
//!
//! Generators mark the texts, see [`trace`](torchgen_base::render::trace). Invariant: line numbers
//! start at 1 and ascend; a text is at the line of its first character that is not blank, or of the
//! name that a template inserts.
//!
//! These are not marked: includes, the structseqs of `python_return_types.*`, the lists of names in
//! `aten_interned_strings.h`, the stubs of kernels compiled ahead of time, the `outer` package of
//! several namespaces, and the structs of structured kernels' wrappers, whose functions are.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use torchgen_base::render::trace::Trace;
use torchgen_base::write::Plan;
use torchgen_kit::facts::Output;

/// A function that generated code registers for an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Registered {
    pub(crate) key: String,
    /// `wrapper_Meta_add_Tensor`
    pub(crate) function: String,
    /// The file.
    pub(crate) file: String,
    pub(crate) line: usize,
}

/// The places of an operator, and its registered functions, each key once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct OperatorPlaces {
    pub(crate) places: Vec<Output>,
    pub(crate) registered: Vec<Registered>,
}

impl OperatorPlaces {
    /// Adds a registration. One in a shard replaces that in `Everything`, which is not compiled.
    fn register(&mut self, registered: Registered) {
        match self.registered.iter_mut().find(|known| known.key == registered.key) {
            Some(known) if known.file.contains("Everything.") => *known = registered,
            Some(_) => {}
            None => self.registered.push(registered),
        }
    }
}

/// The places of each operator, in the order of the files.
pub(crate) fn find(names: &[&str], trace: &Trace, plan: &Plan) -> Vec<OperatorPlaces> {
    let files: Vec<_> = plan.files().collect();
    let read: Vec<_> = files.par_iter().map(|(_, file)| trace.read_marks(file.contents.pieces())).collect();
    let numbers: HashMap<&str, usize> = names.iter().enumerate().map(|(number, name)| (*name, number)).collect();
    let mut all = vec![OperatorPlaces::default(); names.len()];
    for ((path, _), notes) in files.iter().zip(read) {
        let file = path.display().to_string();
        let mut lines: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (line, note) in notes {
            let Some(&number) = numbers.get(note.operator.as_str()) else { continue };
            lines.entry(number).or_default().insert(line);
            if let Some((key, function)) = note.registered {
                all[number].register(Registered { key, function, file: file.clone(), line });
            }
        }
        for (number, lines) in lines {
            all[number].places.push(Output { file: file.clone(), lines: lines.into_iter().collect() });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use super::*;
    use torchgen_base::render::Renderer;
    use torchgen_base::render::trace::Traceable;
    use torchgen_base::write::{Manager, OutputFile};

    const MANAGER: Manager = Manager::new("files", None);

    struct Operator(&'static str);

    impl Traceable for Operator {
        fn full_name(&self) -> String {
            self.0.to_owned()
        }
    }

    #[test]
    fn texts_and_registrations() {
        let [add, mul] = [Operator("aten::add"), Operator("aten::mul")];
        let trace = Arc::new(Trace::new([add.full_name(), mul.full_name()]));
        let mut renderer = Renderer::new("").expect("the templates compile");
        renderer.set_trace(Some(Arc::clone(&trace)));
        let head = renderer.about([&add, &mul]).marked("\nhead\n".to_owned());
        let row = |operator, key| renderer.registering(operator, key, "f").marked("row\n".to_owned());
        let file = |path: &str, text: String| OutputFile::new(MANAGER, path, text);
        let mut plan = Plan::new();
        plan.install(MANAGER, PathBuf::from("d"));
        plan.add(vec![
            file("A.h", [head.as_str(), &head].concat()),
            file("BEverything.cpp", [row(&add, "CPU"), row(&add, "CUDA")].concat()),
            file("B_0.cpp", [row(&mul, "CPU"), row(&add, "CUDA")].concat()),
        ])
        .expect("the paths differ");
        let found = find(&["aten::add", "aten::mul", "aten::div"], &trace, &plan);
        let shown: Vec<String> = found
            .iter()
            .map(|OperatorPlaces { places, registered }| {
                let places: Vec<_> = places.iter().map(|place| format!("{} {:?}", place.file, place.lines)).collect();
                let kernels = registered.iter().map(|r| format!("{} {} {}:{}", r.key, r.function, r.file, r.line));
                let kernels: Vec<_> = kernels.collect();
                format!("{} | {}", places.join(", "), kernels.join(", "))
            })
            .collect();
        assert_eq!(
            shown,
            [
                "d/A.h [2, 4], d/BEverything.cpp [1, 2], d/B_0.cpp [2] | CPU f d/BEverything.cpp:1, CUDA f d/B_0.cpp:2",
                "d/A.h [2, 4], d/B_0.cpp [1] | CPU f d/B_0.cpp:1",
                " | ",
            ]
        );
    }
}
