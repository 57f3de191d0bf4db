# SPDX-License-Identifier: MIT
"""What a case wants to have happened, against what has happened."""

import difflib
import re

from . import normal, perl


class Verdict:
    def __init__(self, case, values, folder):
        self.case = case
        self.values = values
        self.folder = folder
        self.reasons = []

    def compare(self, what, expected, seen):
        if expected != seen:
            self.reasons.append(f"{what} differs\n{difference(expected, seen)}")

    def exit_status(self, status, errors):
        """`errors`: what the program said on stderr, which explains a status that is wrong."""
        listed = self.case.text("verify", "errorcode", self.values)
        wanted = [int(code) for code in re.split(rb"[\s,]+", listed.strip())] if listed else [0]
        if status not in wanted:
            said = "".join(f"    {line}\n" for line in errors.decode(errors="replace").splitlines()[-5:])
            self.reasons.append(f"exit status {status} instead of {' or '.join(map(str, wanted))}\n{said}".rstrip())

    def requests(self, section, seen):
        """`section`: protocol or proxy."""
        expected = self.case.text("verify", section, self.values)
        if expected is None:
            return
        if section == "protocol":
            seen = normal.with_common_boundaries(bytes(seen))
            patterns = self.case.words("verify", "strip")
            expected = perl.without(patterns, expected)
            seen = perl.without(patterns, seen)
            statements = self.case.words("verify", "strippart")
            expected = perl.edited(statements, expected)
            seen = perl.edited(statements, seen)
        self.compare(f"<{section}>", *normal.comparable(expected, bytes(seen)))

    def exactly(self, section, seen):
        """A section that says the whole of what was seen."""
        expected = self.case.text("verify", section, self.values)
        if expected is not None:
            self.compare(f"<{section}>", expected, bytes(seen))

    def stream(self, section):
        """`section`: stdout or stderr."""
        expected = self.case.text("verify", section, self.values)
        if expected is not None:
            seen = (self.folder / "log" / f"{section}{self.case.name}").read_bytes()
            if self.case.section("verify", section).attributes.get("mode") == b"text":
                seen = seen.replace(b"\r\n", b"\n")
            self.compare(f"<{section}>", expected, perl.edited(self.case.words("verify", "stripfile"), seen))

    def files(self):
        for section in self.case.numbered("verify", "file"):
            path = self.folder / section.attribute("name", self.values)
            suffix = section.name.decode().removeprefix("file")
            what = f"<{section.name.decode()}> {path.name}"
            # What is read from a pipe may never end.
            if not path.is_file():
                self.reasons.append(f"{what} is not there, or no file")
                continue
            seen = perl.edited(self.case.words("verify", f"stripfile{suffix}"), path.read_bytes())
            if section.attributes.get("mode") == b"text":
                seen = seen.replace(b"\r\n", b"\n")
            self.compare(what, section.text(self.values), seen)
        for line in (self.case.text("verify", "notexists", self.values) or b"").split(b"\n"):
            if line and (self.folder / line.decode()).exists():
                self.reasons.append(f"{line.decode()} is there")

    def output(self):
        """What went where the driver's own --output pointed."""
        sections = self.case.numbered("reply", "datacheck") or [self.case.section("reply", "data")]
        if sections[0] is None or any(section.has("nocheck") for section in sections):
            return
        first = self.case.section("reply", "data")
        if first is not None and first.has("nocheck"):
            return
        expected = b"".join(section.text(self.values) for section in sections)
        path = self.folder / "log" / f"curl{self.case.name}.out"
        self.compare("the output", expected, path.read_bytes() if path.is_file() else b"")


def difference(expected, seen):
    """What differs, line by line, control bytes shown."""

    def shown(text):
        lines = [repr(line)[2:-1] for line in re.findall(rb"[^\n]*\n|[^\n]+\Z", text)]
        return [line[:300] + "…" if len(line) > 300 else line for line in lines]

    lines = difflib.unified_diff(shown(expected), shown(seen), "expected", "seen", lineterm="", n=1)
    return "\n".join("    " + line for line in list(lines)[2:60])
