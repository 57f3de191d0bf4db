# SPDX-License-Identifier: MIT
"""All servers of one case, on free ports, and the names under which the case knows them."""

import socket
import ssl

from .origin import Origin
from .reply import Replies
from .socks import SOCKS


class Servers:
    def __init__(self, case, folder, certificate, common):
        """`certificate`: a PEM file with a chain and its key. `common`: what else the case's macros may name."""
        self.case = case
        self.held = []
        unix = folder / "http.sock"
        plain, plain_port = self._listener()
        tls, tls_port = self._listener()
        local = self._made(socket.AF_UNIX, str(unix))
        local.listen()
        wanted = set(case.words("client", "server"))
        # Not every machine has IPv6.
        six, six_port = (
            self._listener(socket.AF_INET6) if "http-ipv6" in wanted else (None, self._deaf_port())
        )
        proxy, proxy_port = self._listener() if "http-proxy" in wanted else (None, self._deaf_port())
        socks, socks_port = self._listener() if wanted & {"socks4", "socks5"} else (None, self._deaf_port())
        values = {
            **common,
            b"HOSTIP": b"127.0.0.1",
            b"CLIENTIP": b"127.0.0.1",
            b"HOST6IP": b"[::1]",
            b"CLIENT6IP": b"[::1]",
            b"HTTPPORT": plain_port,
            b"HTTPSPORT": tls_port,
            b"HTTP6PORT": six_port,
            b"HTTPUNIXPATH": str(unix).encode(),
            b"PROXYPORT": proxy_port,
            b"SOCKSPORT": socks_port,
            b"NOLISTENPORT": self._deaf_port(),
        }
        self.values = values
        commands = case.words("reply", "servercmd")
        waits = [line.split() for line in case.words("reply", "postcmd")]
        pause = sum(float(line[1]) for line in waits if line[0] == "wait")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self.replies = Replies(case, values)
        self.origin = Origin(
            [(plain, False), (tls, True), (local, False)] + ([(six, False)] if six else []),
            self.replies,
            commands,
            context,
            pause,
        )
        self.proxy = None
        if proxy:
            # Names mean nothing here; a case says with the port which of its servers it means.
            self.proxy = Origin(
                [(proxy, False)],
                Replies(case, values),
                commands,
                dial=lambda _, port: socket.create_connection(("127.0.0.1", port), 5),
            )
        self.socks = SOCKS(socks, commands) if socks else None

    def _made(self, family, address):
        made = socket.socket(family, socket.SOCK_STREAM)
        made.bind(address)
        self.held.append(made)
        return made

    def _listener(self, family=socket.AF_INET):
        made = self._made(family, ("127.0.0.1" if family == socket.AF_INET else "::1", 0))
        made.listen(64)
        return made, str(made.getsockname()[1]).encode()

    def _deaf_port(self):
        """A port that nobody listens on and nobody else can take."""
        return str(self._made(socket.AF_INET, ("127.0.0.1", 0)).getsockname()[1]).encode()

    def __enter__(self):
        for server in (self.origin, self.proxy, self.socks):
            if server:
                server.start()
        return self

    def __exit__(self, *_):
        # Who stands before another one ends first: what it still holds goes on to the other.
        for server in (self.socks, self.proxy, self.origin):
            if server:
                server.finish()
        for made in self.held:
            made.close()
