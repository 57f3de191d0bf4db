#!/usr/bin/env python3
"""What `openssl verify` says about each case of x509-limbo.json, as a witness for ours.

    Fixtures/x509/verdicts.py            writes verdicts.json
    Fixtures/x509/verdicts.py --check    fails if the system's OpenSSL says otherwise than that file

Each case is asked about as anchors are evaluated here: one's own with -partial_chain, since whatever is stated is an anchor, as
with curl, and strictly with -x509_strict besides; the system's with -x509_strict alone.
"""
import argparse
import datetime
import ipaddress
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
WAYS = {"own": ["-partial_chain"], "ownStrict": ["-partial_chain", "-x509_strict"], "system": ["-x509_strict"]}


def verdict(case, options):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        def file(name, texts):
            (folder / name).write_text("\n".join(texts))
            return str(folder / name)

        command = ["openssl", "verify", "-purpose", "sslserver", "-CAfile", file("anchors", case["trusted_certs"]),
                   "-no-CApath", "-no-CAstore"] + options
        if case["untrusted_intermediates"]:
            command += ["-untrusted", file("others", case["untrusted_intermediates"])]
        if case["crls"]:
            command += ["-crl_check", "-CRLfile", file("lists", case["crls"])]
        if case["validation_time"]:
            time = datetime.datetime.fromisoformat(case["validation_time"].replace("Z", "+00:00"))
            command += ["-attime", str(int(time.timestamp()))]
        name = (case["expected_peer_name"] or {}).get("value")
        if name:
            try:
                ipaddress.ip_address(name)
                command += ["-verify_ip", name]
            except ValueError:
                command += ["-verify_hostname", name]
        command.append(file("leaf", [case["peer_certificate"]]))
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    cases = json.loads((HERE / "x509-limbo.json").read_text())["testcases"]
    found = {case["id"]: {way: verdict(case, options) for way, options in WAYS.items()} for case in cases}
    path = HERE / "verdicts.json"
    if not arguments.check:
        path.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
        return 0
    known = json.loads(path.read_text())
    faults = [id for id in sorted(found | known) if found.get(id) != known.get(id)]
    for id in faults:
        print(f"FAIL: {id}: openssl verify says {found.get(id)}, verdicts.json {known.get(id)}")
    expected = {case["id"]: case["expected_result"] == "SUCCESS" for case in cases}
    for id in sorted(found):
        others = [way for way in WAYS if found[id][way] != expected[id]]
        if others:
            print(f"{id}: the suite {'believes' if expected[id] else 'refuses'} it, openssl verify says otherwise ({', '.join(others)})")
    print(f"{len(found)} cases, {len(faults)} with another verdict than was written down")
    return 1 if faults else 0


sys.exit(main())
