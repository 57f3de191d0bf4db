# SPDX-License-Identifier: MIT
"""nginx: plain, over TLS, and with certificates that are wrong."""

from .host import REALM, free_ports, need

CONFIGURATION = """
{user}
daemon off;
worker_processes 1;
pid nginx.pid;
error_log error.log;
events {{ worker_connections 256; }}
http {{
  access_log off;
  types {{ text/plain txt; text/html html; application/json json; }}
  default_type application/octet-stream;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  client_max_body_size 64m;
  ssl_certificate_key leaf.key;
  map $http_x_token $token {{ default "none"; "~." "$http_x_token"; }}
  server {{
    listen 127.0.0.1:{plain};
    listen 127.0.0.1:{tls} ssl;
    ssl_certificate leaf.pem;
    root files;
    location / {{ }}
    location /gzip-static/ {{ alias {root}/files/gzip-static/; gzip_static always; }}
    location /gzip/ {{ alias {root}/files/; gzip on; gzip_min_length 1; gzip_types *; }}
    location /chunked/ {{ alias {root}/files/; ssi on; ssi_types *; }}
    location /limited/ {{ alias {root}/files/; keepalive_requests 3; }}
    location /closing/ {{ alias {root}/files/; keepalive_timeout 0; }}
    location /slowly/ {{ alias {root}/files/; limit_rate 200k; }}
    location /large-head {{ {large_head} return 200 "large head"; }}
    location /empty {{ return 204; }}
    location /silent {{ return 444; }}
    location /moved {{ return 301 /text.txt; }}
    location /found {{ return 302 /text.txt; }}
    location /echo {{ return 200 "$request_method $request_uri $token"; }}
    location /open/ {{ {echo} }}
    location /fresh/ {{ add_header Cache-Control "max-age=60"; {echo} }}
    location /varying/ {{ add_header Cache-Control "max-age=60"; add_header Vary "X-Flavour"; {echo} }}
    location /unstored/ {{ add_header Cache-Control "no-store"; {echo} }}
    location /stale/ {{ add_header Cache-Control "max-age=0, stale-while-revalidate=60"; {echo} }}
    location /validated/ {{ alias {root}/files/; add_header Cache-Control "no-cache"; }}
    location /basic/ {{ auth_basic "{realm}"; auth_basic_user_file users; {echo} }}
    location /private {{ auth_basic "conformance"; auth_basic_user_file users; alias {root}/files/text.txt; }}
    location /stored/ {{ alias {root}/stored/; dav_methods PUT DELETE; create_full_put_path on; }}
  }}
  {variants}
}}
"""

VARIANT = """
  server {{ listen 127.0.0.1:{port} ssl; ssl_certificate {certificate}; ssl_protocols {protocols}; root files; {more} }}
"""

# What it tells in /who is the subject of the client's certificate, and whether its session was resumed.
CLIENTS = """
    ssl_verify_client on; ssl_client_certificate authority.pem; ssl_session_cache builtin:1000;
    location /who { return 200 "$ssl_client_s_dn $ssl_session_reused"; }
"""


def start(host):
    nginx = need("nginx")
    variants = {
        "EXPIRED": ("expired.pem", "TLSv1.2 TLSv1.3"), "WRONG_HOST": ("wrong-host.pem", "TLSv1.2 TLSv1.3"),
        "SELF_SIGNED": ("self-signed.pem", "TLSv1.2 TLSv1.3"), "TLS12": ("leaf.pem", "TLSv1.2"),
        "TLS13": ("leaf.pem", "TLSv1.3"), "CLIENTS_TLS12": ("leaf.pem", "TLSv1.2"),
        "CLIENTS_TLS13": ("leaf.pem", "TLSv1.3"),
    }
    plain, tls, *others = free_ports(2 + len(variants))
    blocks = []
    for (name, (certificate, protocols)), port in zip(variants.items(), others):
        blocks.append(VARIANT.format(port=port, certificate=certificate, protocols=protocols,
                                     more=CLIENTS if name.startswith("CLIENTS") else ""))
        host.variables[f"BLUEBONNET_NGINX_{name}"] = f"https://localhost:{port}"
    large_head = " ".join(f'add_header X-Large-{number} "{chr(97 + number) * 3500}";' for number in range(8))
    host.write("nginx.conf", CONFIGURATION.format(
        user="user root;" if host.is_root else "", root=host.folder, plain=plain, tls=tls, realm=REALM,
        echo=f"proxy_pass http://127.0.0.1:{host.echo}; proxy_http_version 1.1;",
        large_head=large_head, variants="".join(blocks)))
    host.spawn("nginx", plain, nginx, "-p", f"{host.folder}/", "-c", "nginx.conf", "-e", "error.log")
    host.variables["BLUEBONNET_NGINX"] = f"http://127.0.0.1:{plain}"
    host.variables["BLUEBONNET_NGINX_TLS"] = f"https://localhost:{tls}"
