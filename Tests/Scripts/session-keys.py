"""Half a minute of what `make keys` does for half an hour: random keys in a session while messages pour in.

TACIT_SEED takes other keys, TACIT_SECONDS more of them.
"""
# limit: 240

import os
import runpy

os.environ.setdefault("TACIT_SECONDS", "30")
os.environ.setdefault("TACIT_SEED", "1")
runpy.run_path(os.environ["TACIT_REPOSITORY"] + "/Tests/Soak/keys.py")
