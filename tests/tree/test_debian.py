"""The Debian package: that its pages agree with the program; in the long form it is built, installed into a clean root, served from and purged."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import urllib.request

import pytest

SOURCE = pathlib.Path(os.environ["IUVOD_SOURCE"])
DEBIAN = SOURCE / "packaging" / "debian"
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
LONG = pytest.mark.skipif(not os.environ.get("IUVOD_LONG"), reason="long")


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)


def done(*command, **more):
    result = run(*command, **more)
    assert result.returncode == 0, f"{command}: {result.stdout[-3000:]}{result.stderr[-3000:]}"
    return result.stdout


def test_the_version_is_that_of_the_program():
    version = re.match(r"iuvod \((.*?)\)", (DEBIAN / "changelog").read_text())[1]
    assert done(os.environ["IUVOD"], "--version") == f"iuvod {version}\n"


def test_it_is_built_with_what_the_tools_install():
    rows = [line.split() for line in (SOURCE / "tools" / "packages").read_text().splitlines() if line and not line.startswith("#")]
    libraries = {package for use, package in rows if use == "build" and package.startswith("lib")}
    asked = re.search(r"^Build-Depends: (.*)$", (DEBIAN / "control").read_text(), re.MULTILINE)[1]
    assert libraries and libraries <= set(re.split(r", ", asked))


def test_its_defaults_are_variables_of_the_program(tmp_path):
    """Each of them is taken: with a value that is wrong it is named, or it is read as it is."""
    shown = re.findall(r"^#(IUVOD_\w+)=\S+$", (DEBIAN / "iuvod.default").read_text(), re.MULTILINE)
    options = {"IUVOD_" + name.upper().replace("-", "_") for name in re.findall(r"^  --([a-z-]+)", done(os.environ["IUVOD"], "serve", "--help"), re.MULTILINE)}
    assert shown and set(shown) <= options


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    return pathlib.Path(done(SOURCE / "tools" / "package", folder, env=environment).strip())


def mirror():
    """Where this machine has Debian's packages from."""
    sites = done("apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", "Codename: bookworm", "Component: main", "Label: Debian")
    return sites.split()[0]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    assert os.geteuid() == 0 and shutil.which("debootstrap"), "the long form needs root and debootstrap"
    folder = tmp_path_factory.mktemp("debian") / "root"
    folder.parent.chmod(0o755)
    done("debootstrap", "--variant=minbase", "bookworm", folder, mirror())
    yield folder
    shutil.rmtree(folder)


@LONG
def test_what_is_in_it(package):
    listed = done("dpkg-deb", "-c", package)
    for name in ("usr/bin/iuvod", "usr/share/man/man1/iuvod.1.gz", "usr/share/man/man7/iuvod.7.gz", "usr/share/iuvod/openapi.json", "usr/share/doc/iuvod/copyright",
                 "usr/share/bash-completion/completions/iuvod", "etc/default/iuvod", "lib/systemd/system/iuvod.service"):
        assert f" ./{name}\n" in listed, listed


def serve(root):
    """What the unit starts, as a user who owns nothing but the folder of the data, on a free port."""
    unit = (root / "lib/systemd/system/iuvod.service").read_text()
    command = shlex.split(re.search(r"^ExecStart=(.*)$", unit, re.MULTILINE)[1])
    (root / "var/lib/iuvod").mkdir(mode=0o700, exist_ok=True)
    os.chown(root / "var/lib/iuvod", 65534, 65534)
    return subprocess.Popen(["chroot", "--userspec=65534:65534", root, *command], env={"IUVOD_LISTEN": "127.0.0.1:0", "PATH": PATH},
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


@LONG
def test_it_installs_serves_and_purges(package, root):
    environment = {"PATH": PATH, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
    before = {path for path in root.rglob("*iuvod*")}
    shutil.copy(package, root / "package.deb")
    done("chroot", root, "apt-get", "install", "-y", "-qq", "--no-install-recommends", "/package.deb", env=environment)
    (root / "package.deb").unlink()
    process = serve(root)
    try:
        url = re.fullmatch(r"listening on (http://\S+)\n", process.stdout.readline())[1]
        with urllib.request.urlopen(url + "/readyz", timeout=30) as answer:
            assert answer.status == 200
    finally:
        process.terminate()
        assert process.wait(timeout=60) == 0
        process.stdout.close()
    assert (root / "var/lib/iuvod/iuvod.sqlite").exists()
    done("chroot", root, "dpkg", "--remove", "iuvod", env=environment)
    assert (root / "var/lib/iuvod/iuvod.sqlite").exists() and (root / "etc/default/iuvod").exists()
    done("chroot", root, "dpkg", "--purge", "iuvod", env=environment)
    left = {str(path.relative_to(root)) for path in set(root.rglob("*iuvod*")) - before}
    assert not left, left
