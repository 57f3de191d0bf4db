# SPDX-License-Identifier: MIT
"""A case as its file states it: sections in angle brackets, each with attributes and lines."""

import re

from . import macros

_OPENING = re.compile(rb'^<([a-z][a-z0-9-]*)((?: +[a-z]+="[^"]*")*) *>\r?$')
_ATTRIBUTE = re.compile(rb' ([a-z]+)="([^"]*)"')
_OUTER = (b"info", b"reply", b"client", b"verify")

_STATUS_LINE = re.compile(rb"^HTTP/\d")
_REQUEST_LINE = re.compile(rb"^.*[A-Za-z] \S.* HTTP/\d(?:\.\d)?$")
_FIELD = re.compile(rb"^[A-Za-z][A-Za-z0-9-]*: .*$")


class Section:
    def __init__(self, name, attributes, lines):
        self.name = name
        self.attributes = attributes
        self.lines = lines

    def has(self, attribute):
        return self.attributes.get(attribute) == b"yes"

    def text(self, values):
        """The content, with its line ends and without its macros."""
        text = b"".join(line + b"\n" for line in _terminated(self.lines, self.attributes.get("crlf")))
        text = macros.expand(text, values)
        if self.has("nonewline"):
            text = re.sub(rb"\r?\n\Z", b"", text)
        return text

    def attribute(self, name, values):
        return macros.expand(self.attributes[name], values).decode()


def _terminated(lines, crlf):
    """`lines`, with a CR where `crlf` says so: everywhere ("yes"), or in heads and in fields ("headers")."""
    if crlf not in (b"yes", b"headers"):
        return lines
    result = []
    inside_head = False
    for line in lines:
        if crlf == b"yes":
            ends = True
        else:
            if _STATUS_LINE.match(line) or _REQUEST_LINE.match(line):
                inside_head = True
            ends = inside_head or bool(_FIELD.match(line))
            if not line:
                inside_head = False
        result.append(line + b"%CR" if ends and not line.endswith(b"%CR") else line)
    return result


class Case:
    """A file, read for a program with these features. `name`: what follows "test" in the file's name."""

    def __init__(self, path, features):
        self.name = path.name.removeprefix("test")
        self.folder = path.parent
        # All of one name, in the file's order.
        self.sections = {}
        outer = None
        section = None
        for line in macros.choose(macros.content(path), features).split(b"\n"):
            if section is not None:
                if line.rstrip() == b"</" + section.name + b">":
                    section = None
                else:
                    section.lines.append(line)
                continue
            opening = _OPENING.match(line)
            if not opening:
                if line.rstrip() in (b"</reply>", b"</client>", b"</verify>", b"</info>"):
                    outer = None
            elif outer is None and opening[1] in _OUTER:
                outer = opening[1].decode()
            elif outer is not None:
                attributes = {name.decode(): value for name, value in _ATTRIBUTE.findall(opening[2])}
                section = Section(opening[1], attributes, [])
                self.sections.setdefault((outer, opening[1].decode()), []).append(section)
        if section is not None:
            raise ValueError(f"{path.name}: <{section.name.decode()}> has no end")

    def section(self, outer, name):
        return self.sections.get((outer, name), [None])[0]

    def text(self, outer, name, values):
        """What a section holds; None without it."""
        section = self.section(outer, name)
        return None if section is None else section.text(values)

    def words(self, outer, name):
        """The lines of a section that holds a list."""
        section = self.section(outer, name)
        if section is None:
            return []
        lines = [line.strip().decode() for line in section.lines]
        return [line for line in lines if line and not line.startswith("#")]

    def numbered(self, outer, name):
        """The sections `name`, `name1`, `name2`, … in their order."""
        found = []
        for (place, key), sections in self.sections.items():
            match = re.fullmatch(re.escape(name) + r"(\d*)", key)
            if place == outer and match:
                found += [(int(match[1] or 0), section) for section in sections]
        return [section for _, section in sorted(found, key=lambda pair: pair[0])]
