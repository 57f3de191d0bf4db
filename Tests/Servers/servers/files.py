# SPDX-License-Identifier: MIT
"""What is served, and who may have it."""

import gzip
import hashlib
import os
import random
import time

from .host import REALM, USERS


def start(host):
    files = host.folder / "files"
    (files / "gzip-static").mkdir(parents=True)
    (host.folder / "stored").mkdir()
    chance = random.Random(2718)
    text = "".join(f"line {number}: {chance.getrandbits(64):x} grüße\n" for number in range(2000)).encode()
    (files / "text.txt").write_bytes(text)
    (files / "zero.txt").write_bytes(b"")
    (files / "random.bin").write_bytes(chance.randbytes(3_000_000))
    (files / "data.json").write_text('{"name": "bluebonnet", "petals": 5}\n')
    # squid 5.7 hangs behind a refused body of more than 64 KiB, as it does with curl.
    (files / "letter.bin").write_bytes(chance.randbytes(60_000))
    (files / "gzip-static" / "text.txt.gz").write_bytes(gzip.compress(text, mtime=0))
    # Apache's tag of a file that was written within the second is a weak one.
    for file in files.glob("*.*"):
        os.utime(file, (time.time() - 3600, time.time() - 3600))
    host.write("users", "".join(f"{user}:{{PLAIN}}{password}\n" for user, password in USERS.items()))
    host.write("digests", digest("md5"))
    # lighttpd tells the algorithm by the length.
    host.write("all-digests", digest("md5") + digest("sha256"))
    host.variables["BLUEBONNET_FILES"] = str(files)


def digest(algorithm):
    """The lines of an htdigest file (RFC 7616 §3.4.2: H(A1))."""
    return "".join(
        f"{user}:{REALM}:{hashlib.new(algorithm, f'{user}:{REALM}:{password}'.encode()).hexdigest()}\n"
        for user, password in USERS.items())
