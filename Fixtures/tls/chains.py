#!/usr/bin/env python3
"""Makes chains.json anew: about a hundred chains, each with the verdict of a strict client. Needs the openssl command (3.0 or later), nothing else.

Certificates are valid from 2020 to 2120 unless a case is about that. `openssl ca` is used because `openssl x509` takes no start date before 3.4.
"""

import base64
import json
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
START, END = "20200101000000Z", "21200101000000Z"
CONFIG = """[ca]
default_ca = authority
[authority]
database = {0}/index.txt
new_certs_dir = {0}
rand_serial = yes
default_md = sha256
policy = policy
unique_subject = no
[policy]
commonName = optional
"""
AUTHORITY = ["basicConstraints = critical,CA:TRUE", "keyUsage = critical,keyCertSign,cRLSign", "subjectKeyIdentifier = hash"]
LEAF = ["basicConstraints = critical,CA:FALSE", "keyUsage = critical,digitalSignature", "extendedKeyUsage = serverAuth",
        "subjectKeyIdentifier = hash"]
HOST = "www.good.test"
NAME = "subjectAltName = DNS:" + HOST


class Maker:
    def __init__(self, work):
        self.work, self.keys, self.certificates, self.cases, self.count = work, {}, {}, [], 0
        (work / "index.txt").write_text("")
        (work / "ca.cnf").write_text(CONFIG.format(work))

    def run(self, *command, text=None):
        done = subprocess.run(["openssl", *map(str, command)], input=text, capture_output=True, cwd=self.work)
        if done.returncode:
            raise SystemExit(f"openssl {' '.join(map(str, command))}: {done.stderr.decode()}")
        return done.stdout

    def key(self, kind, number=0):
        path = self.work / f"{kind}-{number}.key"
        if not path.exists():
            options = {"p256": ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"], "p384": ["EC", "-pkeyopt", "ec_paramgen_curve:P-384"],
                       "rsa1024": ["RSA", "-pkeyopt", "rsa_keygen_bits:1024"], "rsa2048": ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
                       "ed25519": ["ED25519"]}[kind]
            self.run("genpkey", "-algorithm", *options, "-out", path)
        return path

    def make(self, subject, extensions, issuer=None, key=None, start=START, end=END, digest="sha256"):
        """A certificate: (its file, its key, its name in the table). Without an issuer it signs itself."""
        self.count += 1
        key = key or self.key("p256", 0 if issuer and "CA:TRUE" not in " ".join(extensions) else self.count)
        base = self.work / f"c{self.count}"
        self.run("req", "-new", "-key", key, "-subj", f"/CN={subject}" if subject else "/", "-out", f"{base}.csr")
        lines = list(extensions)
        if issuer and not any(line.startswith("authorityKeyIdentifier") for line in lines):
            lines.append("authorityKeyIdentifier = keyid")
        pathlib.Path(f"{base}.ext").write_text("\n".join(lines) + "\n")
        signer = ["-cert", issuer[0], "-keyfile", issuer[1]] if issuer else ["-selfsign", "-keyfile", key]
        self.run("ca", "-batch", "-notext", "-config", self.work / "ca.cnf", "-extfile", f"{base}.ext", "-startdate", start, "-enddate", end,
                 "-md", digest, "-in", f"{base}.csr", "-out", f"{base}.pem", *signer)
        return self.named(pathlib.Path(f"{base}.pem"), key)

    def named(self, path, key):
        name = f"{len(self.certificates) + 1:03}"
        self.certificates[name] = path.read_text()
        return path, key, name

    def damaged(self, certificate):
        """The same with one bit of its signature wrong."""
        der = bytearray(self.run("x509", "-in", certificate[0], "-outform", "DER"))
        der[-1] ^= 1
        self.count += 1
        path = self.work / f"c{self.count}.pem"
        text = base64.encodebytes(bytes(der)).decode().replace("\n", "")
        lines = [text[at:at + 64] for at in range(0, len(text), 64)]
        path.write_text("\n".join(["-----BEGIN CERTIFICATE-----", *lines, "-----END CERTIFICATE-----", ""]))
        return self.named(path, certificate[1])

    def revocations(self, issuer, *revoked, end=END):
        """A revocation list of an authority's."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.work))
        (folder / "index.txt").write_text("")
        (folder / "ca.cnf").write_text(CONFIG.format(folder))
        common = ["ca", "-config", folder / "ca.cnf", "-cert", issuer[0], "-keyfile", issuer[1]]
        for one in revoked:
            self.run(*common, "-revoke", one[0], "-crl_reason", "keyCompromise")
        return self.run(*common, "-gencrl", "-crl_lastupdate", START, "-crl_nextupdate", end).decode()

    def case(self, name, about, chain, refused=None, host=HOST, anchors=None, lists=(), curl=None):
        self.cases.append({
            "name": name, "about": about, "host": host, "anchors": [one[2] for one in anchors or [ROOT]],
            "chain": [one[2] for one in chain], "key": chain[0][1].read_text(), "lists": list(lists),
            "refused": refused, **({"curl": curl} if curl else {})})


def der(tag, content):
    size = bytes([len(content)]) if len(content) < 128 else bytes([0x81, len(content)]) if len(content) < 256 else \
        bytes([0x82, len(content) >> 8, len(content) & 255])
    return bytes([tag]) + size + content


def names(*raw):
    """subjectAltName of raw dNSNames, whatever they hold."""
    return "2.5.29.17 = DER:" + der(0x30, b"".join(der(0x82, name) for name in raw)).hex(":")


with tempfile.TemporaryDirectory() as folder:
    m = Maker(pathlib.Path(folder))
    ROOT = m.make("Good Root", AUTHORITY)
    MIDDLE = m.make("Good Intermediate", [AUTHORITY[0] + ",pathlen:0", *AUTHORITY[1:]], ROOT)

    def leaf(*more, base=LEAF, issuer=None, subject="server", **options):
        return m.make(subject, [*base, *(more or [NAME])], issuer or MIDDLE, **options)

    GOOD = leaf()
    # What is good.
    m.case("good", "leaf, intermediate, anchor", [GOOD, MIDDLE])
    direct = leaf(issuer=ROOT)
    m.case("good-direct", "signed by the anchor itself", [direct])
    m.case("good-root-sent", "an anchor that is sent along changes nothing (RFC 8446 §4.4.2)", [GOOD, MIDDLE, ROOT])
    m.case("good-leaf-twice", "a certificate too many is not used", [GOOD, GOOD, MIDDLE])
    other_root = m.make("Other Root", AUTHORITY)
    m.case("good-unrelated-sent", "unrelated certificates are not used", [GOOD, other_root, MIDDLE])
    second = m.make("Second Intermediate", AUTHORITY, ROOT)
    third = m.make("Third Intermediate", AUTHORITY, second)
    deep = leaf(issuer=third)
    m.case("good-two-intermediates", "a path of four", [deep, third, second])
    m.case("good-reversed", "intermediates in any order (RFC 8446 §4.4.2)", [deep, second, third])
    m.case("good-two-anchors", "one anchor of several is enough", [GOOD, MIDDLE], anchors=[other_root, ROOT])
    for kind in ["rsa2048", "p384", "ed25519"]:
        m.case(f"good-{kind}", "a key of another kind", [leaf(key=m.key(kind)), MIDDLE])
    m.case("good-no-eku", "without the extension any use is allowed (RFC 5280 §4.2.1.12)", [leaf(NAME, base=[LEAF[0], LEAF[1], LEAF[3]]), MIDDLE])
    m.case("good-any-eku", "anyExtendedKeyUsage", [leaf(NAME, "extendedKeyUsage = anyExtendedKeyUsage,serverAuth", base=[LEAF[0], LEAF[1], LEAF[3]]), MIDDLE])
    m.case("good-unknown-extension", "what is not critical may be unknown (RFC 5280 §4.2)", [leaf(NAME, "1.2.3.4.5 = DER:0500"), MIDDLE])
    m.case("good-empty-subject", "the name is in subjectAltName (RFC 5280 §4.1.2.6)", [leaf("subjectAltName = critical,DNS:" + HOST, subject=""), MIDDLE])
    m.case("good-anchor-sha1", "nobody checks an anchor's own signature", [
        leaf(issuer=(sha1_root := m.make("SHA-1 Root", AUTHORITY, digest="sha1")))], anchors=[sha1_root])
    m.case("good-1000-names", "a thousand names", [leaf("subjectAltName = " + ",".join([f"DNS:n{n}.good.test" for n in range(999)] + ["DNS:" + HOST])), MIDDLE])

    # Dates (RFC 5280 §4.1.2.5).
    m.case("expired", "ended in 2021", [leaf(end="20210101000000Z"), MIDDLE], "expired")
    m.case("not-yet-valid", "begins in 2110", [leaf(start="21100101000000Z"), MIDDLE], "notYetValid")
    old = m.make("Old Intermediate", AUTHORITY, ROOT, end="20210101000000Z")
    m.case("intermediate-expired", "every certificate of the path counts", [leaf(issuer=old), old], "expired")
    young = m.make("Young Intermediate", AUTHORITY, ROOT, start="21100101000000Z")
    m.case("intermediate-not-yet-valid", "every certificate of the path counts", [leaf(issuer=young), young], "notYetValid")
    old_root = m.make("Old Root", AUTHORITY, end="20210101000000Z")
    m.case("anchor-expired", "OpenSSL looks at the anchor's dates, too", [leaf(issuer=old_root)], "expired", anchors=[old_root])

    # Names (RFC 9525, RFC 6125).
    m.case("wrong-host", "for another host", [leaf("subjectAltName = DNS:www.bad.test"), MIDDLE], "wrongHost")
    m.case("parent-host", "a name is not its children's", [leaf("subjectAltName = DNS:good.test"), MIDDLE], "wrongHost")
    m.case("child-host", "nor its parent's", [leaf("subjectAltName = DNS:a.www.good.test"), MIDDLE], "wrongHost")
    m.case("suffix-host", "whole labels only", [leaf("subjectAltName = DNS:ww.good.test"), MIDDLE], "wrongHost")
    m.case("upper-case", "case does not count (RFC 9525 §6.3)", [leaf("subjectAltName = DNS:WWW.Good.TEST"), MIDDLE])
    m.case("several-names", "one of several names", [leaf("subjectAltName = DNS:a.test,DNS:" + HOST), MIDDLE])
    m.case("name-with-dot", "an absolute name in the certificate is no reference form", [leaf("subjectAltName = DNS:" + HOST + "."), MIDDLE], "wrongHost",
           curl="accepted: curl takes the dot away; RFC 9525 §6.3 compares labels, and RFC 5280 §4.2.1.6 has names without a dot at the end")
    star = leaf("subjectAltName = DNS:*.good.test")
    m.case("wildcard", "one label (RFC 9525 §6.3)", [star, MIDDLE])
    m.case("wildcard-two-labels", "not two", [star, MIDDLE], "wrongHost", host="a.www.good.test")
    m.case("wildcard-no-label", "not none", [star, MIDDLE], "wrongHost", host="good.test")
    m.case("wildcard-part", "not a part of one (RFC 9525 §6.3); RFC 6125 let clients choose, and so OpenSSL has to be told", [leaf("subjectAltName = DNS:w*.good.test"), MIDDLE], "wrongHost")
    m.case("wildcard-inside", "only the first label", [leaf("subjectAltName = DNS:www.*.test"), MIDDLE], "wrongHost")
    m.case("wildcard-alone", "not everything", [leaf("subjectAltName = DNS:*"), MIDDLE], "wrongHost", host="localhost")
    m.case("wildcard-top", "not a whole top-level domain; OpenSSL wants two labels behind it", [leaf("subjectAltName = DNS:*.test"), MIDDLE], "wrongHost", host="good.test")
    m.case("wildcard-twice", "one only", [leaf("subjectAltName = DNS:*.*.good.test"), MIDDLE], "wrongHost", host="a.www.good.test")
    m.case("wildcard-address", "not for addresses", [leaf("subjectAltName = DNS:*.0.0.1"), MIDDLE], "wrongHost", host="127.0.0.1")
    m.case("a-label", "an internationalised name in its ASCII form", [leaf("subjectAltName = DNS:xn--bcher-kva.test"), MIDDLE], host="xn--bcher-kva.test")
    m.case("u-label-utf8", "a dNSName is ASCII (RFC 5280 §7.2)", [leaf(names("bücher.test".encode())), MIDDLE], "wrongHost", host="xn--bcher-kva.test")
    m.case("underscore", "hosts with underscores exist", [leaf("subjectAltName = DNS:a_b.good.test"), MIDDLE], host="a_b.good.test")
    m.case("nul-in-name", "a NUL does not end a name", [leaf(names(HOST.encode() + b"\0.bad.test")), MIDDLE], "wrongHost")
    m.case("nul-at-end", "not at its end either", [leaf(names(HOST.encode() + b"\0")), MIDDLE], "wrongHost")
    m.case("space-in-name", "a name with a space", [leaf(names(b" " + HOST.encode())), MIDDLE], "wrongHost")
    m.case("empty-name", "an empty dNSName", [leaf(names(b"")), MIDDLE], "wrongHost")
    m.case("email-only", "an address of somebody is no host", [leaf("subjectAltName = email:a@" + HOST), MIDDLE], "wrongHost")
    m.case("uri-only", "nor is an URI", [leaf("subjectAltName = URI:https://" + HOST + "/"), MIDDLE], "wrongHost")
    stricter = "accepted: curl takes the common name where there is no dNSName; RFC 9525 §6.3 has no common names any more"
    m.case("cn-only", "the common name is no name of a host (RFC 9525 §6.3)", [leaf(LEAF[0], base=LEAF[1:], subject=HOST), MIDDLE], "wrongHost", curl=stricter)
    m.case("cn-wildcard", "nor is one with a wildcard", [leaf(LEAF[0], base=LEAF[1:], subject="*.good.test"), MIDDLE], "wrongHost", curl=stricter)
    m.case("cn-and-email", "nor beside other alternative names", [leaf("subjectAltName = email:a@good.test", subject=HOST), MIDDLE], "wrongHost", curl=stricter)
    m.case("cn-and-address", "nor beside an address", [leaf("subjectAltName = IP:127.0.0.9", subject=HOST), MIDDLE], "wrongHost")
    m.case("cn-and-other-name", "nor beside another dNSName", [leaf("subjectAltName = DNS:www.bad.test", subject=HOST), MIDDLE], "wrongHost")
    m.case("cn-address", "nor is it an address", [leaf(LEAF[0], base=LEAF[1:], subject="127.0.0.1"), MIDDLE], "wrongHost", host="127.0.0.1", curl=stricter)
    m.case("ipv4", "an iPAddress (RFC 9525 §6.4)", [leaf("subjectAltName = IP:127.0.0.1"), MIDDLE], host="127.0.0.1")
    m.case("ipv4-other", "another one", [leaf("subjectAltName = IP:127.0.0.2"), MIDDLE], "wrongHost", host="127.0.0.1")
    m.case("ipv4-as-name", "a dNSName is no address", [leaf("subjectAltName = DNS:127.0.0.1"), MIDDLE], "wrongHost", host="127.0.0.1")
    m.case("ipv6", "an iPAddress of sixteen bytes", [leaf("subjectAltName = IP:2001:db8::1"), MIDDLE], host="2001:db8::1")
    m.case("ipv6-other", "another one", [leaf("subjectAltName = IP:2001:db8::2"), MIDDLE], "wrongHost", host="2001:db8::1")
    m.case("ipv4-mapped", "an IPv4 address is not its mapped form", [leaf("subjectAltName = IP:::ffff:127.0.0.1"), MIDDLE], "wrongHost", host="127.0.0.1")
    m.case("address-for-name", "an address is no name", [leaf("subjectAltName = IP:127.0.0.1"), MIDDLE], "wrongHost")

    # Whose word counts (RFC 5280 §6.1).
    m.case("missing-intermediate", "nobody fetches what was not sent", [GOOD], "unknownIssuer")
    m.case("other-anchor", "signed by an authority that is not trusted", [GOOD, MIDDLE], "unknownIssuer", anchors=[other_root])
    m.case("other-anchor-root-sent", "sending the root along makes it no anchor", [GOOD, MIDDLE, ROOT], "unknownIssuer", anchors=[other_root])
    alone = m.make("server", [*LEAF, NAME])
    m.case("self-signed", "by nobody", [alone], "selfSigned")
    m.case("self-signed-anchored", "a certificate that is itself an anchor", [alone], anchors=[alone])
    m.case("self-signed-anchored-wrong-host", "an anchor is not for every host", [alone], "wrongHost", anchors=[alone], host="www.bad.test")
    m.case("intermediate-anchor", "an anchor need not sign itself; curl has done so since 7.68", [GOOD, MIDDLE], anchors=[MIDDLE])
    m.case("leaf-anchor", "a leaf may be an anchor", [GOOD, MIDDLE], anchors=[GOOD])
    twin = m.make("Good Intermediate", AUTHORITY, ROOT)
    m.case("same-name-other-key", "an authority of the same name with another key", [GOOD, twin], "unknownIssuer")
    m.case("bad-signature", "one bit of the leaf's signature is wrong", [m.damaged(GOOD), MIDDLE], "badSignature")
    m.case("intermediate-bad-signature", "one bit of the intermediate's signature is wrong", [GOOD, m.damaged(MIDDLE)], "badSignature")
    crossed = m.make("Second Intermediate", AUTHORITY, other_root, key=second[1])
    cross_leaf = leaf(issuer=second)
    m.case("cross-signed", "one of two ways up is enough", [cross_leaf, second, crossed])
    m.case("cross-signed-other-anchor", "the other way", [cross_leaf, crossed, second], anchors=[other_root])
    m.case("cross-signed-dead-end", "OpenSSL takes the first way up of those that were sent, and does not turn round; RFC 4158 would let it",
           [cross_leaf, crossed, second], "unknownIssuer")
    late = m.make("Second Intermediate", AUTHORITY, other_root, key=second[1], end="20210101000000Z")
    m.case("cross-signed-one-expired", "the way that has expired is not the one to take", [cross_leaf, second, late])
    m.case("cross-signed-expired-first", "though it was sent first", [cross_leaf, late, second], anchors=[ROOT, other_root])
    loop_a = m.make("Loop A", AUTHORITY)
    loop_b = m.make("Loop B", AUTHORITY, loop_a)
    loop_a2 = m.make("Loop A", AUTHORITY, loop_b, key=loop_a[1])
    m.case("loop", "two authorities that vouch for each other", [leaf(issuer=loop_b), loop_b, loop_a2], "unknownIssuer")

    # What a certificate may do (RFC 5280 §4.2.1).
    plain = m.make("No Authority", [*LEAF, NAME], ROOT, key=m.key("p256", 901))
    m.case("intermediate-leaf", "who is no authority signs nothing (§4.2.1.9)", [leaf(issuer=plain), plain], "invalidAuthority")
    no_constraints = m.make("No Constraints", AUTHORITY[1:], ROOT, key=m.key("p256", 902))
    m.case("intermediate-no-constraints", "nor who does not say so", [leaf(issuer=no_constraints), no_constraints], "invalidAuthority")
    no_signing = m.make("No Signing", [AUTHORITY[0], "keyUsage = critical,digitalSignature", AUTHORITY[2]], ROOT)
    m.case("intermediate-no-certsign", "nor whose key may not (§4.2.1.3)", [leaf(issuer=no_signing), no_signing], "invalidAuthority")
    below = m.make("Below", AUTHORITY, MIDDLE)
    m.case("path-length", "a path too long for a pathLenConstraint of 0", [leaf(issuer=below), below, MIDDLE], "invalidAuthority")
    one = m.make("One Below", [AUTHORITY[0] + ",pathlen:1", *AUTHORITY[1:]], ROOT)
    under = m.make("Under One", AUTHORITY, one)
    m.case("path-length-exact", "just as long as it may be", [leaf(issuer=under), under, one])
    short_root = m.make("Short Root", [AUTHORITY[0] + ",pathlen:0", *AUTHORITY[1:]])
    under_short = m.make("Under Short", AUTHORITY, short_root)
    m.case("path-length-of-anchor", "an anchor's constraint counts, too", [leaf(issuer=under_short), under_short], "invalidAuthority", anchors=[short_root])
    for name, use, about in [("client", "clientAuth", "for clients"), ("code", "codeSigning", "for code"), ("ocsp", "OCSPSigning", "for OCSP")]:
        m.case(f"eku-{name}", f"{about}, not for servers (§4.2.1.12)", [
            leaf(NAME, f"extendedKeyUsage = {use}", base=[LEAF[0], LEAF[1], LEAF[3]]), MIDDLE], "invalidPurpose")
    narrow = m.make("Clients Only", [*AUTHORITY, "extendedKeyUsage = clientAuth"], ROOT)
    m.case("intermediate-eku", "an authority for clients' certificates only", [leaf(issuer=narrow), narrow], "invalidPurpose")
    m.case("leaf-certsign", "a key for signing certificates only does not serve (§4.2.1.3)", [
        leaf(NAME, "keyUsage = critical,keyCertSign", base=[LEAF[0], LEAF[2], LEAF[3]]), MIDDLE], "invalidPurpose")
    for where in ["leaf", "intermediate"]:
        strange = m.make("Strange", [*AUTHORITY, "1.2.3.4.5 = critical,DER:0500"], ROOT)
        m.case(f"critical-unknown-{where}", "what is critical must be understood (RFC 5280 §4.2)",
               [leaf(issuer=strange), strange] if where == "intermediate" else [leaf(NAME, "1.2.3.4.5 = critical,DER:0500"), MIDDLE], "malformed")

    # Name constraints (RFC 5280 §4.2.1.10).
    def constrained(name, constraint, host, refused, about, alternative=None):
        authority = m.make("Constrained " + name, [*AUTHORITY, "nameConstraints = critical," + constraint], ROOT)
        m.case(f"constraint-{name}", about, [leaf("subjectAltName = " + (alternative or "DNS:" + host), issuer=authority), authority], refused, host=host)
    constrained("permitted", "permitted;DNS:good.test", HOST, None, "within what is permitted")
    constrained("permitted-itself", "permitted;DNS:www.good.test", HOST, None, "a name is within itself")
    constrained("not-permitted", "permitted;DNS:good.test", "www.bad.test", "nameNotPermitted", "outside of what is permitted")
    constrained("suffix", "permitted;DNS:good.test", "verygood.test", "nameNotPermitted", "whole labels count")
    constrained("excluded", "excluded;DNS:good.test", HOST, "nameNotPermitted", "within what is excluded")
    constrained("not-excluded", "excluded;DNS:bad.test", HOST, None, "outside of what is excluded")
    constrained("excluded-wildcard", "excluded;DNS:good.test", HOST, "nameNotPermitted", "a wildcard within what is excluded", "DNS:*.good.test")
    constrained("second-name", "permitted;DNS:good.test", HOST, "nameNotPermitted", "every name counts, also one that nobody asks for", "DNS:www.good.test,DNS:www.bad.test")
    constrained("address", "permitted;IP:127.0.0.0/255.0.0.0", "127.0.0.1", None, "an address within a permitted network", "IP:127.0.0.1")
    constrained("address-outside", "permitted;IP:10.0.0.0/255.0.0.0", "127.0.0.1", "nameNotPermitted", "an address outside of it", "IP:127.0.0.1")
    constrained("other-type", "permitted;email:good.test", HOST, None, "constraints of mail addresses concern no hosts")

    # Strength (OpenSSL's security level 2: 112 bits).
    # There is no ECDSA with MD5.
    rsa_middle = m.make("RSA Intermediate", AUTHORITY, ROOT, key=m.key("rsa2048", 1))
    m.case("md5", "MD5 can be forged", [leaf(issuer=rsa_middle, digest="md5"), rsa_middle], "weak")
    m.case("sha1", "SHA-1 can be forged", [leaf(digest="sha1"), MIDDLE], "weak")
    weak_middle = m.make("SHA-1 Intermediate", AUTHORITY, ROOT, digest="sha1")
    m.case("intermediate-sha1", "in the middle as well", [leaf(issuer=weak_middle), weak_middle], "weak")
    m.case("rsa1024", "a short key", [leaf(key=m.key("rsa1024")), MIDDLE], "weak")
    short_middle = m.make("Short Intermediate", AUTHORITY, ROOT, key=m.key("rsa1024", 1))
    m.case("intermediate-rsa1024", "in the middle as well", [leaf(issuer=short_middle), short_middle], "weak")
    short_anchor = m.make("Short Anchor", AUTHORITY, key=m.key("rsa1024", 2))
    m.case("anchor-rsa1024", "at the top as well", [leaf(issuer=short_anchor)], "weak", anchors=[short_anchor])

    # Depth.
    for depth, refused in [(20, None), (100, "tooLong"), (101, "tooLong")]:
        path, above = [], ROOT
        for level in range(depth):
            above = m.make(f"Level {depth} {level}", AUTHORITY, above)
            path.insert(0, above)
        m.case(f"depth-{depth}", f"{depth} intermediates; OpenSSL's limit is 100 certificates" if refused else f"{depth} intermediates",
               [leaf(issuer=above), *path], refused if depth > 100 else None)

    # Revocation lists (RFC 5280 §6.3).
    clean, clean_root = m.revocations(MIDDLE), m.revocations(ROOT)
    m.case("list-clean", "on no list", [GOOD, MIDDLE], lists=[clean, clean_root])
    m.case("list-revoked", "the leaf is revoked", [GOOD, MIDDLE], "revoked", lists=[m.revocations(MIDDLE, GOOD), clean_root])
    m.case("list-intermediate-revoked", "the intermediate is revoked", [GOOD, MIDDLE], "revoked", lists=[clean, m.revocations(ROOT, MIDDLE)])
    m.case("list-other-revoked", "somebody else is revoked", [GOOD, MIDDLE], lists=[m.revocations(MIDDLE, star), clean_root])
    m.case("list-expired", "a list that has ended says nothing, and one is required", [GOOD, MIDDLE], "listExpired",
           lists=[m.revocations(MIDDLE, end="20210101000000Z"), clean_root])
    m.case("list-missing", "one is required for each", [GOOD, MIDDLE], "listMissing", lists=[clean_root])

    table = {"certificates": m.certificates, "cases": m.cases}
    (HERE / "chains.json").write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n")
    print(len(m.cases), "cases,", len(m.certificates), "certificates")
