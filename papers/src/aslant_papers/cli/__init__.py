"""The commands of the papers, which join the command line ``aslant``."""
