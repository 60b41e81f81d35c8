"""Names and replies that try to do harm, and the rule that makes folders of names."""

import hashlib
import re

HOSTILE_NAMES = ["a|b", "../../x", "<img src=x onerror=alert(1)>"]
MODELS = ["scripted:steadfast", "scripted:gullible", "local:smollm2-135m", *HOSTILE_NAMES, "late\u202egnp:\u200bmodel"]
EMPTY = "never-answers: </script><script>alert(3)</script>"
HOSTILE_TEXTS = [
    "</script><script>alert(2)</script>\n",
    '--8<-- "secret.txt"\n',
    '{{ config }} {% include "x" %} {# hi #} {% endraw %}',
    "costs $10-$20 ; 1/2 +/- (c) ; H~2~O ; gpt:100: ; :emoji: :smile: ; 2*3*4 ; 2024. was",
    "hello\n```\n<script>alert(2)</script>\n```\n~~~",
    "\n\n  leading and trailing space \t \r\n\r",
    "one\u2028two\u2029three \u202eevil\u202c \u2066iso\u2069 \u200bzero\ufeff \x85 \x1b[31m",
    "&lt; &amp;amp; &#13; <!-- comment --> ]]> <![CDATA[ x ]]> <plaintext>",
    "![x](https://evil.example/x.png) [y](javascript:alert(1)) <a href=//evil.example>z</a>",
    "---\ntitle: yaml\n---\n# Heading\n| a | b |\n|---|---|\n",
    "مرحبا שלום 你好 👩\u200d🚀 e\u0301",
    "",
]


def slug(name: str) -> str:
    """Repeat the rule of the log schema, on purpose apart from the code under test."""
    stem = re.sub(r"[^a-z0-9]+", "-", re.sub(r"[A-Z]", lambda m: m[0].lower(), name)).strip("-")[:40].strip("-")
    return f"{stem or 'model'}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
