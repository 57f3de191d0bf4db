# SPDX-License-Identifier: MIT
"""A server of the `websockets` package's own, by the path that is asked for.

    websockets_server.py PORT TLS_PORT SMALL_PORT UNCOMPRESSED_PORT CERTIFICATE KEY

SMALL_PORT compresses with windows of 512 bytes and forgets each message; UNCOMPRESSED_PORT does not compress.

    /echo               says what it hears
    /fragments          says each message in fragments of 1,000 bytes or characters
    /close/CODE         closes with the code and the reason "because"
    /ping               pings, and says what the pong took to come
    /repeat/N           says "message NUMBER" N times, and closes
    /large/N            says N bytes, and closes when it is answered
    /flood              says 4,096 bytes until it is not taken any more for half a second; then it says how many went out
    /drop               drops the connection without a Close
"""

import asyncio
import ssl
import sys

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory


async def flood(socket):
    sent = 0
    try:
        while sent < 64 << 20:
            await asyncio.wait_for(socket.send(b"x" * 4096), 0.5)
            sent += 4096
    except asyncio.TimeoutError:
        pass
    await socket.send(f"{sent}")


def choose(socket, offered):
    return "second" if "second" in offered else None


async def serve_path(socket):
    name, *values = socket.request.path.strip("/").split("?")[0].split("/")
    try:
        if name == "echo":
            async for message in socket:
                await socket.send(message)
        elif name == "fragments":
            async for message in socket:
                await socket.send([message[at:at + 1000] for at in range(0, len(message), 1000)])
        elif name == "close":
            await socket.close(int(values[0]), "because")
        elif name == "ping":
            await socket.send(f"{await (await socket.ping(b'payload'))}")
        elif name == "repeat":
            for number in range(int(values[0])):
                await socket.send(f"message {number}")
        elif name == "large":
            await socket.send(bytes(index % 251 for index in range(int(values[0]))))
            await socket.recv()
        elif name == "flood":
            await flood(socket)
        elif name == "drop":
            await socket.recv()
            socket.transport.abort()
        else:
            await socket.close(1008, "no such path")
    except ConnectionClosed:
        pass


async def main():
    plain, tls, small, uncompressed = map(int, sys.argv[1:5])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[5], sys.argv[6])
    tight = ServerPerMessageDeflateFactory(
        server_no_context_takeover=True, client_no_context_takeover=True, server_max_window_bits=9, client_max_window_bits=9)
    shared = {"max_size": 64 << 20, "select_subprotocol": choose, "ping_interval": None}
    servers = [
        await serve(serve_path, "127.0.0.1", plain, **shared),
        await serve(serve_path, "127.0.0.1", tls, ssl=context, **shared),
        await serve(serve_path, "127.0.0.1", small, compression=None, extensions=[tight], **shared),
        await serve(serve_path, "127.0.0.1", uncompressed, compression=None, **shared),
    ]
    await asyncio.gather(*(server.serve_forever() for server in servers))


asyncio.run(main())
