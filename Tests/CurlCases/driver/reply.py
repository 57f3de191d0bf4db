# SPDX-License-Identifier: MIT
"""What a server answers: which part of a case, and whether the connection ends after it."""

import re

_NUMBER = re.compile(rb"\d+")
_CREDENTIALS = re.compile(rb"^(?:Proxy-)?Authorization:[ \t]*(.*?)\r?$", re.IGNORECASE | re.MULTILINE)


def _part(request, case_number):
    """The part that the number at the end of the requested path picks."""
    if request.method == b"CONNECT":
        # The host's last label, or the IPv6 address's last group, is the case's number: there is no part.
        return 0
    number = _NUMBER.search(request.target.rpartition(b"/")[2])
    # Path without a number: the case is the only one here.
    if number is None or int(number[0]) <= 10000:
        return 0
    case, part = divmod(int(number[0]), 10000)
    return part if case == case_number else 0


def _offset(request, part):
    """What is added for the credentials that a request brings."""
    credentials = [value for value in _CREDENTIALS.findall(request.head)]
    ntlm = [value.split(b" ", 1)[1].strip() for value in credentials if value.startswith(b"NTLM ")]
    if any(message.startswith(b"TlRMTVNTUAAD") for message in ntlm):
        return [1002]
    if any(message.startswith(b"TlRMTVNTUAAB") for message in ntlm):
        return [1001]
    if any(value.startswith(b"Digest ") for value in credentials):
        return [1000]
    if any(value.startswith(b"Basic ") for value in credentials):
        # A case that numbers its parts from 1000 on counts on from there.
        return [1] if part >= 1000 else [1003, 0]
    return [0]


class Replies:
    """The parts of one case, in the order in which its requests ask for them."""

    def __init__(self, case, values):
        self.case = case
        self.values = values
        self.number = int(case.name)
        self.previous = None
        self.missing = []

    def _text(self, kind, part):
        name = f"{kind}{part}" if part else kind
        return self.case.text("reply", name, self.values)

    def answer(self, request):
        """The bytes to send, and whether the connection ends after them."""
        kind = "connect" if request.method == b"CONNECT" else "data"
        part = _part(request, self.number)
        if self.previous and self.previous[0] == request.target and b"swsbounce" in self.previous[2]:
            parts = [self.previous[1] + 1]
        else:
            parts = [part + offset for offset in _offset(request, part)]
        for part in parts:
            text = self._text(kind, part)
            if text is not None:
                break
        if text is None and kind == "connect":
            text = b"HTTP/1.1 200 OK\r\n\r\n"
        elif text is None:
            self.missing.append(f"<{kind}{part or ''}>, asked for by {request.first_line!r}")
            text = b"HTTP/1.1 404 Not Found swsclose\r\nContent-Length: 0\r\n\r\n"
        self.previous = (request.target, part, text)
        return text, ends_connection(text, request)


def ends_connection(text, request):
    """As curl's server has it: a part without length leaves the connection open, unless it says `swsclose`."""
    return not text or b"swsclose" in text or b"\nConnection: close" in request.head
