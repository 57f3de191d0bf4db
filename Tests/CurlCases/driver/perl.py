# SPDX-License-Identifier: MIT
"""Cases say in Perl what is not to be compared."""

import re
import subprocess

# Each line of the input goes through all statements; what is left of it is printed.
_PROGRAM = "local $/ = \"\\n\"; while (defined($_ = <STDIN>)) {{ {statements} print; }}"


def edited(statements, text):
    """`text`, each line of it changed by Perl statements on `$_`."""
    if not statements or not text:
        return text
    program = "".join(f"{statement}\n;\n" for statement in statements)
    result = subprocess.run(
        ["perl", "-e", _PROGRAM.format(statements=program)], input=text, capture_output=True, timeout=20, check=False
    )
    if result.returncode:
        raise ValueError(f"perl: {result.stderr.decode(errors='replace')}")
    return result.stdout


def without(patterns, text):
    """`text` without the lines that one of the patterns matches. The patterns here mean the same in Python."""
    for pattern in patterns:
        lines = re.findall(rb"[^\n]*\n|[^\n]+\Z", text)
        text = b"".join(line for line in lines if not re.search(pattern.encode(), line))
    return text
