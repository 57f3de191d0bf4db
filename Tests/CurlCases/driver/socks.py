# SPDX-License-Identifier: MIT
"""The SOCKS server of a case: SOCKS4, 4a and 5. Whatever it is asked for, it connects to this machine."""

import select
import socket
import struct
import threading


class SOCKS(threading.Thread):
    def __init__(self, listener, commands):
        super().__init__(daemon=True)
        self.listener = listener
        settings = dict(command.split(None, 1) for command in commands if " " in command and ":" not in command)
        self.method = int(settings["method"]) if "method" in settings else None
        self.response = int(settings["response"]) if "response" in settings else None
        self.user = settings.get("user", "user").encode()
        self.password = settings.get("password", "password").encode()
        self.backend = settings.get("backend", "127.0.0.1")
        self.backend_port = int(settings["backendport"]) if "backendport" in settings else None
        self.log = bytearray()
        self.streams = set()
        self.lock = threading.Lock()
        self.workers = []

    def run(self):
        while True:
            try:
                stream, _ = self.listener.accept()
            except OSError:
                return
            stream.settimeout(10)
            with self.lock:
                self.streams.add(stream)
            worker = threading.Thread(target=self._serve, args=(stream,), daemon=True)
            self.workers.append(worker)
            worker.start()

    def finish(self):
        """Ends, once the tunnels have seen that the client has gone."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.join()
        for worker in self.workers:
            worker.join(5)
        with self.lock:
            for stream in self.streams:
                stream.close()

    def _serve(self, stream):
        try:
            version = _exactly(stream, 1)[0]
            target = self._version4(stream) if version == 4 else self._version5(stream)
            if target:
                _relay(stream, target)
                target.close()
        except (OSError, EOFError):
            pass
        finally:
            stream.close()
            with self.lock:
                self.streams.discard(stream)

    def _connect(self, port):
        return socket.create_connection((self.backend, self.backend_port or port), 5)

    def _version4(self, stream):
        _, port, address = struct.unpack("!BH4s", _exactly(stream, 7))
        _string(stream)
        if address[:3] == b"\0\0\0" and address[3]:
            _string(stream)
        status = 90 if self.response is None else self.response
        target = None
        if status == 90:
            try:
                target = self._connect(port)
            except OSError:
                status = 91
        stream.sendall(struct.pack("!BBH4s", 0, status, port, address))
        return target

    def _version5(self, stream):
        methods = _exactly(stream, _exactly(stream, 1)[0])
        method = self.method if self.method is not None else (0 if 0 in methods else 2 if 2 in methods else 255)
        stream.sendall(bytes([5, method]))
        if method == 2:
            _exactly(stream, 1)
            user = _exactly(stream, _exactly(stream, 1)[0])
            password = _exactly(stream, _exactly(stream, 1)[0])
            known = (user, password) == (self.user, self.password)
            stream.sendall(bytes([1, 0 if known else 1]))
            if not known:
                return None
        elif method != 0:
            return None
        _, _, _, kind = _exactly(stream, 4)
        length = {1: 4, 4: 16}.get(kind) or _exactly(stream, 1)[0]
        address = _exactly(stream, length)
        (port,) = struct.unpack("!H", _exactly(stream, 2))
        shown = " ".join(f"{byte:02x}" for byte in address)
        self.log += f"atyp {kind} => {shown}\n".encode()
        status = self.response or 0
        target = None
        if status == 0:
            try:
                target = self._connect(port)
            except OSError:
                status = 5
        stream.sendall(bytes([5, status, 0, 1, 0, 0, 0, 0, 0, 0]))
        return target


def _exactly(stream, count):
    data = b""
    while len(data) < count:
        more = stream.recv(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def _string(stream):
    """Bytes up to a zero."""
    text = b""
    while (byte := _exactly(stream, 1)) != b"\0":
        text += byte
    return text


def _relay(left, right):
    other = {left: right, right: left}
    while True:
        for stream in select.select([left, right], [], [])[0]:
            data = stream.recv(65536)
            if not data:
                return
            other[stream].sendall(data)
