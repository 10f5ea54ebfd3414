//! The diagnostics of tensor IRs.
//!
//! Invariant: an id keeps its meaning. Range: TG30.

use torchgen_base::diag::codes::codes;

codes! {
    TENSOR_IR_HEAD: "TG3001" "tensor-ir-head" Error "The namespace or the spelling of names is missing or wrong.";
    DUPLICATE_NODE: "TG3002" "duplicate-node" Error "Two nodes, or a node and a type, have the same name.";
    BAD_NODE_NAME: "TG3003" "bad-node-name" Error "A name cannot be used in C++.";
    UNKNOWN_BASE: "TG3004" "unknown-base" Error "A node extends something that is not a base.";
    EXTENDS_CYCLE: "TG3005" "extends-cycle" Error "A base extends itself.";
    FIELD_MISMATCH: "TG3006" "field-mismatch" Error "The fields of a node do not fit its base.";
    BAD_DTYPE_RULE: "TG3007" "bad-dtype-rule" Error "The rule for the type of an expression is malformed.";
    BAD_PRINT_FORM: "TG3008" "bad-print-form" Error "A printed form is malformed.";
    AMBIGUOUS_PRINT_FORM: "TG3009" "ambiguous-print-form" Warning "Two nodes, or two enumerators, have the same printed form.";
    BAD_OPERATOR: "TG3010" "bad-operator" Error "An operator cannot build the node.";
    DUPLICATE_OPERATOR_OF_NODE: "TG3011" "duplicate-node-operator" Error "An operator builds two nodes.";
    BAD_CONSTRAINT: "TG3012" "bad-constraint" Error "A constraint is unknown or malformed.";
    BAD_SCOPE: "TG3013" "bad-scope" Error "`scope` names a field that is missing or of another type.";
    BAD_VISIT_ORDER: "TG3014" "bad-visit-order" Error "`visit_order` does not list each child once.";
    BAD_ENUM: "TG3015" "bad-enum" Error "An enumeration is malformed.";
    BAD_FIELD_DEFAULT: "TG3016" "bad-field-default" Error "A field without a default comes after one with a default.";
    BAD_INTRINSIC: "TG3017" "bad-intrinsic" Error "An intrinsic is malformed.";
    BAD_ROLE: "TG3018" "bad-role" Error "A node cannot have this role.";
    UNKNOWN_NODE: "TG3019" "unknown-node" Error "There is no node or intrinsic with this name.";
    MISPLACED_FIELD_TYPE: "TG3020" "misplaced-field-type" Error "An entry cannot have a field of this type.";
}
