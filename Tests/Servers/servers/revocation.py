# SPDX-License-Identifier: MIT
"""Certificates that are revoked or not, and who says so: `openssl ocsp`, lists over HTTP, staples of `openssl s_server`."""

import subprocess
import time

from .host import free_ports, need

CONFIGURATION = """
[ca]
default_ca = here
[here]
database = status.txt
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any
default_crl_days = 1
[any]
commonName = supplied
"""
# What their certificates have, which of them are revoked, and which staple.
SERVERS = {
    "STAPLED": (["stapled"], False),
    "STAPLED_REVOKED": (["stapled"], True),
    "PROMISED": (["promise", "stapled"], False),
    "BROKEN_PROMISE": (["promise"], False),
    "OCSP": (["responder"], False),
    "OCSP_REVOKED": (["responder"], True),
    "LISTED": (["list"], False),
    "LISTED_REVOKED": (["list"], True),
}


def start_responder(host, *words):
    """Its log says when it is ready; a connection that asks for nothing, as others are tried with, would stop it."""
    log = host.folder / "ocsp.log"
    with open(log, "wb") as output:
        process = subprocess.Popen(words, cwd=host.folder, env=host.environment, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=output)
    host.processes.append(process)
    for _ in range(1500):
        if process.poll() is not None:
            raise SystemExit(f"openssl ocsp did not start:\n{log.read_text()}")
        if "waiting for OCSP client connections" in log.read_text():
            return
        time.sleep(0.02)
    raise SystemExit(f"openssl ocsp does not get ready:\n{log.read_text()}")


def start(host):
    openssl = need("openssl")
    authority = ["-cert", "authority.pem", "-keyfile", "authority.key"]
    responder, lists, *ports = free_ports(2 + len(SERVERS))
    extensions = {
        "promise": "tlsfeature=status_request\n",
        "responder": f"authorityInfoAccess=OCSP;URI:http://127.0.0.1:{responder}/\n",
        "list": f"crlDistributionPoints=URI:http://127.0.0.1:{lists}/list.der\n",
    }
    host.write("status.conf", CONFIGURATION)
    host.write("status.txt", "")
    host.write("status.txt.attr", "unique_subject = no\n")
    for name, (parts, is_revoked) in SERVERS.items():
        host.write("status.ext", "subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n"
                   + "".join(extensions.get(part, "") for part in parts))
        host.run(openssl, "ca", "-batch", "-config", "status.conf", *authority, "-in", "leaf.csr", "-notext", "-days", "2",
                 "-extfile", "status.ext", "-out", f"status-{name}.pem")
        if is_revoked:
            host.run(openssl, "ca", "-config", "status.conf", *authority, "-revoke", f"status-{name}.pem",
                     "-crl_reason", "keyCompromise")
    host.run(openssl, "ca", "-config", "status.conf", *authority, "-gencrl", "-out", "list.pem")
    (host.folder / "lists").mkdir()
    host.run(openssl, "crl", "-in", "list.pem", "-outform", "DER", "-out", "lists/list.der")
    answers = ["-index", "status.txt", "-CA", "authority.pem", "-rsigner", "authority.pem", "-rkey", "authority.key",
               "-nmin", "60"]
    start_responder(host, openssl, "ocsp", *answers, "-ignore_err", "-port", str(responder))
    host.spawn("lists", lists, host.python, "-m", "http.server", "--bind", "127.0.0.1", "--directory", "lists", str(lists))
    # The issuer is sent along, because that is where curl looks for it.
    for (name, (parts, _)), port in zip(SERVERS.items(), ports):
        staple = []
        if "stapled" in parts:
            host.run(openssl, "ocsp", *answers, "-issuer", "authority.pem", "-cert", f"status-{name}.pem", "-noverify", "-no_nonce",
                     "-respout", f"status-{name}.der")
            staple = ["-status_file", f"status-{name}.der"]
        host.spawn(f"status-{name}", port, openssl, "s_server", "-accept", f"127.0.0.1:{port}", "-quiet", "-WWW",
                   "-cert", f"status-{name}.pem", "-key", "leaf.key", "-cert_chain", "authority.pem", *staple)
        host.variables[f"BLUEBONNET_STATUS_{name}"] = f"https://localhost:{port}"
    host.variables["BLUEBONNET_LIST"] = str(host.folder / "list.pem")
