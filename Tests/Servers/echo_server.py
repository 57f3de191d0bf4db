# SPDX-License-Identifier: MIT
"""An origin that tells what it was sent, for the servers that ask for credentials before they pass a request on.

    echo_server.py PORT

The answer is JSON: method, target, the body's count of bytes and its SHA-256, the fields as they arrived (so that a
test sees which credentials went where), the number of the connection and of the request on it, and of all requests, so
that a test sees which answers are the same one.
"""

import hashlib
import http.server
import itertools
import json
import socket
import sys


class Echo(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "Echo"
    timeout = 120
    numbers = itertools.count(1)
    serials = itertools.count(1)

    def setup(self):
        super().setup()
        self.number, self.count = next(self.numbers), 0

    def read_body(self):
        """The body whole, as its hash and its length (RFC 9112 §6.3)."""
        digest, count = hashlib.sha256(), 0
        for piece in self.pieces():
            digest.update(piece)
            count += len(piece)
        return digest.hexdigest(), count

    def pieces(self):
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            while size := int(self.rfile.readline().split(b";")[0], 16):
                yield from self.exactly(size)
                self.rfile.readline()
            while self.rfile.readline().strip():
                pass
        else:
            yield from self.exactly(int(self.headers.get("Content-Length", 0)))

    def exactly(self, count):
        while count:
            piece = self.rfile.read1(min(count, 1 << 16))
            if not piece:
                raise ConnectionError("the body ended early")
            count -= len(piece)
            yield piece

    def answer(self, status, body, fields=()):
        data = body if isinstance(body, bytes) else (json.dumps(body) + "\n").encode()
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def serve(self, **more):
        digest, count = self.read_body()
        self.count += 1
        fields = {}
        for name, value in self.headers.items():
            fields.setdefault(name.lower(), []).append(value)
        self.answer(200, {"method": self.command, "target": self.path, "bytes": count, "sha256": digest,
                          "fields": fields, "connection": self.number, "request": self.count,
                          "serial": next(self.serials), **more})

    def do_GET(self):
        self.serve()

    do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_GET

    def log_message(self, *_):
        pass

    def handle(self):
        try:
            super().handle()
        except (OSError, ValueError) as reason:
            # Whoever has gone away wants no answer.
            print(f"connection {self.number}: {reason}", file=sys.stderr, flush=True)


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 256
    block_on_close = False

    def get_request(self):
        connection, address = super().get_request()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection, address

    def handle_error(self, request, client_address):
        print(f"{client_address}: {sys.exc_info()[1]!r}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    Server(("127.0.0.1", int(sys.argv[1])), Echo).serve_forever()
