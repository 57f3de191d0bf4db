# SPDX-License-Identifier: MIT
"""The `websockets` package's own server."""

import pathlib

from .host import free_ports

PROGRAM = pathlib.Path(__file__).parent.parent / "websockets_server.py"


def start(host):
    host.need_module("websockets.asyncio.server")
    plain, tls, small, uncompressed = free_ports(4)
    host.spawn("websockets", uncompressed, host.python, str(PROGRAM),
               *map(str, [plain, tls, small, uncompressed]), "leaf.pem", "leaf.key")
    host.variables["BLUEBONNET_WEBSOCKETS"] = f"ws://127.0.0.1:{plain}"
    host.variables["BLUEBONNET_WEBSOCKETS_TLS"] = f"wss://localhost:{tls}"
    host.variables["BLUEBONNET_WEBSOCKETS_SMALL"] = f"ws://127.0.0.1:{small}"
    host.variables["BLUEBONNET_WEBSOCKETS_UNCOMPRESSED"] = f"ws://127.0.0.1:{uncompressed}"
