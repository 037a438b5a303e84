"""Growing a tree: a function of a sample and settings, without an estimator."""
