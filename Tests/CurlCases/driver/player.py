# SPDX-License-Identifier: MIT
"""Plays one case: its servers, its files, its command."""

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from . import features
from .case import Case
from .servers import Servers
from .verdict import Verdict

# What of this environment would change what the program does.
_PREFIXES = ("LC_", "CURL_", "SSL_CERT_", "BASH_FUNC_")
_NAMES = ("LANG", "LANGUAGE", "COLUMNS", "NETRC", "TZ", "XDG_CONFIG_HOME", "SSLKEYLOGFILE", "QLOGDIR")


def clean_environment():
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(_PREFIXES) and name not in _NAMES and not name.lower().endswith("_proxy")
    }


class Outcome:
    """`path`: the case's file. `state`: passed, failed, or skipped. `reasons`: why not passed."""

    def __init__(self, path, state, reasons, seconds):
        self.name = path.name.removeprefix("test")
        self.folder = path.parent
        self.state = state
        self.reasons = reasons
        self.seconds = seconds
        # What the case says it is about.
        self.subject = ""

    @property
    def title(self):
        """What is wrong, on one line."""
        return "; ".join(text.split("\n", 1)[0] for text in self.reasons)


class Player:
    def __init__(self, program, certificate, offered, limit):
        """`limit`: seconds for one case."""
        self.program = program
        self.certificate = certificate
        self.offered = offered
        self.limit = limit

    def play(self, path):
        """Whatever is wrong with a file is a failure of its case, and of no other."""
        began = time.monotonic()
        outcome = Outcome(path, "failed", [], 0)
        folder = None
        try:
            case = Case(path, self.offered)
            outcome.subject = (case.text("client", "name", {}) or b"").decode(errors="replace").strip()
            folder = Path(tempfile.mkdtemp(prefix=f"test{case.name}-"))
            outcome.state, outcome.reasons = self._play(case, folder)
        except Exception as error:  # pylint: disable=broad-except
            outcome.reasons = [f"the driver: {type(error).__name__}: {error}"]
        finally:
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)
        outcome.seconds = time.monotonic() - began
        return outcome

    def _play(self, case, folder):
        if absent := features.missing(case.words("client", "features"), self.offered):
            return "skipped", [f"needs {absent}"]
        if case.section("client", "tool") or not case.section("client", "command"):
            return "skipped", ["is for another program"]
        (folder / "log").mkdir()
        common = {
            b"TESTNUMBER": case.name.encode(),
            b"LOGDIR": b"log",
            b"SRCDIR/data": str(case.folder).encode(),
            b"SRCDIR": str(case.folder).encode(),
            b"PWD": str(folder).encode(),
            b"VERSION": b"7.88.1",
            b"CURL": shlex.quote(self.program).encode(),
            b"USER": os.environ.get("USER", "root").encode(),
        }
        with Servers(case, folder, self.certificate, common) as servers:
            values = servers.values
            environment = self._environment(case, values, folder)
            for section in case.numbered("client", "file"):
                path = folder / section.attribute("name", values)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(section.text(values))
            if refusal := self._check(case, "client", "precheck", values, environment, folder)[1]:
                return "skipped", [refusal.strip()]
            status = self._command(case, values, environment, folder)
        verdict = Verdict(case, values, folder)
        for server in (servers.origin, servers.proxy):
            if server and server.failure:
                verdict.reasons.append(f"the driver's server: {server.failure!r}")
        if status is None:
            verdict.reasons.append(f"no end within {self.limit:g} s")
        else:
            verdict.exit_status(status, (folder / "log" / f"stderr{case.name}").read_bytes())
        failed, _ = self._check(case, "verify", "postcheck", values, environment, folder)
        if failed:
            verdict.reasons.append("<postcheck> fails")
        verdict.requests("protocol", servers.origin.log)
        if servers.proxy:
            verdict.requests("proxy", servers.proxy.log)
        if servers.socks:
            verdict.exactly("socks", servers.socks.log)
        verdict.stream("stdout")
        verdict.stream("stderr")
        if self._has_output(case):
            verdict.output()
        verdict.files()
        verdict.reasons += [f"there is no {missing}" for missing in servers.replies.missing]
        return ("failed" if verdict.reasons else "passed"), verdict.reasons

    def _environment(self, case, values, folder):
        environment = clean_environment()
        # No settings of whoever runs this.
        environment |= {"HOME": str(folder), "CURL_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        for line in (case.text("client", "setenv", values) or b"").decode().split("\n"):
            name, has_value, value = line.partition("=")
            if not name or name.startswith("#"):
                continue
            if has_value:
                environment[name] = value
            else:
                environment.pop(name, None)
        return environment

    @staticmethod
    def _check(case, outer, name, values, environment, folder):
        """Whether a check of the case's own fails, and what it prints."""
        command = case.text(outer, name, values)
        if not command or not command.strip():
            return False, ""
        result = subprocess.run(
            ["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=20, check=False
        )
        return result.returncode != 0, result.stdout

    @staticmethod
    def _options(case):
        return (case.section("client", "command").attributes.get("option") or b"").decode().split(",")

    def _has_output(self, case):
        """Whether the driver says where the output goes: unless the case does, or looks at it on stdout."""
        options = self._options(case)
        if "no-output" in options:
            return False
        return "force-output" in options or case.section("verify", "stdout") is None

    def _command(self, case, values, environment, folder):
        """Runs the command; its exit status, None if it has not ended in time."""
        words = [shlex.quote(self.program)]
        if self._has_output(case):
            words.append(f"--output log/curl{case.name}.out")
        if "no-include" not in self._options(case):
            words.append("--include")
        words += case.text("client", "command", values).decode("utf-8", "surrogateescape").split("\n")
        stdin = case.text("client", "stdin", values)
        (folder / "stdin").write_bytes(stdin or b"")
        with (
            open(folder / "stdin", "rb") as source,
            open(folder / "log" / f"stdout{case.name}", "wb") as output,
            open(folder / "log" / f"stderr{case.name}", "wb") as errors,
        ):
            with subprocess.Popen(
                ["sh", "-c", " ".join(words)],
                cwd=folder,
                env=environment,
                stdin=source if stdin is not None else subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                start_new_session=True,
            ) as process:
                try:
                    return process.wait(self.limit)
                except subprocess.TimeoutExpired:
                    return None
                finally:
                    # Also what the program may have started.
                    try:
                        os.killpg(process.pid, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
