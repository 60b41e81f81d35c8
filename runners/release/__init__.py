"""The life of a version after it was published: frozen, verified, corrected by notes, packed, added to."""
