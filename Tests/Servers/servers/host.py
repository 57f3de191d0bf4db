# SPDX-License-Identifier: MIT
"""What every server stands on: a folder, ports of loopback, processes that end, and what the command is told of them."""

import grp
import os
import pathlib
import pwd
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time

USER, PASSWORD = "bonnie", "blue"
REALM = "conformance"
# Basic and Digest have words for these only in UTF-8 (RFC 7616 §4, RFC 7617 §2.1).
USERS = {USER: PASSWORD, "glöckchen": "blaü€"}


class Missing(Exception):
    """What a server needs is not installed."""


def need(program):
    found = shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin")
    if not found:
        raise Missing(f"{program} is not installed")
    return found


def need_folder(name, *candidates):
    for path in map(pathlib.Path, candidates):
        if path.is_dir():
            return path
    raise Missing(f"{name} is not where it is looked for")


def free_ports(count):
    """Ports that nobody listens on, and that the kernel gives to no client in the meantime (ip(7), ip_local_port_range)."""
    try:
        first = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    except OSError:
        first = 32768
    below = range(10000, first) if first > 12000 else range(61000, 65536)
    holders = []
    for port in random.SystemRandom().sample(below, len(below)):
        holder = socket.socket()
        try:
            holder.bind(("127.0.0.1", port))
        except OSError:
            holder.close()
            continue
        holders.append(holder)
        if len(holders) == count:
            break
    ports = [holder.getsockname()[1] for holder in holders]
    for holder in holders:
        holder.close()
    return ports


class Host:
    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="bluebonnet-servers-"))
        # Servers that drop root have to reach their files.
        self.folder.chmod(0o755)
        self.processes = []
        # What the command is told, and what the servers have in their own environment.
        self.variables = {}
        self.environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        self.python = os.environ.get("BLUEBONNET_PYTHON", sys.executable)
        self.is_root = os.geteuid() == 0

    def need_module(self, *names):
        probe = subprocess.run([self.python, "-c", f"import {', '.join(names)}"], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if probe.returncode:
            raise Missing(f"{self.python} has no {' and '.join(names)}")

    def stop(self):
        for process in self.processes:
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def write(self, name, text, mode=0o644):
        """A file in the folder; as a string, because it goes into words and configurations."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return str(path)

    def write_hashed(self, name):
        """Who may come in, as Apache's htpasswd writes it."""
        openssl = need("openssl")
        return self.write(name, "".join(
            f"{user}:{self.run(openssl, 'passwd', '-apr1', password)}" for user, password in USERS.items()))

    def private_folder(self, name, *users):
        """A folder that belongs to the first of these users that there is, as whom the server then runs; as root only."""
        path = self.folder / name
        path.mkdir(exist_ok=True)
        if not self.is_root:
            return path, None
        for user in users:
            try:
                entry = pwd.getpwnam(user)
            except KeyError:
                continue
            os.chown(path, entry.pw_uid, entry.pw_gid)
            return path, (user, grp.getgrgid(entry.pw_gid).gr_name)
        raise Missing(f"there is no user {' or '.join(users)}")

    def run(self, *words, **more):
        """A command that has to succeed."""
        done = subprocess.run(words, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True,
                              **({"stdin": subprocess.DEVNULL} if "input" not in more else {}), **more)
        if done.returncode:
            raise SystemExit(f"{' '.join(words)} failed:\n{done.stdout}")
        return done.stdout

    def spawn(self, name, port, *words, environment=None, **more):
        """A server; returns when its port takes connections."""
        with open(self.folder / f"{name}.log", "wb") as log:
            process = subprocess.Popen(words, cwd=self.folder, env={**self.environment, **(environment or {})},
                                       stdin=subprocess.DEVNULL, stdout=log, stderr=log, **more)
        self.processes.append(process)
        for _ in range(1500):
            if process.poll() is not None:
                raise SystemExit(f"{name} did not start:\n{self.logs(name)}")
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise SystemExit(f"{name} does not answer:\n{self.logs(name)}")

    def logs(self, name):
        """The last lines of what a server has written, wherever it writes."""
        files = sorted(self.folder.glob(f"{name}*.log")) + sorted(self.folder.glob(f"{name}/*.log"))
        return "".join(f"{file.name}:\n{file.read_text(errors='replace')[-4000:]}" for file in files)
