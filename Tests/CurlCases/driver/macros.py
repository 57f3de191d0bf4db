# SPDX-License-Identifier: MIT
"""The words that a case leaves to the driver: `%NAME`, `%hex[…]hex%` and their kin, `%if … %endif`."""

import base64
import re
from pathlib import Path

_IF = re.compile(rb"^%if (!?)([^\s]+)[ \t]*\r?$")
_BLOCK = re.compile(
    rb"%hex\[(?P<hex>.*?)\]hex%"
    rb"|%b64\[(?P<b64>.*?)\]b64%"
    rb"|%repeat\[(?P<count>\d+) x (?P<unit>.*?)\]%",
    re.DOTALL,
)
_INCLUDE = re.compile(rb"%include(?:text)? ([^\n]+)%(?:\r?\n)?")

# What has the same meaning in all cases.
CHARACTERS = {
    b"TAB": b"\t",
    b"SP": b" ",
    b"CR": b"\r",
    b"LF": b"\n",
    b"AMP": b"&",
    b"LT": b"<",
    b"GT": b">",
}


def content(path):
    """The bytes of a file. What is read from a pipe may never end."""
    if not path.is_file():
        raise ValueError(f"{path} is no file")
    return path.read_bytes()


def choose(text, features):
    """`text` without the lines that are meant for programs with other features, and without the `%if` lines."""
    kept = []
    conditions = []
    for line in text.split(b"\n"):
        if match := _IF.match(line):
            conditions.append((match[2].decode() in features) != bool(match[1]))
        elif line.rstrip() == b"%else" and conditions:
            conditions[-1] = not conditions[-1]
        elif line.rstrip() == b"%endif" and conditions:
            conditions.pop()
        elif all(conditions):
            kept.append(line)
    return b"\n".join(kept)


def _escaped(text):
    """`text` with its `%XX` undone."""
    return re.sub(rb"%([0-9a-fA-F]{2})", lambda match: bytes([int(match[1], 16)]), text)


def _block(match):
    if match["hex"] is not None:
        return _escaped(match["hex"])
    if match["b64"] is not None:
        return base64.b64encode(_escaped(match["b64"]))
    return int(match["count"]) * _escaped(match["unit"])


def expand(text, values):
    """`text` with what the driver has to fill in. `values`: name to bytes."""
    known = {**CHARACTERS, **values}
    # The longest first: %HTTPSPORT is not %HTTP and a rest.
    names = sorted(known, key=len, reverse=True)
    pattern = re.compile(b"%(" + b"|".join(names) + b")")

    def named(text):
        return pattern.sub(lambda match: known[match[1]], text)

    text = _INCLUDE.sub(lambda match: content(Path(named(match[1]).decode())), text)
    return _BLOCK.sub(_block, named(text))
