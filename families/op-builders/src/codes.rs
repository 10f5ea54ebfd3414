//! The diagnostics of op builders, TG4xxx; docs/diagnostics explains them.
//!
//! Invariant: a released id keeps its meaning; ids ascend.

torchgen_base::diag::codes::codes! {
    BUILDER_ENTRY: "TG4001" "builder-entry" Error "An entry of `ops:` is not a builder, a helper or an operator.";
    DUPLICATE_BUILDER: "TG4002" "duplicate-builder" Error "Two entries have the same name.";
    UNKNOWN_BUILDER: "TG4003" "unknown-builder" Error "A body calls a builder that does not exist.";
    UNKNOWN_OPERATOR: "TG4004" "unknown-operator" Error "A body uses a primitive operator that does not exist.";
    BUILDER_CALL: "TG4005" "builder-call" Error "A call in a body does not match the signature of the callee.";
    BUILDER_CYCLE: "TG4006" "builder-cycle" Error "Builders or helpers call each other in a cycle.";
    MISSING_RETURN: "TG4007" "missing-return" Error "A path through a body ends without a result.";
    UNUSED_OPTION: "TG4008" "unused-option" Warning "A body does not use an option or an input.";
    RESERVED_BUILDER_NAME: "TG4009" "reserved-builder-name" Error "Generated code reserves a name.";
    BUILDER_EXAMPLE: "TG4010" "builder-example" Error "An example does not fit its builder.";
    BUILDER_SIGNATURE: "TG4011" "builder-signature" Error "A signature has a type in the wrong place.";
    BUILDER_NAMESPACE: "TG4012" "builder-namespace" Error "Files disagree on the namespace, or it is not a valid one.";
    LITERAL_VALUE: "TG4013" "literal-value" Error "A constant does not fit its type.";
}
