"""What operators are spared where they are traced. A test fails for a reason other than these two, and for an operator that does not have it."""

REASONS = {
    "generator": "a generator cannot be traced: None is passed for it",
    "dynamic_output_shape": "the shape of the output depends on data: compiled with capture_dynamic_output_shape_ops",
}

EXEMPTIONS = {
    "seeded_dropout": "generator",
    "nms": "dynamic_output_shape",
}
