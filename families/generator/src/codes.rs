//! The diagnostics of the family.

torchgen_base::diag::codes::codes! {
    MANIFEST: "TG7001" "generator-manifest" Error "A manifest of a generator is wrong.";
    ENTRY: "TG7002" "generator-entry" Error "An entry does not have the form that its generator declares.";
    UNKNOWN_OPERATOR: "TG7003" "generator-operator" Error "An entry of a generator names an operator that does not exist.";
    RENDER: "TG7004" "generator-render" Error "A template or an expression of a generator cannot be rendered.";
    FAILED: "TG7005" "generator-failed" Error "A template of a generator refuses an entry or an operator.";
    WARNED: "TG7006" "generator-warned" Warning "A generator warns about an entry or an operator.";
    FILE: "TG7007" "generator-file" Error "A generator gives a file a name that it cannot have.";
    DIFFERS: "TG7008" "generator-differs" Error "A generator makes another text than the one that is there.";
}
