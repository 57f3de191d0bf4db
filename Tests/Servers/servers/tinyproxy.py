# SPDX-License-Identifier: MIT
"""tinyproxy, which speaks HTTP/1.0 and closes after each response; with and without Basic."""

from .host import PASSWORD, USER, free_ports, need

CONFIGURATION = """
Listen 127.0.0.1
Port {port}
Timeout 600
MaxClients 200
LogLevel Warning
Allow 127.0.0.1
{user}
{more}
"""


def start(host):
    program = need("tinyproxy")
    folder, user = host.private_folder("tinyproxy", "tinyproxy", "nobody")
    ports = free_ports(2)
    for name, port, more in zip(["tinyproxy", "tinyproxy-password"], ports,
                                ["", f"BasicAuth {USER} {PASSWORD}"]):
        configuration = host.write(f"tinyproxy/{name}.conf", CONFIGURATION.format(
            port=port, user=f"User {user[0]}\nGroup {user[1]}" if user else "", more=more))
        host.spawn(name, port, program, "-d", "-c", configuration)
    host.variables["BLUEBONNET_TINYPROXY"] = f"http://127.0.0.1:{ports[0]}"
    host.variables["BLUEBONNET_TINYPROXY_PASSWORD"] = f"http://127.0.0.1:{ports[1]}"
