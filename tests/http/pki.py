"""Certificates for tests of TLS, made by openssl: an authority, one between, and servers of it."""

import atexit
import functools
import pathlib
import shutil
import ssl
import subprocess
import tempfile

ROOT, BETWEEN = "/CN=test root", "/CN=test between"
CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256")


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, timeout=60)


@functools.cache
def folder():
    """Where the authorities are, for this run."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="iuvod-pki-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    openssl("req", "-x509", *CURVE, "-nodes", "-keyout", path / "root.key", "-out", path / "root.pem", "-days", 9, "-subj", ROOT)
    issue(path / "between", BETWEEN, path / "root", "basicConstraints=critical,CA:TRUE", days=9)
    return path


def issue(stem, subject, issuer, *extensions, days=1, key=CURVE):
    """STEM.key and STEM.pem, signed by ISSUER.key."""
    wanted, added = stem.with_suffix(".csr"), stem.with_suffix(".ext")
    added.write_text("\n".join(extensions) + "\n")
    openssl("req", "-new", *key, "-nodes", "-keyout", stem.with_suffix(".key"), "-out", wanted, "-subj", subject)
    openssl("x509", "-req", "-in", wanted, "-CA", issuer.with_suffix(".pem"), "-CAkey", issuer.with_suffix(".key"), "-CAcreateserial",
            "-days", days, "-extfile", added, "-out", stem.with_suffix(".pem"))
    stem.with_suffix(".key").chmod(0o600)


class Server:
    """What a server shows: `chain` and `key` are files."""

    def __init__(self, where, name="server", days=1, key=CURVE):
        self.stem = pathlib.Path(where) / name
        issue(self.stem, f"/CN={name}", folder() / "between", "subjectAltName=DNS:localhost,IP:127.0.0.1", days=days, key=key)
        self.key, self.chain = self.stem.with_suffix(".key"), self.stem.with_suffix(".chain")
        self.chain.write_text(self.stem.with_suffix(".pem").read_text() + (folder() / "between.pem").read_text())

    def options(self):
        return "--tls-certificate", str(self.chain), "--tls-key", str(self.key)


@functools.cache
def server():
    return Server(folder())


def root():
    return folder() / "root.pem"


def context():
    """Of a client that trusts the authority."""
    made = ssl.create_default_context(cafile=str(root()))
    made.set_alpn_protocols(["http/1.1"])
    return made
