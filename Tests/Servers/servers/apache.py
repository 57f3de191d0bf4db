# SPDX-License-Identifier: MIT
"""Apache httpd: plain and over TLS; Basic, Digest whose nonces live for two seconds, and Negotiate with Kerberos."""

from .host import REALM, Missing, free_ports, need, need_folder

CONFIGURATION = """
ServerRoot {folder}
DefaultRuntimeDir {folder}/apache
ServerName localhost
Listen 127.0.0.1:{plain}
Listen 127.0.0.1:{tls}
PidFile {folder}/apache/pid
ErrorLog {folder}/apache/apache.log
Mutex pthread
DocumentRoot {folder}/files
{modules}
{user}
StartServers 1
KeepAlive On
KeepAliveTimeout 30
MaxKeepAliveRequests 0
<Directory {folder}/files>
  Require all granted
</Directory>
Alias /validated/ {folder}/files/
<Location /validated/>
  Header set Cache-Control no-cache
</Location>
<VirtualHost 127.0.0.1:{tls}>
  SSLEngine on
  SSLCertificateFile {folder}/leaf.pem
  SSLCertificateKeyFile {folder}/leaf.key
  SSLCACertificateFile {folder}/authority.pem
  # For this only, and so behind the handshake: by renegotiation, or as TLS 1.3 has it.
  Alias /proving/ {folder}/files/
  <Location /proving/>
    SSLVerifyClient require
    SSLVerifyDepth 1
  </Location>
</VirtualHost>
<Location /open/>
  Require all granted
  ProxyPass {echo}
</Location>
<Location /basic/>
  AuthType Basic
  AuthName {realm}
  AuthBasicProvider file
  AuthUserFile {folder}/apache/users
  Require valid-user
  ProxyPass {echo}
</Location>
<Location /digest/>
  AuthType Digest
  AuthName {realm}
  AuthDigestProvider file
  AuthUserFile {folder}/digests
  AuthDigestQop auth
  AuthDigestNonceLifetime 2
  Require valid-user
  ProxyPass {echo}
</Location>
# To another origin, but only for those who may come in.
<Location /leaving/>
  AuthType Digest
  AuthName {realm}
  AuthDigestProvider file
  AuthUserFile {folder}/digests
  Require valid-user
  RewriteEngine On
  RewriteRule ^ {echo}arrived [R=307,L]
</Location>
<Location /leaving-basic/>
  AuthType Basic
  AuthName {realm}
  AuthBasicProvider file
  AuthUserFile {folder}/apache/users
  Require valid-user
  RewriteEngine On
  RewriteRule ^ {echo}arrived [R=307,L]
</Location>
<Location /negotiate/>
  AuthType GSSAPI
  AuthName {realm}
  GssapiCredStore keytab:{keytab}
  GssapiAllowedMech krb5
  Require valid-user
  ProxyPass {echo}
</Location>
"""

MODULES = ["mpm_event", "unixd", "alias", "headers", "authn_core", "authn_file", "authz_core", "authz_user",
           "auth_basic", "auth_digest", "auth_gssapi", "proxy", "proxy_http", "rewrite", "ssl"]


def start(host):
    apache = need("apache2")
    modules = need_folder("its modules", "/usr/lib/apache2/modules", "/usr/lib64/httpd/modules")
    if not (modules / "mod_auth_gssapi.so").exists():
        raise Missing("its mod_auth_gssapi is not installed")
    if not hasattr(host, "keytab"):
        raise Missing("there is no Kerberos realm")
    _, user = host.private_folder("apache", "www-data", "apache")
    host.write_hashed("apache/users")
    plain, tls = free_ports(2)
    configuration = host.write("apache/apache.conf", CONFIGURATION.format(
        folder=host.folder, plain=plain, tls=tls, realm=REALM, keytab=host.keytab,
        user=f"User {user[0]}\nGroup {user[1]}" if user else "", echo=f"http://127.0.0.1:{host.echo}/",
        # Debian builds one of them in.
        modules="\n".join(f"LoadModule {name}_module {modules}/mod_{name}.so" for name in MODULES
                          if (modules / f"mod_{name}.so").exists())))
    host.spawn("apache", plain, apache, "-D", "FOREGROUND", "-f", configuration)
    host.variables["BLUEBONNET_APACHE"] = f"http://127.0.0.1:{plain}"
    host.variables["BLUEBONNET_APACHE_TLS"] = f"https://localhost:{tls}"
