"""Countersign's pages: reads runs/ and tables/, yields (path, bytes) pairs, and knows nothing of MkDocs."""
