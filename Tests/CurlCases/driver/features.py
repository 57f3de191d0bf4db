# SPDX-License-Identifier: MIT
"""What the program under test can do, so that cases for others are left out."""

import re
import subprocess

# What every program has for which this driver is meant, by the names of the cases. `Debug` only lets curl's own debug
# build cut its writes; the cases hold without that, too. `ftp` is meant by cases that leave it to an HTTP proxy: those with
# a server for it are not played.
ALWAYS = {
    "http",
    "ftp",
    "proxy",
    "cookies",
    "crypto",
    "digest",
    "Mime",
    "verbose-strings",
    "local-http",
    "codeset-utf8",
    "Debug",
}

# What is asked of a program whose `--version` has no list: the cases judge it, not its word.
UNNAMED = {
    "IDN",
    "IPv6",
    "NTLM",
    "GSS-API",
    "Kerberos",
    "SPNEGO",
    "PSL",
    "SSL",
    "HTTPS-proxy",
    "UnixSockets",
    "brotli",
    "https",
    "libz",
}


def of(program, environment):
    """What `program --version` names, or all that the cases may want."""
    printed = subprocess.run(
        [program, "--version"], capture_output=True, text=True, timeout=30, env=environment, check=False
    ).stdout
    lists = re.findall(r"^(?:Features|Protocols): (.*)$", printed, re.MULTILINE)
    return ALWAYS | ({word for words in lists for word in words.split()} or UNNAMED)


def missing(wanted, features):
    """The first of `wanted` that `features` does not meet, or None."""
    for word in wanted:
        if (word.removeprefix("!") in features) == word.startswith("!"):
            return word
    return None
