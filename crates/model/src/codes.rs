//! The diagnostics of PyTorch's family; docs/diagnostics explains them, with those that families
//! share.
//!
//! Invariant: a released id keeps its meaning; ids ascend. Ranges: TG00 files, TG02 schema strings,
//! TG03 entries of native_functions.yaml and tags.yaml, TG04 groups and variants, TG05 generation,
//! TG06 derivatives and deprecated signatures, TG07 selective build and external backends, TG08
//! templates, TG09 lints, TG10 generation for backends, TG60 the stable ABI.

pub use torchgen_base::diag::codes::*;

torchgen_base::diag::codes::codes! {
    WRONG_KIND: "TG0007" "wrong-kind" Error "A YAML file is of the wrong kind.";

    BAD_NAME: "TG0202" "bad-operator-name" Error "An operator name is malformed or reserved.";
    BAD_ALIASING: "TG0207" "bad-aliasing" Error "The returns do not match the arguments that the operator mutates.";
    BAD_KIND: "TG0208" "bad-kind" Error "An operator's name and arguments imply different kinds of operator.";
    BAD_PRECOMPUTED: "TG0209" "bad-precomputed" Error "A line of `precomputed:` is malformed.";
    BAD_UFUNC: "TG0210" "bad-ufunc" Error "A value of `ufunc_inner_loop:` is malformed.";
    NOT_GENERATED: "TG0211" "not-generated" Error "c10 accepts the schema, but no C++ can be generated for it.";

    NOT_A_LIST: "TG0301" "not-a-list" Error "The file must be a list of entries.";
    FLAT_ENTRY: "TG0306" "flat-entry" Error "An entry is written as `- name:` with its keys beside the name.";
    EMPTY_TAG_DESCRIPTION: "TG0307" "empty-tag-description" Error "A tag in tags.yaml needs a description.";
    ILLEGAL_VALUE: "TG0308" "illegal-value" Error "A value is not one of those that the key allows.";
    UNKNOWN_TAG: "TG0309" "unknown-tag" Error "A tag is not declared in tags.yaml.";
    UNKNOWN_DISPATCH_KEY: "TG0310" "unknown-dispatch-key" Error "A dispatch key does not exist.";
    UNSUPPORTED_DISPATCH_KEY: "TG0311" "unsupported-dispatch-key" Error "ATen has no kernels for a dispatch key.";
    DUPLICATE_DISPATCH_KEY: "TG0312" "duplicate-dispatch-key" Error "A dispatch table names a key twice.";
    KERNEL_NAMESPACE: "TG0313" "kernel-namespace" Error "A kernel's namespace is too deep.";
    REDUNDANT_DISPATCH: "TG0314" "redundant-dispatch" Error "A dispatch table only repeats the default.";
    FACTORY_WITHOUT_DISPATCH: "TG0315" "factory-without-dispatch" Error "A factory needs a dispatch table.";
    SEVERAL_COMPOSITES: "TG0316" "several-composites" Error "An operator has several composite kernels.";
    MANUAL_WITH_DISPATCH: "TG0317" "manual-with-dispatch" Error "An operator has a dispatch table and manual registration.";
    CONST_REF_OUT: "TG0318" "const-ref-out" Error "Out arguments cannot be const references.";
    OUT_METHOD: "TG0319" "out-method" Error "An out= variant cannot be a method.";
    METHOD_IN_MODULE: "TG0320" "method-in-module" Error "An operator in a Python module cannot be a method.";
    NO_SUCH_DEFAULT: "TG0321" "no-such-default" Error "`cpp_no_default_args:` names an argument without a default.";
    NEEDS_STRUCTURED: "TG0322" "needs-structured" Error "A key is for structured kernels only.";
    STRUCTURED_NOT_OUT: "TG0323" "structured-not-out" Error "Only an out= variant can be structured.";
    DELEGATE_ON_OUT: "TG0324" "delegate-on-out" Error "An out= variant cannot delegate.";
    DELEGATE_WITH_KERNEL: "TG0325" "delegate-with-kernel" Error "An operator that delegates has a kernel.";
    NAMESPACE_NOT_ALLOWED: "TG0326" "namespace-not-allowed" Error "A name must not have a namespace.";
    DEVICE_GUARD_IGNORED: "TG0327" "device-guard-ignored" Error "Structured kernels always have a device guard.";
    FOREACH_DEVICE_CHECK: "TG0328" "foreach-device-check" Error "A foreach operator must not check devices.";
    SEEDED_TAG_MISSING: "TG0329" "seeded-tag-missing" Error "An operator that draws random numbers lacks the tag for it.";
    UFUNC_WITH_KERNEL: "TG0330" "ufunc-with-kernel" Error "A ufunc names a kernel that is generated.";
    VIEW_INVERSE: "TG0331" "view-inverse" Error "`view_inverse:` is declared for an operator that does not need it.";
    STOCK_OPERATOR: "TG0332" "stock-operator" Error "A PyTorch operator can only be given kernels.";
    NESTED_NAMESPACE: "TG0333" "nested-namespace" Error "Operators cannot be declared in nested namespaces.";
    TAG_NAME: "TG0334" "tag-name" Error "The name of a tag is not a valid C++ name.";
    GENERATED_TAG: "TG0335" "generated-tag" Error "An entry has a tag reserved for generated operators.";
    NO_STOCK_OPERATOR: "TG0336" "no-stock-operator" Error "An entry is for an operator that PyTorch does not have.";
    STOCK_SCHEMA: "TG0337" "stock-schema" Error "The schema of a PyTorch operator is not repeated correctly.";
    STOCK_STRUCTURE: "TG0338" "stock-structure" Error "A PyTorch operator is not structured in that way.";
    STOCK_UNCHECKED: "TG0339" "stock-unchecked" Warning "Entries for PyTorch's operators could not be checked.";
    BAD_FAKE: "TG0340" "bad-fake" Error "The Python function of a fake is malformed or misplaced.";
    UNCALLABLE_KERNEL: "TG0341" "uncallable-kernel" Error "The dispatcher cannot call a kernel, because no argument chooses its backend.";
    UNUSABLE_NAME: "TG0345" "unusable-name" Error "C++ or Python cannot use the name of an operator.";
    UNUSABLE_NAMESPACE: "TG0346" "unusable-namespace" Error "C++ or Python cannot use the name of a namespace.";
    UNKNOWN_LINT: "TG0347" "unknown-lint" Error "An entry allows something that is not a lint.";
    BAD_CONDITION: "TG0348" "bad-condition" Error "A condition of `when:` is not one that a build can check.";
    OTHER_TORCH: "TG0349" "other-torch" Warning "PyTorch's files are those of another version than `--torch` names.";
    NEWER_TORCH: "TG0350" "newer-torch" Note "PyTorch is newer than the newest version that is known.";
    EMPTY_DISPATCH: "TG0351" "empty-dispatch" Warning "The key of a dispatch table has no value.";
    BAD_BATCHING_RULE: "TG0352" "bad-batching-rule" Error "The batching rule of an operator is malformed or misplaced.";
    BAD_PYTHON_KERNEL: "TG0353" "bad-python-kernel" Error "A kernel in Python is malformed or misplaced.";
    NEEDS_GENERATED: "TG0354" "needs-generated" Error "A key of an entry needs registrations that the library makes by itself.";
    BAD_DIMS: "TG0361" "bad-dims" Error "The line of `dims:` is malformed, or names something that does not exist.";
    UNSOUND_DIMS: "TG0362" "unsound-dims" Error "The line of `dims:` says something that cannot hold.";
    DIMS_CONFLICT: "TG0363" "dims-conflict" Error "The line of `dims:` contradicts another key of the entry.";
    BAD_FLOPS: "TG0364" "bad-flops" Error "The value of `flops:` is no number of operations.";
    BAD_C_FUNCTION: "TG0357" "bad-c-function" Error "An operator cannot have a C function for compiled models.";
    BAD_ONNX_OPERATOR: "TG0358" "bad-onnx-operator" Error "`onnx:` is malformed, or ONNX cannot have the operator.";

    DUPLICATE_OPERATOR: "TG0401" "duplicate-operator" Error "An operator is defined twice.";
    NO_SUCH_DELEGATE: "TG0402" "no-such-delegate" Error "A structured delegate does not exist.";
    DELEGATE_NOT_STRUCTURED: "TG0403" "delegate-not-structured" Error "A structured delegate is not structured.";
    PYTHON_KEYWORD: "TG0404" "python-keyword" Error "An argument's name is a reserved word in Python.";
    INPLACE_VIEW_NAME: "TG0405" "inplace-view-name" Error "An inplace view's name lacks its underscore.";
    INPLACE_VIEW_COUNTERPART: "TG0406" "inplace-view-counterpart" Error "An inplace view has no out-of-place counterpart.";
    INPLACE_VIEW_TAG_MISSING: "TG0407" "inplace-view-tag-missing" Error "An inplace view lacks its tag.";
    DUPLICATE_SCHEMA_KIND: "TG0408" "duplicate-schema-kind" Error "Two operators are the same variant of one signature.";
    LONELY_OUT_VARIANT: "TG0409" "lonely-out-variant" Error "An out= variant has no other variants beside it.";
    NO_OUT_VARIANT: "TG0410" "no-out-variant" Error "No out= variant can be generated for an operator.";
    GENERATED_NAME_TAKEN: "TG0411" "generated-name-taken" Error "A generated variant has the same name as a declared operator.";
    UNGROUPABLE_VARIANT: "TG0412" "ungroupable-variant" Error "A variant cannot be part of a group.";
    NO_FUNCTIONAL_VARIANT: "TG0413" "no-functional-variant" Error "An operator has variants, but no functional one.";
    MIXED_STRUCTURE: "TG0414" "mixed-structure" Error "Some variants of an operator are structured, some are not.";
    MIXED_NAMESPACES: "TG0415" "mixed-namespaces" Error "The variants of an operator are in different namespaces.";
    FUNCTIONAL_SUFFIX_MISSING: "TG0416" "functional-suffix-missing" Error "A mutable operator's functional counterpart needs a suffix.";
    STRUCTURED_COMPOSITE: "TG0417" "structured-composite" Error "A structured kernel cannot be a composite.";
    WRONG_DELEGATE: "TG0418" "wrong-delegate" Error "An operator delegates to something other than its out= variant.";
    AUTOGEN_MISMATCH: "TG0419" "autogen-mismatch" Error "`autogen:` does not name the variants that are generated.";
    VIEW_COPY_MISSING: "TG0420" "view-copy-missing" Error "A view has no copy variant.";
    VIEW_COPY_NAME: "TG0421" "view-copy-name" Error "A view's copy variant has the wrong name.";
    VIEW_COPY_TAG_MISSING: "TG0422" "view-copy-tag-missing" Error "A view's copy variant lacks its tag.";
    VIEW_COMPOSITE_MISMATCH: "TG0423" "view-composite-mismatch" Error "Only one of a view and its inplace form is composite.";

    UNSUPPORTED_TYPE: "TG0511" "unsupported-type" Error "An argument's type has no C++ form where one is needed.";
    NO_CPP_DEFAULT: "TG0512" "no-cpp-default" Error "A default cannot be written in C++.";
    UNSUPPORTED_RETURN: "TG0513" "unsupported-return" Error "Operators cannot return a type.";
    UNSATISFIED: "TG0514" "unsatisfied" Error "The arguments of one C++ API cannot be converted to those of another.";
    BAD_SHAPE: "TG0515" "bad-shape" Error "An operator does not have the shape that a C++ API needs.";
    METHOD_WITHOUT_SELF: "TG0516" "method-without-self" Error "A method needs an argument `self`.";

    NO_PYTHON_TYPE: "TG0521" "no-python-type" Error "Python bindings cannot take an argument's type.";
    NO_PYTHON_RETURN: "TG0522" "no-python-return" Error "Python bindings cannot return a type.";
    UNNAMED_FIELD: "TG0523" "unnamed-field" Error "Only some returns of an operator are named.";
    RESERVED_ARGUMENT: "TG0524" "reserved-argument" Error "An argument has a name that Python bindings reserve.";
    PYTHON_FACTORY: "TG0525" "python-factory" Error "An operator that creates tensors takes no tensor options.";
    SAME_PYTHON_SIGNATURE: "TG0526" "same-python-signature" Error "Python's argument parser cannot distinguish two overloads.";
    PYTHON_OUT_ALONE: "TG0527" "python-out-alone" Error "No other overload has the Python arguments of an out= variant.";

    SHIM_CHANGED: "TG0531" "shim-changed" Error "A shim header differs from what would be generated.";
    SHIM_HEADER_MISSING: "TG0532" "shim-header-missing" Note "There is no shim header to compare with.";
    SHIM_LEFT_OUT: "TG0533" "shim-left-out" Note "An operator gets no shim, because a type has no C form.";

    UNREPLAYABLE_VIEW: "TG0541" "unreplayable-view" Error "A single output of a view with several outputs cannot be replayed.";
    BAD_VIEW_ALIASING: "TG0542" "bad-view-aliasing" Error "A view must alias its first argument, and no other argument.";
    NO_FUNCTIONAL_COUNTERPART: "TG0543" "no-functional-counterpart" Error "An operator that mutates its arguments cannot be functionalized.";
    VIEW_WITHOUT_GROUP: "TG0544" "view-without-group" Error "A view is not part of a view group.";
    AMBIGUOUS_RETURN: "TG0545" "ambiguous-return" Error "A return may be one of several arguments.";
    FUNCTIONAL_MISMATCH: "TG0546" "functional-mismatch" Error "A functional variant does not return what its counterpart mutates.";
    NO_COPY_KERNEL: "TG0547" "no-copy-kernel" Error "The kernel of a view's copy variant cannot be generated.";

    GENERATED_KERNEL: "TG0551" "generated-kernel" Error "An operator names a kernel for a key whose kernel is generated.";
    UNSTRUCTURABLE_VARIANT: "TG0552" "unstructurable-variant" Error "A variant of a structured operator cannot be structured.";
    KERNEL_NAMESPACES: "TG0553" "kernel-namespaces" Error "The kernels of an operator are in different namespaces.";
    UFUNC_LOOPS: "TG0554" "ufunc-loops" Error "The inner loops of a ufunc cannot form kernels.";
    SHARED_STRUCTURED_KERNEL: "TG0555" "shared-structured-kernel" Error "Two operators have the same structured kernel.";

    AOT_CONSTANT: "TG0562" "aot-constant" Error "A constant of a native-AOT declaration is missing or wrong.";
    AOT_NOT_LITERAL: "TG0563" "aot-not-literal" Error "A native-AOT declaration can only be evaluated by running it.";
    AOT_FUNCTION: "TG0564" "aot-function" Error "A function of a native-AOT declaration is missing or wrong.";
    AOT_ARCHITECTURE: "TG0565" "aot-architecture" Error "A native-AOT declaration names an invalid architecture.";
    AOT_FAMILY: "TG0566" "aot-family" Error "A module's list of native-AOT declarations is empty or not a list.";
    AOT_DUPLICATE: "TG0567" "aot-duplicate" Error "An operator is declared twice for a key.";
    AOT_OPERATOR: "TG0568" "aot-operator" Error "A native-AOT declaration does not name a structured operator.";

    KERNEL_MISSING: "TG0581" "kernel-missing" Error "No source defines a kernel that the YAML names.";
    KERNEL_DIFFERS: "TG0582" "kernel-differs" Error "The definition of a kernel does not match its declaration.";
    NOT_INCLUDED: "TG0583" "not-included" Error "No source that defines a kernel includes what registers it.";

    NO_SUCH_OPERATOR: "TG0601" "no-such-operator" Error "A derivative is for an operator that does not exist.";
    WRONG_SCHEMA: "TG0602" "wrong-schema" Error "A derivative's schema differs from the operator's.";
    DUPLICATE_DERIVATIVE: "TG0603" "duplicate-derivative" Error "An operator has two derivatives.";
    NO_CANONICAL_OPERATOR: "TG0604" "no-canonical-operator" Error "No variant of an operator can carry its derivative.";
    NO_SUCH_INPUT: "TG0605" "no-such-input" Error "A formula is for a name that is neither an input nor an output.";
    NOT_DIFFERENTIABLE: "TG0606" "not-differentiable" Error "A formula is for a value that has no gradient.";
    UNKNOWN_FORMULA_NAME: "TG0607" "unknown-formula-name" Error "A formula uses a name that is not defined there.";
    BAD_OUTPUT_DIFFERENTIABILITY: "TG0608" "bad-output-differentiability" Error "`output_differentiability:` does not fit the outputs.";
    UNKNOWN_AUTOGRAD_KEY: "TG0609" "unknown-autograd-key" Error "A dispatch key cannot have its own derivatives.";
    RESERVED_INPUT_NAME: "TG0610" "reserved-input-name" Error "An input has a name that formulas reserve.";
    NO_SUCH_GRADIENT: "TG0611" "no-such-gradient" Error "A formula uses the gradient of an output that does not exist.";
    MIXED_GRADIENTS: "TG0612" "mixed-gradients" Error "Formulas name gradients in different ways.";
    UNSUPPORTED_IN_FORMULA: "TG0613" "unsupported-in-formula" Error "A formula uses a function that formulas cannot use.";
    AMBIGUOUS_PRIMAL: "TG0614" "ambiguous-primal" Error "A forward formula does not say whether a name is a primal or a tangent.";
    BAD_AUTO_FORMULA: "TG0615" "bad-auto-formula" Error "A forward formula cannot be derived from the backward formulas.";
    INPLACE_PRIMAL: "TG0616" "inplace-primal" Error "The forward formula of an inplace operator uses an overwritten value.";
    FOREACH_DERIVATIVE: "TG0617" "foreach-derivative" Error "The derivative of a foreach operator cannot be generated.";
    FUNCTIONAL_OF_MUTABLE: "TG0618" "functional-of-mutable" Error "The derivative of a mutable operator does not fit its functional counterpart.";
    IGNORED_FORMULA: "TG0619" "ignored-formula" Error "A formula beside `dispatch:` applies to no key.";
    SEVERAL_FORMULAS: "TG0620" "several-formulas" Warning "An input has several formulas; only the last is used.";
    CANNOT_SAVE: "TG0621" "cannot-save" Error "A formula saves a value that an autograd node cannot store.";
    NOT_EXPORTED: "TG0622" "not-exported" Error "A library's formula calls a function that libtorch does not export.";
    FORMULA_SYNTAX: "TG0624" "formula-syntax" Error "A formula is not a C++ expression.";
    UNKNOWN_CALL: "TG0625" "unknown-call" Error "A formula calls a function or method that does not exist.";
    CALL_ARGUMENTS: "TG0626" "call-arguments" Error "A formula passes arguments that a function does not take.";
    NOT_SYMBOLIC_CALL: "TG0627" "not-symbolic-call" Error "A formula passes a symbolic integer to a function of plain ones.";
    FORMULA_TYPE: "TG0628" "formula-type" Error "A formula uses a value of the wrong type.";

    IGNORED_DERIVATIVE: "TG0631" "ignored-derivative" Error "No gradient flows through the operator of a derivative.";
    UNSUPPORTED_FORWARD: "TG0632" "unsupported-forward" Error "Forward formulas do not fit the operator.";
    NO_KERNEL_FOR_DERIVATIVE: "TG0633" "no-kernel-for-derivative" Error "An operator with a derivative has no kernel below autograd.";
    DERIVATIVE_AND_KERNEL: "TG0634" "derivative-and-kernel" Error "An operator has a derivative and a kernel for Autograd.";
    MANUAL_DERIVATIVE: "TG0635" "manual-derivative" Error "An operator whose kernels are registered by hand has a derivative.";

    DEPRECATED_CALL: "TG0681" "deprecated-call" Error "The call in a deprecated signature is malformed.";
    DEPRECATED_VALUE: "TG0682" "deprecated-value" Error "A deprecated signature passes on a value that it does not have.";
    DEPRECATED_NO_MATCH: "TG0683" "deprecated-no-match" Error "No operator takes the arguments that a deprecated signature passes on.";
    SAME_STRUCTSEQ: "TG0684" "same-structseq" Error "Two overloads return different types that have the same name in Python.";
    NO_DOCSTRING: "TG0685" "no-docstring" Warning "A docstring for stubs cannot be read.";

    OPERATOR_NAME_MISMATCH: "TG0701" "operator-name-mismatch" Error "An operator's `name:` differs from its key.";
    UNKNOWN_SELECTED_OPERATOR: "TG0702" "unknown-selected-operator" Error "A selected operator does not exist.";

    NO_BACKEND_OPERATOR: "TG0711" "no-backend-operator" Error "A backend lists an operator that does not exist.";
    DUPLICATE_BACKEND_OPERATOR: "TG0712" "duplicate-backend-operator" Warning "A backend lists an operator twice.";
    SPLIT_BACKEND_OPERATOR: "TG0713" "split-backend-operator" Error "A backend lists variants of one operator for its own key and for autograd.";
    IDLE_SYMINT: "TG0714" "idle-symint" Warning "`symint:` names an operator that the backend has no kernel for.";
    BACKEND_TAKEN: "TG0715" "backend-taken" Error "The dispatch key of a backend has kernels in native_functions.yaml.";
    BACKEND_GRADIENT_LOST: "TG0716" "backend-gradient-lost" Warning "A backend's kernel replaces an operator whose gradient PyTorch composes.";
    BACKEND_REGISTRATION: "TG0717" "backend-registration" Warning "A statement of `registrations:` registers nothing new.";
    STRUCTURED_WITHOUT_EMPTY: "TG0718" "structured-without-empty" Warning "A backend has structured kernels, but cannot create their results.";
    SWAPPED_PARAMETERS: "TG0719" "swapped-parameters" Warning "A kernel takes arguments in another order than its parameters' names say.";

    REPEATED_ARGUMENT: "TG0901" "repeated-argument" Warning "Two arguments of a schema have the same name.";
    KEYWORD_ARGUMENT: "TG0902" "keyword-argument" Warning "The name of an argument is a keyword of C++.";
    WRITTEN_VALUE: "TG0903" "written-value" Warning "The schema marks something other than a tensor as mutable.";

    NAME_IN_CPP: "TG0904" "name-in-cpp" Warning "A name in a schema of PyTorch's layout is a keyword of C++.";
    DEFAULT_IN_CPP: "TG0905" "default-in-cpp" Warning "C++ or libtorch cannot use a default in a schema of PyTorch's layout.";
    DEFAULT_ORDER: "TG0906" "default-order" Warning "An argument without a default follows one with a default.";
    NO_SUCH_MODULE: "TG0907" "no-such-module" Warning "No Python bindings are made for the module of an operator.";

    FAKE_MISSING: "TG0910" "fake-missing" Warning "An operator with data-dependent output shapes has no fake.";
    META_NOT_SYMBOLIC: "TG0912" "meta-not-symbolic" Warning "A library's meta function takes no symbolic sizes.";

    NOT_FUNCTIONALIZABLE: "TG0921" "not-functionalizable" Warning "A library's operator that mutates its arguments cannot be compiled.";
    NOT_WRITTEN: "TG0922" "not-written" Warning "A schema does not mark an argument as mutable that its names say is mutated.";
    LOST_DERIVATIVE: "TG0923" "lost-derivative" Warning "A kernel for a backend hides the derivative of a composite one.";
    KERNEL_NOT_SYMBOLIC: "TG0924" "kernel-not-symbolic" Warning "A kernel that compilers call takes no symbolic sizes.";
    META_MISSING: "TG0925" "meta-missing" Warning "Compilers cannot infer the outputs of an operator.";
    FILE_NAME: "TG0926" "file-name" Warning "Some file systems cannot hold the headers of an operator.";
    LIKELY_MISSPELT_NAMESPACE: "TG0927" "likely-misspelt-namespace" Warning "A namespace has few operators and nearly the name of another one.";
    NO_FORWARD_MODE: "TG0928" "no-forward-mode" Warning "A derivative lacks the formula for forward mode, which others of the library have.";
    IDLE_AUTOGEN: "TG0929" "idle-autogen" Warning "A variant of `autogen:` is not generated.";
    IDLE_METHOD: "TG0930" "idle-method" Warning "An operator of a library is declared as a method.";

    UNNAMED_KERNEL: "TG0931" "unnamed-kernel" Warning "The sources define a kernel that the YAML does not name.";
    REPEATED_KERNEL: "TG0932" "repeated-kernel" Warning "Two sources define the same kernel.";
    COMPOSITE_MEMORY: "TG0933" "composite-memory" Warning "A kernel for all backends uses the memory of a tensor.";
    KERNEL_WRITES: "TG0934" "kernel-writes" Warning "A kernel mutates an argument that the schema does not mark.";
    KERNEL_RETURNS_ARGUMENT: "TG0935" "kernel-returns-argument" Warning "A kernel returns an argument that the schema does not alias.";
    META_READS_NUMBER: "TG0936" "meta-reads-number" Warning "A Meta kernel reads a symbolic size as a number.";
    NEVER_WRITTEN: "TG0937" "never-written" Note "A kernel does not mutate an argument that the schema marks.";
    MUTABLE_OPTIONAL_LIST: "TG0938" "mutable-optional-list" Warning "A schema marks a list that can have `None` as mutable.";
    KERNEL_NAMESAKE: "TG0939" "kernel-namesake" Warning "Two functions have the name of a kernel for several keys.";
    OTHER_ABI: "TG0940" "other-abi" Error "A kernel has a type of the other ABI.";

    WRITES_INPUT: "TG0941" "writes-input" Warning "A formula changes a gradient or a value that it is given.";
    TYPED_CALL: "TG0942" "typed-call" Warning "C++ calls an operator with the types of its kernel, which wrappers convert to.";
    NO_FORMULA: "TG0945" "no-formula" Warning "A derivative says nothing about the gradient of an input.";
    COMPLEX_UNSAID: "TG0946" "complex-unsaid" Warning "A formula is written for complex tensors, and its entry does not say that it holds for them.";
    FAKE_READS_NUMBER: "TG0947" "fake-reads-number" Warning "A fake in Python makes a number of a symbolic size.";
    INT_SIZE: "TG0948" "int-size" Warning "A size of a result is an argument that is not symbolic.";

    GRADIENT_NAME: "TG0950" "gradient-name" Error "A formula uses a name that is both a value and a gradient.";
    DIMS_UNNAMED: "TG0951" "dims-unnamed" Warning "Parts along a dimension get something whole that the line does not name.";

    BACKEND_KERNEL_REPEATED: "TG0970" "backend-kernel-repeated" Error "A backend's sources define a kernel more often than operators use it.";
    IDLE_INCLUDE_RULE: "TG0971" "idle-include-rule" Warning "A rule for included paths changes no include.";
    COPY_CHECKS_DEVICES: "TG0972" "copy-checks-devices" Warning "The wrapper of a copy between devices requires that they are the same.";
    UNDECLARED_HELPER: "TG0973" "undeclared-helper" Error "A backend's formula calls a function that nothing declares.";
    KERNEL_FILE: "TG0980" "kernel-file" Error "Skeletons of kernels cannot be appended to a file.";
    PROJECT: "TG0981" "project" Error "The project of a library cannot be built, or its tests fail.";

    BACKEND_KERNEL_MISSING: "TG1001" "backend-kernel-missing" Error "A backend's sources do not define a kernel.";
    BACKEND_KERNEL_DIFFERS: "TG1002" "backend-kernel-differs" Error "A backend's sources define a kernel with a different signature.";
    NOTHING_FOR_BACKEND: "TG1003" "nothing-for-backend" Warning "A backend lists no kernel below autograd, so nothing is generated.";
    BACKEND_NAMESPACE: "TG1004" "backend-namespace" Error "The namespace of a backend's kernels is not a C++ namespace.";
    NOTHING_SYMBOLIC: "TG1005" "nothing-symbolic" Error "`symint:` names an operator that takes no symbolic sizes.";
    LAZY_OPERATOR: "TG1006" "lazy-operator" Error "The kernel or node of an operator cannot be generated for a lazy backend.";
    SHAPE_MISSING: "TG1007" "shape-missing" Error "A lazy backend's header does not declare a function that computes shapes.";
    KEY_BESIDE_KERNEL: "TG1008" "key-beside-kernel" Error "A kernel's key is indented like its operator, not below it.";
    STRUCTURED_BACKEND: "TG1009" "structured-backend" Error "A backend's kernel cannot be structured as declared.";
    NO_SUCH_FILE: "TG1010" "no-such-file" Error "Text is added to a file that is not generated.";
    INCLUDE_RULE: "TG1011" "include-rule" Error "A rule for included paths is not of the form `FROM -> TO`.";
    BACKEND_DERIVATIVE: "TG1012" "backend-derivative" Error "A backend cannot have a derivative for this operator.";

    STABLE_OPERATOR_UNKNOWN: "TG6001" "stable-operator-unknown" Error "No torch with the stable ABI has an operator.";
    STABLE_OPERATOR_VERSION: "TG6002" "stable-operator-version" Error "An operator cannot be called in every torch version from the minimum on.";
    STABLE_TYPE: "TG6003" "stable-type" Error "The stable ABI cannot pass a type.";
    STABLE_LEFT_OUT: "TG6004" "stable-left-out" Note "Overloads that cannot be called over the stable ABI are left out.";
    STABLE_VIEW: "TG6005" "stable-view" Error "A kernel on the stable ABI cannot return a view of its argument.";
    STABLE_STRUCTURED: "TG6006" "stable-structured" Error "A structured operator cannot be on the stable ABI.";
    STABLE_FACTORY: "TG6007" "stable-factory" Error "An operator without tensors needs a kernel for all devices.";
    STABLE_META: "TG6008" "stable-meta" Warning "A meta function on the stable ABI makes sizes concrete.";
    STABLE_TAGS: "TG6009" "stable-tags" Note "Tags of an operator are registered through Python.";
    STABLE_FAKE_MISSING: "TG6010" "stable-fake-missing" Warning "Compilers cannot know the outputs of an operator.";
    STABLE_REPEATED: "TG6011" "stable-repeated" Error "Two arguments of an operator on the stable ABI have the same name.";
    STABLE_AUTOGRAD: "TG6012" "stable-autograd" Warning "A kernel for autograd on the stable ABI cannot record a gradient of its own.";

    AUDIT_UNSTABLE: "TG6021" "audit-unstable" Error "A library needs symbols of libtorch that are not stable.";
    AUDIT_NEWER: "TG6022" "audit-newer" Error "A library needs functions that a torch version from the minimum on lacks.";
    AUDIT_PYTHON: "TG6023" "audit-python" Warning "A library needs symbols of the Python interpreter.";
    AUDIT_FORMAT: "TG6024" "audit-format" Error "A file is not a library.";

    CPP_SCHEMA: "TG6031" "cpp-schema" Warning "A C++ source declares an operator without a schema that can be read.";
    CPP_NAMESPACE: "TG6032" "cpp-namespace" Warning "The namespace of operators in a C++ source is a macro.";
    CPP_KERNEL: "TG6033" "cpp-kernel" Warning "A kernel in a C++ source belongs to no operator that is declared.";
    CPP_NOTHING: "TG6034" "cpp-nothing" Error "C++ sources declare no operators.";
    ADOPTED_DIFFERS: "TG6035" "adopted-differs" Error "The YAML of a library that registers itself is not what it registers.";
    CPP_PREPROCESSOR: "TG6036" "cpp-preprocessor" Warning "A line or a macro of a C++ source cannot be followed.";
    CPP_BINDING: "TG6037" "cpp-binding" Warning "A function of a Python module cannot be an operator.";

    STABLE_FORMULA: "TG6041" "stable-formula" Error "A formula cannot be translated to Python.";
}

/// The codes of this family and those that families share, in order.
pub fn all() -> Vec<&'static CodeInfo> {
    let mut all = [torchgen_base::diag::codes::ALL, ALL].concat();
    all.sort_by_key(|code| code.id);
    all
}
