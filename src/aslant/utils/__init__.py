"""What every layer uses: parameter checks, constructors, progress, processes, files."""
