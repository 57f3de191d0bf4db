# SPDX-License-Identifier: MIT
"""An authority, and certificates that it signed."""

from .host import need


def start(host):
    def openssl(*words):
        host.run(need("openssl"), *words)

    def sign(name, hosts, start=None, end=None, request="leaf.csr"):
        host.write("index.txt", "")
        host.write("index.txt.attr", "unique_subject = no\n")
        host.write("ca.conf", (
            f"[ca]\ndefault_ca=here\n[here]\ndatabase=index.txt\nnew_certs_dir=.\nrand_serial=yes\n"
            f"default_md=sha256\npolicy=any\nx509_extensions=leaf\n[any]\ncommonName=supplied\n"
            f"[leaf]\nsubjectAltName={hosts}\nbasicConstraints=CA:FALSE\n"))
        span = ["-startdate", start, "-enddate", end] if start else ["-days", "2"]
        openssl("ca", "-batch", "-config", "ca.conf", "-cert", "authority.pem", "-keyfile", "authority.key",
                "-in", request, "-out", name, "-notext", *span)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl("req", "-x509", *key, "-subj", "/CN=Conformance authority", "-days", "2",
            "-keyout", "authority.key", "-out", "authority.pem")
    openssl("req", *key, "-subj", "/CN=conformance", "-keyout", "leaf.key", "-out", "leaf.csr")
    sign("leaf.pem", "DNS:localhost,IP:127.0.0.1")
    sign("wrong-host.pem", "DNS:elsewhere.example")
    sign("expired.pem", "DNS:localhost,IP:127.0.0.1", "20200101000000Z", "20200201000000Z")
    openssl("req", "-x509", "-key", "leaf.key", "-subj", "/CN=localhost", "-days", "2",
            "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", "self-signed.pem")
    # Clients, in all the ways that a certificate and a key are written.
    openssl("req", *key, "-subj", "/CN=bonnie", "-keyout", "client.key", "-out", "client.csr")
    sign("client.pem", "DNS:bonnie.example", request="client.csr")
    openssl("pkey", "-in", "client.key", "-aes256", "-passout", "pass:blue", "-out", "client-encrypted.key")
    openssl("pkey", "-in", "client.key", "-outform", "DER", "-out", "client.key.der")
    openssl("x509", "-in", "client.pem", "-outform", "DER", "-out", "client.der")
    openssl("pkcs12", "-export", "-in", "client.pem", "-inkey", "client.key", "-passout", "pass:blue", "-out", "client.p12")
    openssl("req", "-x509", *key, "-subj", "/CN=stranger", "-days", "2", "-keyout", "stranger.key", "-out", "stranger.pem")
    openssl("pkey", "-in", "leaf.key", "-pubout", "-out", "leaf.pub")
    openssl("pkey", "-in", "client.key", "-pubout", "-out", "client.pub")
    for name in ("hashed", "plain", "empty"):
        (host.folder / name).mkdir()
        if name != "empty":
            (host.folder / name / "authority.pem").write_text((host.folder / "authority.pem").read_text())
    openssl("rehash", "hashed")
    for name in ("client", "stranger"):
        host.write(f"{name}-and-key.pem",
                   (host.folder / f"{name}.pem").read_text() + (host.folder / f"{name}.key").read_text())
    # Some servers want both in one file, some read it after they have dropped root. It is nobody's secret.
    both = (host.folder / "leaf.pem").read_text() + (host.folder / "leaf.key").read_text()
    host.write("leaf-and-key.pem", both)
    (host.folder / "leaf.key").chmod(0o644)
    host.variables["BLUEBONNET_CERTIFICATES"] = str(host.folder)
    host.variables["BLUEBONNET_AUTHORITY"] = str(host.folder / "authority.pem")
