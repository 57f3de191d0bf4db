# SPDX-License-Identifier: MIT
"""What is compared of requests: all but the client's name, `Accept: */*`, the order of fields and the boundary."""

import re

_HEAD = re.compile(rb"([A-Za-z]+ [^\r\n]*HTTP/\d(?:\.\d)?\r?\n)((?:[^\r\n][^\n]*\n)*)(\r?\n|\Z)")
_IGNORED = re.compile(rb"(?:User-Agent:.*|Accept: \*/\*)\r?\n\Z", re.IGNORECASE)
_BOUNDARY = re.compile(rb'^Content-Type: *multipart/[^\n]*boundary="?([^\s";,]+)', re.IGNORECASE | re.MULTILINE)

# The length of a boundary that the cases count on in their `Content-Length`.
_BOUNDARY_LENGTH = 46


_EXPECTATION = re.compile(rb"Expect: *100-continue\r?\n\Z", re.IGNORECASE)


def comparable(expected, seen):
    """Requests that a case expects, and those that were seen, in a form in which they can be compared."""
    # curl 7.88 expects a 100 for every body that it uploads, newer ones only for large bodies, and the cases say what
    # these do. Where a case does not have the field, it may be there; where it has it, it must be.
    tolerates = [not any(map(_EXPECTATION.match, _fields(head))) for head in _HEAD.finditer(expected)]
    return _normal(expected, []), _normal(seen, tolerates)


def _fields(head):
    return re.findall(rb"[^\n]*\n", head[2])


def _normal(text, tolerates):
    for boundary in dict.fromkeys(_BOUNDARY.findall(text)):
        text = text.replace(boundary, b"(boundary)")
    remaining = iter(tolerates)

    def normal(head):
        tolerant = next(remaining, False)
        kept = [
            field
            for field in _fields(head)
            if not _IGNORED.match(field) and not (tolerant and _EXPECTATION.match(field))
        ]
        return head[1] + b"".join(sorted(kept)) + head[3]

    return _HEAD.sub(normal, text)


def with_common_boundaries(text):
    """What a server has read, with the lengths that it would have if all boundaries were as long as the cases'."""
    result = b""
    # Each multipart request: its head, then as much body as the head says.
    at = 0
    for match in _HEAD.finditer(text):
        if match.start() < at:
            continue
        boundary = _BOUNDARY.search(match[2])
        length = re.search(rb"^Content-Length: *(\d+)", match[2], re.IGNORECASE | re.MULTILINE)
        if not boundary or not length:
            continue
        body = text[match.end() : match.end() + int(length[1])]
        more = sum(_BOUNDARY_LENGTH - len(found) for found in _inner_boundaries(body, boundary[1]))
        head = text[at : match.end()]
        stated = b"%d" % (int(length[1]) + more)
        start = match.start(2) + length.start(1) - at
        result += head[:start] + stated + head[start + len(length[1]) :] + body
        at = match.end() + len(body)
    return result + text[at:]


def _inner_boundaries(body, outer):
    """Every boundary in a body, each time it stands there."""
    boundaries = {outer, *_BOUNDARY.findall(body)}
    return [boundary for boundary in boundaries for _ in range(body.count(boundary))]
