# SPDX-License-Identifier: MIT
"""Servers that ask for NTLM, as pyspnego reads [MS-NLMP]: an origin, the same over TLS, and a proxy.

    ntlm_server.py PORT TLS_PORT PROXY_PORT CERTIFICATE KEY

Who may come in is in the file that NTLM_USER_FILE names. NTLM authenticates a connection, not a request: the third
message counts only on the connection that got the second, and from then on all requests on it are let in, and those on
others are not. NTLMv1 is refused.

The origin answers as echo_server.py does, with what the third message said of itself beside it: whether it was bound
with a MIC, whether its version was in it, whether it was bound to the TLS channel.
"""

import base64
import http.client
import os
import select
import socket
import ssl
import sys
import threading

os.environ["LM_COMPAT_LEVEL"] = "5"

import spnego  # noqa: E402
import spnego.exceptions  # noqa: E402
from spnego._ntlm_raw.messages import Authenticate, AvFlags, AvId, Negotiate, NegotiateFlags  # noqa: E402
from spnego._ntlm_raw.messages import NTClientChallengeV2  # noqa: E402

from echo_server import Echo, Server  # noqa: E402


class Gate(Echo):
    """Lets in who has proved on this connection who he is."""
    status, ask, reply = 401, "WWW-Authenticate", "Authorization"

    def setup(self):
        super().setup()
        self.user = self.context = self.said = None

    def is_admitted(self):
        scheme, _, text = self.headers.get(self.reply, "").partition(" ")
        if scheme.upper() != "NTLM":
            return self.user is not None or self.refuse()
        try:
            message = base64.b64decode(text.strip(), validate=True)
        except ValueError:
            return self.refuse("not base64")
        if message[:8] != b"NTLMSSP\0":
            return self.refuse("not NTLM")
        kind = int.from_bytes(message[8:12], "little")
        if kind == 1:
            return self.challenge(message)
        if kind != 3 or self.context is None:
            return self.refuse(f"message {kind} out of turn on this connection")
        context, self.context = self.context, None
        try:
            context.step(message)
        except (spnego.exceptions.SpnegoError, ValueError) as reason:
            return self.refuse(f"{reason}")
        self.user = context.client_principal
        self.said.update(self.words(Authenticate.unpack(message)), user=self.user)
        return True

    def challenge(self, message):
        self.user, self.context = None, spnego.server(protocol="ntlm")
        try:
            answer = self.context.step(message)
            flags = Negotiate.unpack(message).flags
        except (spnego.exceptions.SpnegoError, ValueError) as reason:
            self.context = None
            return self.refuse(f"{reason}")
        self.said = {"versionInFirst": bool(flags & NegotiateFlags.version)}
        return self.refuse(None, base64.b64encode(answer).decode())

    @staticmethod
    def words(message):
        pairs = NTClientChallengeV2.unpack(message.nt_challenge_response[16:]).av_pairs
        return {
            "version": bool(message.flags & NegotiateFlags.version),
            "mic": bool(pairs.get(AvId.flags, 0) & AvFlags.mic),
            "bound": any(pairs.get(AvId.channel_bindings, b"")),
            "targetName": pairs.get(AvId.target_name, ""),
            "domain": message.domain_name,
        }

    def refuse(self, reason=None, challenge=""):
        self.read_body()
        if reason:
            print(f"connection {self.number}: {reason}", file=sys.stderr, flush=True)
        self.answer(self.status, {"refused": reason or "who are you?"}, [(self.ask, f"NTLM {challenge}".strip())])
        return False


class Origin(Gate):
    def do_GET(self):
        if self.is_admitted():
            self.serve(ntlm=self.said)

    do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_GET


class TLSOrigin(Origin):
    context_of_tls = None

    def setup(self):
        self.request.settimeout(20)
        self.request = self.context_of_tls.wrap_socket(self.request, server_side=True)
        super().setup()


class Proxy(Gate):
    status, ask, reply = 407, "Proxy-Authenticate", "Proxy-Authorization"
    # Those that concern one connection (RFC 9110 §7.6.1), and those that are for us.
    hops = {"connection", "proxy-connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
            "proxy-authorization", "proxy-authenticate", "content-length"}

    def setup(self):
        super().setup()
        # A connection to an origin belongs to one of ours: the origin may have authenticated it, too.
        self.origins = {}

    def finish(self):
        for origin in self.origins.values():
            origin.close()
        super().finish()

    def do_CONNECT(self):
        if not self.is_admitted():
            return
        host, _, port = self.path.rpartition(":")
        try:
            origin = socket.create_connection((host.strip("[]"), int(port)), 10)
        except (OSError, ValueError) as reason:
            return self.answer(502, {"refused": f"{reason}"})
        self.wfile.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        self.close_connection = True
        with origin:
            self.tunnel(origin)

    def tunnel(self, origin):
        ways = {self.connection: origin, origin: self.connection}
        # What came along with the request.
        self.connection.settimeout(0)
        origin.sendall(self.rfile.read1(1 << 16) or b"")
        self.connection.settimeout(120)
        while True:
            readable, _, _ = select.select(list(ways), [], [], 120)
            if not readable:
                return
            for end in readable:
                data = end.recv(1 << 16)
                if not data:
                    return
                ways[end].sendall(data)

    def do_GET(self):
        if not self.is_admitted():
            return
        if not self.path.startswith("http://"):
            self.read_body()
            return self.answer(400, {"refused": "not the absolute form"})
        authority, slash, path = self.path[len("http://"):].partition("/")
        body = b"".join(self.pieces())
        fields = [(name, value) for name, value in self.headers.items() if name.lower() not in self.hops]
        origin = self.origins.setdefault(authority, http.client.HTTPConnection(authority, timeout=60))
        try:
            origin.putrequest(self.command, slash + path, skip_host=True, skip_accept_encoding=True)
            for name, value in [*fields, ("Via", "1.1 ntlm-proxy"), ("Content-Length", str(len(body)))]:
                origin.putheader(name, value)
            origin.endheaders(body)
            response = origin.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException) as reason:
            self.origins.pop(authority).close()
            return self.answer(502, {"refused": f"{reason}"})
        self.send_response(response.status, response.reason)
        for name, value in response.getheaders():
            if name.lower() not in self.hops:
                self.send_header(name, value)
        # Tells that connections are kept together (RFC 4559 §6).
        self.send_header("Proxy-Support", "Session-Based-Authentication")
        if self.command != "HEAD":
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_GET


def main():
    plain, tls, proxy = map(int, sys.argv[1:4])
    TLSOrigin.context_of_tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    TLSOrigin.context_of_tls.load_cert_chain(*sys.argv[4:6])
    servers = [Server(("127.0.0.1", port), handler)
               for port, handler in [(plain, Origin), (tls, TLSOrigin), (proxy, Proxy)]]
    for server in servers[1:]:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    servers[0].serve_forever()


main()
