"""Exemptions: operators that the library on the stable ABI does not have, and operators that are traced in another way.

A test fails for any other reason, and for an operator that does not need its exemption."""

# What the stable ABI lacks for each. A test of the program compares this with library.yaml, and with README.md.
NOT_STABLE = {
    "soft_cap": "Scalar",
    "soft_cap_": "Scalar",
    "split_heads": "view",
    "split_gates": "view",
    "seeded_dropout": "Generator",
    "pad_to_multiple": "Scalar",
}

REASONS = {
    "generator": "a generator cannot be traced: None is passed for it",
    "dynamic_output_shape": "the shape of the output depends on data: compiled with capture_dynamic_output_shape_ops",
}

EXEMPTIONS = {
    "seeded_dropout": "generator",
    "nms": "dynamic_output_shape",
}
