"""The one error that a reader of runs/ and tables/ can raise."""


class SiteError(Exception):
    """A published file that the site cannot read: says where, what was expected and what was found."""
