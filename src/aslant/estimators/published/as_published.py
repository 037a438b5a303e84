"""A published system exactly as its paper's own program did it."""

from __future__ import annotations

from typing import Any, Self


class AsPublished:
    """What every published system shares: an instance with the settings of its paper's program.

    Our defaults may be better than the paper's. Each way in which they differ is an ordinary
    parameter; `_published` lists those that the paper's program had otherwise.
    """

    @classmethod
    def _published(cls) -> dict[str, Any]:
        """Return the parameters in which the paper's program differs from our defaults."""
        return {}

    @classmethod
    def as_published(cls, **changes: Any) -> Self:
        """Return an estimator with exactly what the paper's own program did.

        Parameters
        ----------
        **changes
            Parameters that are to differ from the paper's.

        Returns
        -------
        estimator
            Not yet fitted; its parameters show every difference from our defaults.
        """
        return cls(**(cls._published() | changes))
