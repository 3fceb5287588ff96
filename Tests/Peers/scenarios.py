#!/usr/bin/env python3
"""The chat scenarios of an independent suite, with tacit in every role, over a relay of tacit.

    Tests/Peers/scenarios.py --peer FOLDER [PATTERN]...    FOLDER/scenarios/run.py plays them

Without patterns all scenarios of direct conversations, of profiles and of files are played. The suite drives each tacit through
`tacit api --websocket`. The exit status is that of the suite: 1 if a scenario failed.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

# Nothing is to be left in the repository.
sys.dont_write_bytecode = True

from tacit import Relay

REPOSITORY = Path(__file__).resolve().parent.parent.parent
AREAS = ["direct_*/*", "profiles/*", "files/*"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", metavar="FOLDER", type=Path, required=True, help="where scenarios/run.py is")
    parser.add_argument("--python", default=sys.executable, help="what runs it; it needs the package websockets")
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/release/tacit")
    parser.add_argument("--repeat", type=int, default=1, help="how often each is played")
    parser.add_argument("--jobs", type=int, default=1, help="how many are played at a time")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN", help="area/name, or name")
    options = parser.parse_args()
    suite = options.peer.resolve() / "scenarios"
    with tempfile.TemporaryDirectory(prefix="tacit-scenarios-", ignore_cleanup_errors=True) as folder:
        program = str(options.program.resolve())
        relay = Relay(program, f"{folder}/relay", files=True)
        words = [options.python, "run.py", "--tacit", program, "--smp", relay.address]
        words += ["--xftp", relay.file_address, "--temp", folder]
        words += ["--repeat", str(options.repeat), "--jobs", str(options.jobs), *(options.patterns or AREAS)]
        try:
            return subprocess.run(words, cwd=suite).returncode
        finally:
            relay.stop()


if __name__ == "__main__":
    sys.exit(main())
