"""An authority, and certificates that it signed."""

from .host import need


def start(host):
    def openssl(*words):
        host.run(need("openssl"), *words)

    def sign(name, hosts, start=None, end=None):
        host.write("index.txt", "")
        host.write("index.txt.attr", "unique_subject = no\n")
        host.write("ca.conf", (
            f"[ca]\ndefault_ca=here\n[here]\ndatabase=index.txt\nnew_certs_dir=.\nrand_serial=yes\n"
            f"default_md=sha256\npolicy=any\nx509_extensions=leaf\n[any]\ncommonName=supplied\n"
            f"[leaf]\nsubjectAltName={hosts}\nbasicConstraints=CA:FALSE\n"))
        span = ["-startdate", start, "-enddate", end] if start else ["-days", "2"]
        openssl("ca", "-batch", "-config", "ca.conf", "-cert", "authority.pem", "-keyfile", "authority.key",
                "-in", "leaf.csr", "-out", name, "-notext", *span)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl("req", "-x509", *key, "-subj", "/CN=Conformance authority", "-days", "2",
            "-keyout", "authority.key", "-out", "authority.pem")
    openssl("req", *key, "-subj", "/CN=conformance", "-keyout", "leaf.key", "-out", "leaf.csr")
    sign("leaf.pem", "DNS:localhost,IP:127.0.0.1")
    sign("wrong-host.pem", "DNS:elsewhere.example")
    sign("expired.pem", "DNS:localhost,IP:127.0.0.1", "20200101000000Z", "20200201000000Z")
    openssl("req", "-x509", "-key", "leaf.key", "-subj", "/CN=localhost", "-days", "2",
            "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", "self-signed.pem")
    # Some servers want both in one file, some read it after they have dropped root. It is nobody's secret.
    both = (host.folder / "leaf.pem").read_text() + (host.folder / "leaf.key").read_text()
    host.write("leaf-and-key.pem", both)
    (host.folder / "leaf.key").chmod(0o644)
    host.variables["BLUEBONNET_AUTHORITY"] = str(host.folder / "authority.pem")
