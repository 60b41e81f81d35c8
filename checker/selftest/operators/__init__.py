"""The alterations: one small function each, with a name and a sentence for readers."""
