# SPDX-License-Identifier: MIT
"""The origin behind the servers that ask for credentials: it tells what reached it."""

import pathlib

from .host import free_ports

PROGRAM = pathlib.Path(__file__).parent.parent / "echo_server.py"


def start(host):
    host.echo, = free_ports(1)
    host.spawn("echo", host.echo, host.python, str(PROGRAM), str(host.echo))
    host.variables["BLUEBONNET_ECHO"] = f"http://127.0.0.1:{host.echo}"
