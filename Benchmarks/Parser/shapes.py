# SPDX-License-Identifier: MIT
"""The messages of the parser's benchmark: ordinary ones, and those made to be expensive."""

START = "HTTP/1.1 200 OK\r\n"
FIELDS = [
    ("Server", "nginx/1.22.1"), ("Date", "Sat, 21 Nov 2026 12:00:00 GMT"), ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Length", "0"), ("Connection", "keep-alive"), ("Vary", "Accept-Encoding"),
    ("Cache-Control", "public, max-age=300, stale-while-revalidate=60"), ("ETag", '"5f3a1c-2b1f7-5d3c8a0e9b4c0"'),
    ("Last-Modified", "Fri, 20 Nov 2026 08:30:15 GMT"), ("Strict-Transport-Security", "max-age=31536000; includeSubDomains"),
    ("X-Content-Type-Options", "nosniff"), ("Set-Cookie", "session=0123456789abcdef0123456789abcdef; Path=/; HttpOnly"),
    ("X-Request-Id", "7d44f0a2-0b7d-4b39-9f0c-6a4d1c1c8e55"),
]


def head(fields):
    return (START + "".join(f"{name}: {value}\r\n" for name, value in fields) + "\r\n").encode()


def padded(length):
    """The usual fields and one that fills up to `length` bytes."""
    room = length - len(head(FIELDS + [("Content-Security-Policy", "")]))
    policy = ("default-src 'self'; img-src https://images.example; script-src 'self'; " * 20)[:room]
    return head(FIELDS + [("Content-Security-Policy", policy[:-1] + ";")])


def messages():
    more = [(f"X-Custom-Field-{number}", f"value number {number} of a large head") for number in range(46)]
    return {
        "4 fields": head(FIELDS[:4]),
        "14 fields, 712 bytes": padded(712),
        "60 fields": padded(712)[:-2] + head(more)[len(START):],
    }


def chunks(size, total):
    """A chunked body, and how many chunks of data it has."""
    count = max(1, total // size)
    return (f"{size:x}\r\n".encode() + b"a" * size + b"\r\n") * count + b"0\r\n\r\n", count


# The expensive ones, of about `size` bytes each. All are complete messages.

def framed(lines):
    return (START + "Content-Length: 0\r\n" + lines + "\r\n").encode()


def chunked(body):
    return (START + "Transfer-Encoding: chunked\r\n\r\n" + body + "\r\n").encode()


# A name each, in ten bytes a line: with a million bytes there are as many as the benchmark's limit allows.
def many_fields(size):
    lines = "".join(f"a{number:05}:b\r\n" for number in range(size // 10 - 1))
    return framed(lines)


SHAPES = {
    "many fields": ("whole", many_fields),
    "one long value": ("whole", lambda size: framed(f"a: {'b' * size}\r\n")),
    "whitespace before a value": ("whole", lambda size: framed(f"a:{' ' * size}b\r\n")),
    "whitespace behind a value": ("whole", lambda size: framed(f"a: b{' ' * size}\r\n")),
    "whitespace within a value": ("whole", lambda size: framed(f"a: b{' ' * size}c\r\n")),
    "bytes beyond ASCII": ("whole", lambda size: framed(f"a: {'é' * (size // 2)}\r\n")),
    "one long list of options": ("whole", lambda size: framed(f"Connection: {'a,' * (size // 2)}b\r\n")),
    "one length again and again": ("whole", lambda size: framed("Content-Length: 0\r\n" * (size // 19))),
    "tiny chunks": ("whole", lambda size: chunked("1\r\na\r\n" * (size // 6) + "0\r\n")),
    "a long chunk extension": ("whole", lambda size: chunked(f"1;a={'b' * size}\r\na\r\n0\r\n")),
    "many chunk extensions": ("whole", lambda size: chunked(f"1{';a=b' * (size // 4)}\r\na\r\n0\r\n")),
    "many trailers": ("whole", lambda size: chunked("0\r\n" + "".join(f"a{n:05}:b\r\n" for n in range(size // 10)))),
    "folded lines (tolerant)": ("tolerant", lambda size: framed("a: b" + "\r\n c" * (size // 4) + "\r\n")),
    "folded options (tolerant)": ("tolerant", lambda size: framed("Connection: b" + "\r\n c" * (size // 4) + "\r\n")),
    "bare LF (tolerant)": ("tolerant", lambda size: framed("A: b\n" * (size // 20))),
    "folded lines (lenient)": ("lenient", lambda size: framed("a: b" + "\r\n c" * (size // 4) + "\r\n")),
    "folded options (lenient)": ("lenient", lambda size: framed("Connection: b" + "\r\n c" * (size // 4) + "\r\n")),
    "control bytes (lenient)": ("lenient", lambda size: framed(f"a: b{chr(1) * size}c\r\n")),
}
