//! The diagnostics of kernel wrappers, TG5xxx; docs/diagnostics explains them.
//!
//! Invariant: a released id keeps its meaning; ids ascend.

torchgen_base::diag::codes::codes! {
    WRAPPER_FUNCTION: "TG5001" "wrapper-function" Error "A function of the backend is declared twice, or cannot be called from a wrapper.";
    UNKNOWN_FUNCTION: "TG5002" "unknown-function" Error "An entry calls a function that the backend does not have.";
    UNKNOWN_OPERATOR: "TG5003" "unknown-wrapped-operator" Error "An entry names an operator that does not exist.";
    DUPLICATE_ENTRY: "TG5004" "duplicate-wrapper-entry" Error "Two entries have the same operator.";
    UNKNOWN_NAME: "TG5005" "unknown-wrapper-name" Error "An entry names an argument or a parameter that does not exist.";
    AMBIGUOUS_MAPPING: "TG5006" "ambiguous-mapping" Error "Several arguments fit a parameter of the backend's function.";
    MISSING_ARGUMENT: "TG5007" "unserved-parameter" Error "No argument fits a parameter of the backend's function.";
    LOSSY_MAPPING: "TG5008" "lossy-mapping" Warning "The backend's function does not take an argument of the operator.";
    BAD_VALUE: "TG5009" "wrapper-value" Error "A value for a parameter does not fit its type.";
    WRAPPER_KEY: "TG5010" "wrapper-key" Error "A key of an entry does not fit its template, or has a wrong value.";
    INSERTION_LINE: "TG5011" "insertion-line" Error "The body file lacks the line where generated code goes, or has it twice.";
    DECLARATIONS_DISAGREE: "TG5012" "declarations-disagree" Error "The two files with PyTorch's declarations list different operators.";
    COVERAGE: "TG5013" "wrapper-coverage" Error "Fewer operators have wrappers than the run demands.";
    PYTORCH_FILE: "TG5014" "pytorch-declarations" Error "A file with PyTorch's declarations has a form that PyTorch does not write.";
    LEGACY_WARNING: "TG5015" "legacy-warning" Warning "The rules of the original generator give a wrong wrapper.";
    NO_WRAPPER: "TG5016" "no-wrapper" Warning "No wrapper can be generated for an operator that an entry names.";
    TEMPLATE_REQUIRES: "TG5017" "template-requires" Error "A template of the original generator requires a name that its data lacks.";
    POSITIONAL_MAPPING: "TG5018" "positional-mapping" Warning "Only their order decides which parameters get which arguments.";
    CONTRADICTED_MAPPING: "TG5019" "contradicted-mapping" Error "The names of parameters contradict the order in which they get arguments.";
    COPIED_VIEW: "TG5020" "copied-view" Error "An entry computes a new tensor for an operator that returns a view.";
    META_KERNEL: "TG5021" "meta-kernel" Warning "PyTorch lacks the kernel that `shape: meta` calls.";
    WRAPPER_EXAMPLE: "TG5022" "wrapper-example" Error "An example does not have the arguments of its operator.";
}
