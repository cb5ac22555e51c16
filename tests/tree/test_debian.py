"""The Debian package: that its pages agree with the program; in the long form it is built, installed into a clean root, served from and purged."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import time
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


def outside_of_make():
    return {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "DEB_BUILD_OPTIONS")}


@pytest.mark.parametrize("options, levels", [("", ["-O2", "-O3"]), ("noopt", []), ("nocheck noopt", []), ("nostrip", ["-O2", "-O3"])])
def test_whoever_builds_it_without_optimization_gets_none(options, levels):
    told = done("make", "-n", "-f", DEBIAN / "rules", "override_dh_auto_build", env={**outside_of_make(), "DEB_BUILD_OPTIONS": options})
    assert re.findall(r"-O\S", told) == levels


@pytest.mark.parametrize("file", ["src/engine/libengine_a-search.o", "src/engine/libengine_a-kernel_popcnt.o", "src/http/libhttp_a-tls.o", "src/main.o"])
def test_the_last_word_on_optimization_is_the_users(file):
    """The compiler goes by the last; CFLAGS stands behind what the project would like."""
    build = pathlib.Path(os.environ["IUVOD_BUILD"])
    source = re.search(r"^srcdir = (.*)$", (build / "Makefile").read_text(), re.MULTILINE)[1] + "/" + re.sub(r"lib\w+_a-", "", file).replace(".o", ".c")
    told = done("make", "-C", build, "-n", "V=1", "-W", source, "OPTIMIZE=-O2", "ENGINE_OPTIMIZE=-O3", "CFLAGS=-g -O0", file, env=outside_of_make())
    levels = re.findall(r" (-O\w)(?= )", next(line for line in told.splitlines() if f"-o {file}" in line))
    assert "-O2" in levels and levels[-1] == "-O0"


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    return pathlib.Path(done(SOURCE / "tools" / "package", folder, env=outside_of_make()).strip())


def mirror():
    """Where this machine has Debian's packages from."""
    sites = done("apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", "Codename: bookworm", "Component: main", "Label: Debian")
    return sites.split()[0]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    assert os.geteuid() == 0 and shutil.which("debootstrap"), "the long form needs root and debootstrap"
    folder = tmp_path_factory.mktemp("debian") / "root"
    folder.parent.chmod(0o755)
    done("debootstrap", "--variant=minbase", "--include=systemd-sysv,dbus,curl", "bookworm", folder, mirror())
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


class Booted:
    """The clean root as a machine of its own, with systemd and without a network."""

    def __init__(self, root):
        self.nspawn = subprocess.Popen(["systemd-nspawn", "-q", "-b", "-D", root, "--register=no", "--keep-unit", "--private-network", "--console=pipe"],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, *command, **more):
        children = pathlib.Path(f"/proc/{self.nspawn.pid}/task/{self.nspawn.pid}/children").read_text().split()
        environment = {"PATH": PATH, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
        return run("nsenter", "-t", *children, "-m", "-u", "-i", "-n", "-p", *command, env=environment, **more)

    def done(self, *command):
        result = self.run(*command)
        assert result.returncode == 0, f"{command}: {result.stdout}{result.stderr}{self.run('journalctl', '-n', '50', '--no-pager').stdout}"
        return result.stdout

    def show(self, name):
        return self.done("systemctl", "show", "-p", name, "--value", "iuvod").strip()

    def get(self, path, *options):
        return self.done("curl", "-sS", "-f", "-m", "30", *options, f"http://127.0.0.1:8080{path}")

    def wait_for(self, what, seconds=90):
        until = time.monotonic() + seconds
        while not what():
            assert time.monotonic() < until and self.nspawn.poll() is None
            time.sleep(0.2)


@pytest.fixture
def booted(root):
    machine = Booted(root)
    try:
        machine.wait_for(lambda: machine.nspawn.poll() is not None or machine.run("systemctl", "is-system-running").stdout.strip() in ("running", "degraded"))
        yield machine
    finally:
        machine.nspawn.terminate()
        try:
            machine.nspawn.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            machine.nspawn.kill()
            machine.nspawn.communicate()


@LONG
def test_systemd_starts_it_watches_it_and_hands_it_sockets(package, root, booted):
    """The unit as it is installed, shut in as it is; what the package needs is there since the test before."""
    shutil.copy(package, root / "package.deb")
    booted.done("dpkg", "-i", "/package.deb")
    booted.wait_for(lambda: booted.show("ActiveState") == "active")
    assert booted.show("StatusText") == "Serving on http://127.0.0.1:8080" and booted.get("/readyz")
    game = json.loads(booted.get("/v1/games", "-H", "Content-Type: application/json", "-d", '{"variant": "iuvo-2"}'))["id"]
    status = booted.done("cat", f"/proc/{booted.show('MainPID')}/status")
    assert re.search("^CapEff:\\s0+$", status, re.MULTILINE) and re.search("^Seccomp:\\s2$", status, re.MULTILINE) and not re.search("^Uid:\\s0", status, re.MULTILINE)
    first = booted.show("MainPID")
    booted.done("systemctl", "reload", "iuvod")
    assert booted.show("MainPID") == first and booted.get("/readyz")
    # Killed, and stopped so that it says nothing to the watchdog: started anew, and the game is there.
    for signal, result in (("KILL", "signal"), ("STOP", "watchdog")):
        restarts = int(booted.show("NRestarts"))
        booted.done("systemctl", "kill", "--kill-whom=main", f"--signal={signal}", "iuvod")
        booted.wait_for(lambda: int(booted.show("NRestarts")) > restarts and booted.show("ActiveState") == "active")
        assert f"Failed with result '{result}'" in booted.done("journalctl", "-u", "iuvod", "--no-pager", "-o", "cat")
        assert json.loads(booted.get(f"/v1/games/{game}"))["id"] == game
    # With the sockets held by systemd nobody is refused while it is started anew.
    booted.done("systemctl", "stop", "iuvod")
    booted.done("systemctl", "enable", "--now", "iuvod.socket")
    assert json.loads(booted.get(f"/v1/games/{game}", "--unix-socket", "/run/iuvod.socket"))["id"] == game
    for _ in range(3):
        booted.done("systemctl", "restart", "--no-block", "iuvod")
        for _ in range(10):
            assert booted.get("/readyz")
    booted.done("dpkg", "--purge", "iuvod")
    assert booted.run("systemctl", "is-active", "iuvod").returncode != 0 and not list(root.glob("var/lib/*/iuvod")) and not (root / "var/lib/iuvod").exists()
