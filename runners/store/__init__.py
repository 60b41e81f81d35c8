"""Versions in an S3-compatible bucket: each object is named by the SHA-256 of its bytes, and none is ever deleted."""
