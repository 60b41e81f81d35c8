"""How a version, or a row of it, is cited: what is cited (facts), and how each format writes it (styles)."""
