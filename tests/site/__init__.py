"""The pages: what they say, that they say it literally, and how they behave in a browser."""
