"""File systems that belong to one test alone."""

import os
import shutil
import subprocess
import sys


def own_mounts():
    """Starts this test again where its mounts are its own; ends it with "skipped" where that cannot be done."""
    if os.environ.get("TACIT_TEST_MOUNTS") == "1":
        return
    probe = ["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt"]
    if not shutil.which("unshare") or subprocess.run(probe, capture_output=True).returncode != 0:
        print("skipped: a disk of its own cannot be mounted here (unshare -m, mount -t tmpfs)")
        raise SystemExit
    os.environ["TACIT_TEST_MOUNTS"] = "1"
    os.execvp("unshare", ["unshare", "-m", sys.executable, *sys.argv])
