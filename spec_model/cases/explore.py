from spec_model.semantics.explore import *  # noqa: F403
