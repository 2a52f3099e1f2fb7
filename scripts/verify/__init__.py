"""Verification: what `make verify` runs, one judge a file; docs/verification.md is made of it."""
