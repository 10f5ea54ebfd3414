"""Exemptions for traced operators. A test fails for any other reason, and for an operator that does not need its exemption."""

REASONS = {
    "generator": "a generator cannot be traced: None is passed for it",
    "dynamic_output_shape": "the shape of the output depends on data: compiled with capture_dynamic_output_shape_ops",
}

EXEMPTIONS = {
    "seeded_dropout": "generator",
    "nms": "dynamic_output_shape",
}
