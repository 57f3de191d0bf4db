# SPDX-License-Identifier: MIT
"""An origin and a proxy that ask for NTLM, as pyspnego understands it."""

import pathlib

from .host import PASSWORD, USER, free_ports

PROGRAM = pathlib.Path(__file__).parent.parent / "ntlm_server.py"


def start(host):
    host.need_module("spnego")
    # Without a domain, and with one.
    users = host.write("ntlm-users", f":{USER}:{PASSWORD}\nPETALS:{USER}:{PASSWORD}\n")
    plain, tls, proxy = free_ports(3)
    host.spawn("ntlm", plain, host.python, str(PROGRAM), str(plain), str(tls), str(proxy), "leaf.pem", "leaf.key",
               environment={"NTLM_USER_FILE": users})
    host.variables["BLUEBONNET_NTLM"] = f"http://127.0.0.1:{plain}"
    host.variables["BLUEBONNET_NTLM_TLS"] = f"https://localhost:{tls}"
    host.variables["BLUEBONNET_NTLM_PROXY"] = f"http://127.0.0.1:{proxy}"
