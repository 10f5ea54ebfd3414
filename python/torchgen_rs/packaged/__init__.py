"""Names that the torch wheel has for scripts: ``torchgen.packaged``."""
