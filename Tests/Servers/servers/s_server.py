# SPDX-License-Identifier: MIT
"""`openssl s_server`: HTTP/1.0 over TLS."""

from .host import free_ports, need


def start(host):
    port, *others = free_ports(3)
    host.spawn("s_server", port, need("openssl"), "s_server", "-accept", f"127.0.0.1:{port}", "-quiet",
               "-cert", "leaf.pem", "-key", "leaf.key", "-WWW")
    host.variables["BLUEBONNET_S_SERVER"] = f"https://localhost:{port}"
    # These refuse whoever does not prove himself, and say so.
    for version, port in zip(("1_2", "1_3"), others):
        name = f"TLS{version.replace('_', '')}"
        host.spawn(f"s_server-{name}", port, need("openssl"), "s_server", "-accept", f"127.0.0.1:{port}", "-quiet",
                   f"-tls{version}", "-cert", "leaf.pem", "-key", "leaf.key", "-WWW", "-CAfile", "authority.pem",
                   "-Verify", "2", "-verify_return_error")
        host.variables[f"BLUEBONNET_S_SERVER_CLIENTS_{name}"] = f"https://localhost:{port}"
