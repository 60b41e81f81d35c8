"""api/v1/: the published data as static JSON with a JSON Schema for each kind of document (reference page *API*)."""
