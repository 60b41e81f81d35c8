"""The kinds of page: each module holds the typed context of its template and what fills it."""
