#!/usr/bin/env python3
"""Files between tacit and an independent program, both ways, over a file relay of tacit.

    Tests/Peers/files.py --peer FOLDER     FOLDER/xftp.py is the other side

Sizes at the borders of chunks, with and without a redirect, links and descriptions. The exit status is 1 if a file did not arrive
as it was.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# Nothing is to be left in the repository.
sys.dont_write_bytecode = True

from tacit import Relay
from waiting import Failure

REPOSITORY = Path(__file__).resolve().parent.parent.parent
# One chunk, two of 64 KiB, one of 256 KiB, several sizes.
SIZES = [0, 1, 65_000, 65_536, 200_000, 1_300_000]


class Sides:
    def __init__(self, options, folder):
        self.program = str(options.program.resolve())
        self.folder = Path(folder)
        self.relay = Relay(self.program, f"{folder}/relay", files=True)
        self.other = [options.python, str(options.peer.resolve() / "xftp.py")]
        self.environment = {**os.environ, "TACIT_DIR": f"{folder}/store"}
        words = ["init", "--name", "ann", "--no-encryption", "--server", self.relay.address, "--server", self.relay.file_address]
        self.tacit(*words)

    def run(self, words, **options):
        ended = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=120, **options)
        if ended.returncode != 0:
            raise Failure(f"{' '.join(words[:4])}: {ended.returncode} {ended.stderr.strip()}")
        return ended.stdout

    def tacit(self, *words):
        return self.run([self.program, *words], env=self.environment)

    def make(self, name, size):
        data = os.urandom(size)
        (self.folder / name).write_bytes(data)
        return data

    def check(self, path, data):
        if Path(path).read_bytes() != data:
            raise Failure(f"{path} has other bytes")

    def from_tacit(self, size):
        """A link of tacit; what is longer than a chunk has a redirect."""
        data = self.make(f"own-{size}.bin", size)
        links = json.loads(self.tacit("file", "send", f"own-{size}.bin", "--json"))["links"]
        got = self.run([*self.other, "recv", links[0], "-d", self.place(f"from-tacit-{size}")]).strip()
        if Path(got).name != f"own-{size}.bin":
            raise Failure(f"it has another name: {got}")
        self.check(self.folder / got, data)

    def to_tacit(self, size, *words):
        """A description of the other side, as a link."""
        data = self.make(f"other-{size}.bin", size)
        text = self.run([*self.other, "send", f"other-{size}.bin", "--server", self.relay.file_address, *words])
        from urllib.parse import quote

        place = self.place(f"to-tacit-{size}-{len(words)}")
        link = f"simplex:/file#/?desc={quote(text, safe='')}"
        report = json.loads(self.tacit("file", "get", link, "--to", place, "--json"))
        if report["name"] != f"other-{size}.bin":
            raise Failure(f"it has another name: {report['name']}")
        self.check(report["path"], data)

    def place(self, name):
        (self.folder / name).mkdir()
        return str(self.folder / name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", metavar="FOLDER", type=Path, required=True, help="where xftp.py is")
    parser.add_argument("--python", default=sys.executable, help="what runs it (default: what runs this)")
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/release/tacit")
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="tacit-files-", ignore_cleanup_errors=True) as folder:
        sides = Sides(options, folder)
        for size in SIZES:
            for name, play in (
                ("tacit to the other side", lambda: sides.from_tacit(size)),
                ("the other side to tacit", lambda: sides.to_tacit(size)),
                ("the other side to tacit, redirected", lambda: sides.to_tacit(size, "--redirect")),
            ):
                try:
                    play()
                    print(f"ok    {size:>8} bytes  {name}", flush=True)
                except (Failure, subprocess.TimeoutExpired) as failure:
                    failed += 1
                    print(f"FAIL  {size:>8} bytes  {name}: {failure}", flush=True)
        sides.relay.process.terminate()
        sides.relay.process.wait(20)
    print(f"{len(SIZES) * 3 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
