//! The diagnostics of the family.

pub(crate) use torchgen_base::diag::codes::{MISSING_KEY, UNKNOWN_KEY, WRONG_TYPE};

torchgen_base::diag::codes::codes! {
    IR_HEAD: "TG2001" "ir-head" Error "A key at the top of a graph-ir file is wrong.";
    IR_RECORD: "TG2002" "ir-record" Error "An entry of `ops:` is neither a node nor an instruction of its file.";
    IR_NAME: "TG2003" "ir-name" Error "A name is not an identifier.";
    IR_RESERVED_WORD: "TG2004" "ir-reserved-word" Error "A name is reserved by C++ or by the generated code.";
    IR_DUPLICATE: "TG2005" "ir-duplicate" Error "Two records, types or enumerators have the same name.";
    IR_DUPLICATE_PART: "TG2006" "ir-duplicate-part" Error "Two parts of a record have the same name or the same getter.";
    IR_PART_TYPE: "TG2007" "ir-part-type" Error "A part of a record has a type that it cannot have there.";
    IR_UNKNOWN_PART: "TG2008" "ir-unknown-part" Error "A key of a record names something that its schema lacks.";
    IR_VERIFY_RULE: "TG2009" "ir-verify-rule" Error "A rule of `verify:` is malformed.";
    IR_GRADIENT: "TG2010" "ir-gradient" Error "A record cannot have the requested gradient.";
    IR_GRADIENT_RULE: "TG2011" "ir-gradient-rule" Warning "A rule of `verify:` cannot check the gradient.";
    IR_UNKNOWN_NODE: "TG2012" "ir-unknown-node" Error "`from_node:` names a node that does not exist.";
    IR_LOWERING: "TG2013" "ir-lowering" Error "The parts or the effects of a node and of its instruction do not correspond.";
    IR_LOWERING_TYPE: "TG2014" "ir-lowering-type" Error "A member has another type in the node than in the instruction.";
    IR_INPLACE: "TG2015" "ir-inplace" Error "An alias set does not say which memory is reused or written.";
    IR_SCRATCH: "TG2016" "ir-scratch" Error "The size of a scratch operand is given twice or is not a number.";
    IR_IDLE: "TG2017" "ir-idle" Warning "A key has no effect.";
    IR_SUPPORT_RECORD: "TG2018" "ir-support-record" Error "A record that the support library uses has the wrong form.";
    IR_EXPRESSION: "TG2020" "ir-expression" Error "A C++ expression of a record is malformed.";
    IR_BASE_CLASSES: "TG2021" "ir-base-classes" Error "`support:` names something that the generated code lacks.";
    IR_RULE: "TG2022" "ir-rule" Error "A rule that rewrites graphs is malformed, or names something that does not exist.";
    IR_RULE_TYPE: "TG2023" "ir-rule-type" Error "A rule replaces a value by one of another type.";
    IR_RULE_ORDER: "TG2024" "ir-rule-order" Error "A rule is never reached, or undoes another.";
    IR_RULE_OVERLAP: "TG2025" "ir-rule-overlap" Warning "Two rules match the same graph, and none comes first.";
}
