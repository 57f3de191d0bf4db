# SPDX-License-Identifier: MIT
"""squid: a port for each way to ask for credentials, plain and over TLS."""

from .host import REALM, Missing, free_ports, need, need_folder

# The port, by name, and the schemes it asks for; none is open to everybody.
PORTS = {"": "", "_BASIC": "basic", "_DIGEST": "digest", "_NEGOTIATE": "negotiate", "_ALL": "negotiate,digest,basic"}

CONFIGURATION = """
{ports}
{user}
pid_filename none
cache_log {folder}/squid/squid.log
access_log none
cache_store_log none
coredump_dir {folder}/squid
cache deny all
cache_mem 8 MB
memory_pools off
max_filedescriptors 1024
shutdown_lifetime 0 seconds
pinger_enable off
icp_port 0
visible_hostname localhost
dns_nameservers 127.0.0.1
dns_timeout 1 second
dns_retransmit_interval 200 milliseconds
netdb_filename none

auth_param basic program {helpers}/basic_ncsa_auth {folder}/squid/basic
auth_param basic children 1
auth_param basic realm {realm}
auth_param digest program {helpers}/digest_file_auth -c {folder}/digests
auth_param digest children 1
auth_param digest realm {realm}
# Soon it asks for a new one, as stale.
auth_param digest nonce_max_count 5
auth_param negotiate program {helpers}/negotiate_kerberos_auth -k {keytab} -s GSS_C_NO_NAME -t none
auth_param negotiate children 1
auth_param negotiate keep_alive on

acl known proxy_auth REQUIRED
{schemes}
http_access allow open
http_access allow known
http_access deny all
"""


def start(host):
    squid = need("squid")
    helpers = need_folder("squid's helpers", "/usr/lib/squid", "/usr/lib64/squid")
    if not hasattr(host, "keytab"):
        raise Missing("there is no Kerberos realm")
    _, user = host.private_folder("squid", "proxy", "squid")
    host.write_hashed("squid/basic")
    ports, schemes, numbers = [], [], free_ports(2 * len(PORTS))
    for index, (name, words) in enumerate(PORTS.items()):
        plain, tls = numbers[2 * index:2 * index + 2]
        label = words.replace(",", "-") or "open"
        ports.append(f"http_port 127.0.0.1:{plain} name={label}")
        ports.append(f"https_port 127.0.0.1:{tls} name={label}-tls tls-cert={host.folder}/leaf.pem "
                     f"tls-key={host.folder}/leaf.key")
        schemes.append(f"acl {label} myportname {label} {label}-tls")
        if words:
            # It asks for these, but takes all that it knows; the last word has it ask again instead of forbidding.
            schemes.append(f"auth_schemes {words} {label}\nacl {label}-words req_header Proxy-Authorization "
                           f"-i ^({words.replace(',', '|')})\nhttp_access deny {label} !{label}-words known")
        host.variables[f"BLUEBONNET_SQUID{name}"] = f"http://127.0.0.1:{plain}"
        host.variables[f"BLUEBONNET_SQUID_TLS{name}"] = f"https://localhost:{tls}"
    configuration = host.write("squid/squid.conf", CONFIGURATION.format(
        ports="\n".join(ports), user=f"cache_effective_user {user[0]}\ncache_effective_group {user[1]}" if user else "",
        folder=host.folder, helpers=helpers, realm=REALM, keytab=host.keytab, schemes="\n".join(schemes)))
    host.spawn("squid", numbers[-2], squid, "-N", "-f", configuration)
