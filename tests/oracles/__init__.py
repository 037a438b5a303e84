"""Slow, obviously correct NumPy twins of the compiled kernels, and problems to try them on."""
