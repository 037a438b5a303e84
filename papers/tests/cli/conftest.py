"""The fixtures of the command line, which the papers' commands use too."""

from command_line import *  # noqa: F403
