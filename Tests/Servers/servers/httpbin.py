# SPDX-License-Identifier: MIT
"""httpbin under gunicorn."""

from .host import free_ports


def start(host):
    host.need_module("httpbin", "gunicorn")
    port, = free_ports(1)
    host.spawn("httpbin", port, host.python, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}", "--threads", "8",
               "--keep-alive", "30", "--worker-tmp-dir", str(host.folder), "httpbin:app")
    host.variables["BLUEBONNET_HTTPBIN"] = f"http://127.0.0.1:{port}"
