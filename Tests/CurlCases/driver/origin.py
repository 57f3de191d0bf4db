# SPDX-License-Identifier: MIT
"""The HTTP server of a case, behind all its sockets: plain, TLS, IPv6, Unix. With a `dial`, it is a proxy."""

import select
import socket
import ssl
import threading

from . import request as requests

# So much of a response at once, if a case wants pauses between the writes.
_PIECE = 200
# Seconds after which a server that does not end is a failure, rather than the end of all other cases. Longer than a socket may wait.
_LONGEST_END = 30


class Connection:
    def __init__(self, stream, peer=None):
        self.stream = stream
        self.received = bytearray()
        # The other end of a tunnel.
        self.peer = peer


class Origin(threading.Thread):
    """One thread for all connections: what the client does in order, this sees in order."""

    def __init__(self, listeners, replies, commands, tls=None, pause=0.0, dial=None):
        """`listeners`: (socket, whether it speaks TLS). `pause`: seconds between a response and the end after it.
        `dial`: makes the connection that a CONNECT asks for."""
        super().__init__(daemon=True)
        self.listeners = dict(listeners)
        self.replies = replies
        self.tls = tls
        self.pause = pause
        self.dial = dial
        self.log = bytearray()
        self.connections = {}
        self.leaving = threading.Event()
        self.waker, self.wakened = socket.socketpair()
        self.monitors = "connection-monitor" in commands
        self.is_silent = "idle" in commands
        self.skips_expected_bodies = "no-expect" in commands
        self.wants_credentials = "auth_required" in commands
        self.closes = "close" in commands
        self.skipped = _number(commands, "skip")
        self.write_delay = _number(commands, "writedelay") / 1000
        self.delay = _number(commands, "delay") / 1000
        self.failure = None

    def run(self):
        try:
            while True:
                # Whoever connects after closing another connection is seen to have done it in that order.
                last = self.leaving.is_set()
                streams = [*self.connections, *self.listeners, self.wakened]
                readable, _, _ = select.select(streams, [], [], 0 if last else None)
                readable = [stream for stream in readable if stream is not self.wakened]
                for stream in readable:
                    if stream in self.connections:
                        self._read(self.connections[stream])
                for stream in readable:
                    if stream in self.listeners:
                        self._accept(stream)
                if last and not readable:
                    break
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error
        finally:
            for connection in list(self.connections.values()):
                self._close(connection)
            for listener in self.listeners:
                listener.close()

    def finish(self):
        """Takes what is still there to be read, then ends."""
        self.leaving.set()
        # The thread may have ended by itself since, or with an error: these two stay open until it has.
        self.waker.send(b".")
        self.join(_LONGEST_END)
        if self.is_alive():
            self.failure = self.failure or TimeoutError("the server does not end")
            return
        self.waker.close()
        self.wakened.close()

    def _accept(self, listener):
        stream, _ = listener.accept()
        stream.settimeout(10)
        if stream.family != socket.AF_UNIX:
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.listeners[listener]:
            try:
                stream = self.tls.wrap_socket(stream, server_side=True)
            except OSError:
                stream.close()
                return
        self.connections[stream] = Connection(stream)

    def _close(self, connection):
        if self.connections.pop(connection.stream, None) is None:
            return
        self.log += connection.received
        if self.monitors:
            self.log += b"[DISCONNECT]\n"
        if isinstance(connection.stream, ssl.SSLSocket):
            # Says that this is the end (RFC 9112 section 9.8), waits for no answer.
            connection.stream.settimeout(0)
            try:
                connection.stream.unwrap()
            except OSError:
                pass
        connection.stream.close()
        if connection.peer is not None:
            connection.peer.peer = None
            self._close(connection.peer)

    def _read(self, connection):
        if connection.stream not in self.connections:
            return
        try:
            data = connection.stream.recv(65536)
            while isinstance(connection.stream, ssl.SSLSocket) and connection.stream.pending():
                data += connection.stream.recv(65536)
        except OSError:
            data = b""
        if not data:
            self._close(connection)
        elif connection.peer is not None:
            self._send(connection.peer, data)
        else:
            connection.received += data
            self._answer(connection)

    def _answer(self, connection):
        while connection.stream in self.connections and connection.peer is None:
            taken = self._take(connection.received)
            if taken is None:
                return
            request, length = taken
            self.log += request.bytes
            del connection.received[:length]
            if self.is_silent:
                continue
            text, ends = self.replies.answer(request)
            self.leaving.wait(self.delay)
            self._send(connection, text)
            if ends or self.closes:
                # Only a wait that a case asks for; a client that has gone is no reason to stay.
                self.leaving.wait(self.pause)
                self._close(connection)
            elif request.method == b"CONNECT" and self.dial and b" 2" in text[:12]:
                self._tunnel(connection, request)

    def _take(self, received):
        taken = requests.take(received, self.skipped)
        if taken is None and (self.skips_expected_bodies or self.wants_credentials):
            bare = requests.take(received, reads_body=False)
            if bare and self.skips_expected_bodies and requests.field(bare[0].head, b"Expect"):
                return bare
            if bare and self.wants_credentials and not requests.field(bare[0].head, b"Authorization"):
                return bare
        return taken

    def _tunnel(self, connection, request):
        host, _, port = request.target.rpartition(b":")
        try:
            stream = self.dial(host.decode(), int(port))
        except OSError:
            self._close(connection)
            return
        connection.peer = Connection(stream, connection)
        self.connections[stream] = connection.peer
        if connection.received:
            self._send(connection.peer, bytes(connection.received))
            connection.received.clear()

    def _send(self, connection, text):
        step = _PIECE if self.write_delay else max(1, len(text))
        try:
            for start in range(0, len(text), step):
                if start:
                    self.leaving.wait(self.write_delay)
                connection.stream.sendall(text[start : start + step])
        except OSError:
            self._close(connection)


def _number(commands, name):
    """The number behind `name:` among a case's commands."""
    for command in commands:
        if command.startswith(name + ":"):
            return int(command.split(":", 1)[1])
    return 0
