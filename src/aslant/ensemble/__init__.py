"""What estimators of several trees share."""
