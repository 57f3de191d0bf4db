# SPDX-License-Identifier: MIT
"""A realm of Kerberos on loopback: a key distribution centre, a service, and a user who has his ticket already."""

import os

from .host import PASSWORD, USER, free_ports, need

NAME = "BLUEBONNET.TEST"

CLIENT = """
[libdefaults]
  default_realm = {realm}
  dns_lookup_realm = false
  dns_lookup_kdc = false
  # The names of services are those in the URLs, whatever loopback is called elsewhere.
  dns_canonicalize_hostname = false
  rdns = false
  udp_preference_limit = 1
[realms]
  {realm} = {{
    kdc = 127.0.0.1:{port}
  }}
[domain_realm]
  localhost = {realm}
"""

CENTRE = """
[kdcdefaults]
  kdc_listen = ""
  kdc_tcp_listen = 127.0.0.1:{port}
[realms]
  {realm} = {{
    database_name = {folder}/principals
    key_stash_file = {folder}/stash
    acl_file = {folder}/acl
    max_life = 10h
    supported_enctypes = aes256-cts-hmac-sha1-96:normal aes128-cts-hmac-sha1-96:normal
  }}
[logging]
  kdc = FILE:{folder}/centre.log
"""


def start(host):
    centre, create, administer, initialise = map(need, ["krb5kdc", "kdb5_util", "kadmin.local", "kinit"])
    folder = host.folder / "kerberos"
    folder.mkdir()
    port, = free_ports(1)
    words = {"realm": NAME, "port": port, "folder": folder}
    settings = host.write("kerberos/krb5.conf", CLIENT.format(**words))
    # Tickets that were seen stay in the folder, and a second use is refused. Servers of several users write there.
    replays = folder / "replays"
    replays.mkdir()
    replays.chmod(0o1777)
    host.environment.update({
        "KRB5_CONFIG": settings, "KRB5_KDC_PROFILE": host.write("kerberos/kdc.conf", CENTRE.format(**words)),
        "KRB5RCACHEDIR": str(replays), "KRB5CCNAME": f"FILE:{folder}/tickets",
    })
    host.run(create, "create", "-s", "-r", NAME, "-P", os.urandom(16).hex())
    # One command a line: each start of the program would take a while.
    keytab = folder / "service.keytab"
    host.run(administer, "-r", NAME, input="\n".join([
        f"addprinc -pw {PASSWORD} {USER}", "addprinc -randkey HTTP/localhost", "addprinc -randkey HTTP/127.0.0.1",
        f"ktadd -k {keytab} HTTP/localhost HTTP/127.0.0.1"]) + "\n")
    keytab.chmod(0o644)
    host.keytab = str(keytab)
    host.spawn("centre", port, centre, "-n", "-r", NAME, "-P", str(folder / "centre.pid"))
    host.run(initialise, USER, input=f"{PASSWORD}\n")
    for name in ["KRB5_CONFIG", "KRB5CCNAME"]:
        host.variables[name] = host.environment[name]
    host.variables["BLUEBONNET_REALM"] = NAME
