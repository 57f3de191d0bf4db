# SPDX-License-Identifier: MIT
"""Requests in the bytes that a connection brings."""

import re

_HEAD_END = re.compile(rb"\r?\n\r?\n")


class Request:
    def __init__(self, head, body):
        self.head = head
        self.body = body
        self.first_line = head.split(b"\n", 1)[0].rstrip(b"\r")
        words = self.first_line.split(b" ")
        self.method = words[0]
        self.target = b" ".join(words[1:-1]) if len(words) > 2 else b"".join(words[1:])

    @property
    def bytes(self):
        return self.head + self.body


def field(head, name):
    """The first value of a field."""
    match = re.search(rb"^" + name + rb":[ \t]*(.*?)[ \t]*\r?$", head, re.IGNORECASE | re.MULTILINE)
    return None if match is None else match[1]


def _chunked_length(body):
    """How long a chunked body is, with its trailer section; None while its end is not there."""
    at = 0
    while True:
        end = body.find(b"\n", at)
        if end < 0:
            return None
        size = int(re.match(rb"[0-9a-fA-F]*", body[at:end])[0] or b"0", 16)
        at = end + 1
        if size == 0:
            break
        at += size + 2
    while True:
        end = body.find(b"\n", at)
        if end < 0:
            return None
        line = body[at:end].rstrip(b"\r")
        at = end + 1
        if not line:
            return at


def take(received, skipped=0, reads_body=True):
    """The first request in `received` and how many bytes it takes; None while it is not whole.

    `skipped`: how many bytes of a body with a length are not waited for."""
    # Line ends before a request line are none of it (RFC 9112 section 2.2).
    end = _HEAD_END.search(received)
    if end is None:
        return None
    head = bytes(received[: end.end()])
    rest = received[end.end() :]
    length = 0
    if reads_body and b"chunked" in (field(head, b"Transfer-Encoding") or b"").lower():
        length = _chunked_length(rest)
        if length is None:
            return None
    elif reads_body and (stated := field(head, b"Content-Length")):
        length = max(0, int(stated) - skipped)
        if len(rest) < length:
            return None
    return Request(head, bytes(rest[:length])), end.end() + length
