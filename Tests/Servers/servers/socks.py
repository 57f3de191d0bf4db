# SPDX-License-Identifier: MIT
"""SOCKS servers: microsocks (version 5, with and without a password), Dante (4 and 5), and Twisted's (4 and 4a)."""

import pathlib

from .host import PASSWORD, USER, free_ports, need

PROGRAM = pathlib.Path(__file__).parent.parent / "socks4_server.py"

DANTE = """
logoutput: {folder}/dante/dante.log
internal: 127.0.0.1 port = {port}
external: 127.0.0.1
clientmethod: none
socksmethod: none
{user}
client pass {{ from: 127.0.0.0/8 to: 0.0.0.0/0 }}
socks pass {{
  from: 127.0.0.0/8 to: 0.0.0.0/0
  protocol: tcp
  log: error
}}
"""


def start_microsocks(host):
    microsocks = need("microsocks")
    plain, password = free_ports(2)
    host.spawn("microsocks", plain, microsocks, "-i", "127.0.0.1", "-p", str(plain))
    host.spawn("microsocks-password", password, microsocks, "-i", "127.0.0.1", "-p", str(password),
               "-u", USER, "-P", PASSWORD)
    host.variables["BLUEBONNET_MICROSOCKS"] = f"socks5://127.0.0.1:{plain}"
    host.variables["BLUEBONNET_MICROSOCKS_PASSWORD"] = f"socks5://127.0.0.1:{password}"


def start_dante(host):
    dante = need("danted")
    folder, user = host.private_folder("dante", "nobody")
    port, = free_ports(1)
    configuration = host.write("dante/dante.conf", DANTE.format(
        folder=host.folder, port=port,
        user=f"user.privileged: root\nuser.unprivileged: {user[0]}" if user else ""))
    host.spawn("dante", port, dante, "-f", configuration, "-p", str(folder / "dante.pid"),
               environment={"TMPDIR": str(folder)})
    host.variables["BLUEBONNET_DANTE"] = f"socks5://127.0.0.1:{port}"


def start_twisted(host):
    host.need_module("twisted")
    port, password = free_ports(2)
    host.spawn("socks4", port, host.python, str(PROGRAM), str(port), str(password), USER)
    host.variables["BLUEBONNET_SOCKS4"] = f"socks4a://127.0.0.1:{port}"
    host.variables["BLUEBONNET_SOCKS4_USER"] = f"socks4a://127.0.0.1:{password}"
