"""`openssl s_server`: HTTP/1.0 over TLS."""

from .host import free_ports, need


def start(host):
    port, = free_ports(1)
    host.spawn("s_server", port, need("openssl"), "s_server", "-accept", f"127.0.0.1:{port}", "-quiet",
               "-cert", "leaf.pem", "-key", "leaf.key", "-WWW")
    host.variables["BLUEBONNET_S_SERVER"] = f"https://localhost:{port}"
