"""What comparing methods takes, whoever compares: divisions of rows, statistical tests, tables."""
