# SPDX-License-Identifier: MIT
"""lighttpd: Basic, and Digest with SHA-256 (RFC 7616), before the origin that tells what reached it."""

from .host import REALM, Missing, free_ports, need, need_folder

CONFIGURATION = """
server.modules = ("mod_auth", "mod_authn_file", "mod_proxy", "mod_openssl")
server.document-root = "{folder}/files"
server.port = {plain}
server.bind = "127.0.0.1"
server.errorlog = "{folder}/lighttpd/lighttpd.log"
# The tests are about HTTP/1.1.
server.feature-flags = ("server.h2proto" => "disable")
server.upload-dirs = ("{folder}/lighttpd")
ssl.pemfile = "{folder}/leaf-and-key.pem"
{user}
$SERVER["socket"] == "127.0.0.1:{tls}" {{ ssl.engine = "enable" }}
proxy.server = ("" => (("host" => "127.0.0.1", "port" => {echo})))
$HTTP["url"] =~ "^/basic/" {{
  auth.backend = "plain"
  auth.backend.plain.userfile = "{folder}/lighttpd/users"
  auth.require = ("" => ("method" => "basic", "realm" => "{realm}", "require" => "valid-user"))
}}
auth.backend.htdigest.userfile = "{folder}/all-digests"
{digests}
"""

DIGEST = """
$HTTP["url"] =~ "^/{path}/" {{
  auth.backend = "htdigest"
  auth.require = ("" => ("method" => "digest", "algorithm" => "{algorithm}", "realm" => "{realm}",
                         "require" => "valid-user"))
}}
"""


def start(host):
    program = need("lighttpd")
    modules = need_folder("lighttpd's modules", "/usr/lib/lighttpd", "/usr/lib64/lighttpd")
    if not (modules / "mod_openssl.so").exists():
        raise Missing("its mod_openssl is not installed")
    _, user = host.private_folder("lighttpd", "www-data", "lighttpd")
    host.write("lighttpd/users", (host.folder / "users").read_text().replace("{PLAIN}", ""))
    plain, tls = free_ports(2)
    digests = {"digest": "MD5", "digest-sha256": "SHA-256", "digest-both": "SHA-256|MD5"}
    configuration = host.write("lighttpd/lighttpd.conf", CONFIGURATION.format(
        folder=host.folder, plain=plain, tls=tls, echo=host.echo, realm=REALM,
        user=f'server.username = "{user[0]}"\nserver.groupname = "{user[1]}"' if user else "",
        digests="".join(DIGEST.format(path=path, algorithm=name, realm=REALM) for path, name in digests.items())))
    host.spawn("lighttpd", plain, program, "-D", "-f", configuration, "-m", str(modules))
    host.variables["BLUEBONNET_LIGHTTPD"] = f"http://127.0.0.1:{plain}"
    host.variables["BLUEBONNET_LIGHTTPD_TLS"] = f"https://localhost:{tls}"
