# SPDX-License-Identifier: MIT
"""stunnel before proxies that speak no TLS themselves: tinyproxy, and squid that asks for Basic."""

from urllib.parse import urlsplit

from .host import free_ports, need

CONFIGURATION = """
foreground = yes
pid =
syslog = no
debug = warning
"""

SERVICE = """
[{name}]
accept = 127.0.0.1:{port}
connect = 127.0.0.1:{behind}
cert = {folder}/leaf-and-key.pem
"""


def start(host):
    program = need("stunnel4")
    behind = {"": "TINYPROXY", "_PASSWORD": "SQUID_BASIC"}
    ports, services = free_ports(len(behind)), []
    for port, (name, proxy) in zip(ports, behind.items()):
        services.append(SERVICE.format(name=f"proxy{name}", port=port, folder=host.folder,
                                       behind=urlsplit(host.variables[f"BLUEBONNET_{proxy}"]).port))
        host.variables[f"BLUEBONNET_STUNNEL{name}"] = f"https://localhost:{port}"
    configuration = host.write("stunnel.conf", CONFIGURATION + "".join(services))
    host.spawn("stunnel", ports[-1], program, configuration)
