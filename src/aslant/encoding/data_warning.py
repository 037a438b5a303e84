"""The category of all warnings about the data of a fit or a prediction."""


class DataWarning(UserWarning):
    """Something in the data deserves a look: it was read as it is, and may not be what is meant."""
