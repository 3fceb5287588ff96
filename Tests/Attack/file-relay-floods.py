"""A client that behaves stores and gets files while others flood its file relay, which stops floods of empty frames."""

# limit: 7200

import os
import re
import time

from support.attacker import Attacker
from support.stage import FileRelay, Stage

SECONDS = float(os.environ.get("TACIT_SECONDS", "5"))
# The memory of the relay beyond that at its start, in MB: 1,000 connections of one address, and the begun uploads of it.
GROWTH = 300
# Uploads that were begun and abandoned, uploads that were completed, then frames without content, and the number of clients.
FLOODS = {
    "uploads": 20, "data": 10, "priority": 10, "settings": 10, "ping": 10, "window": 10, "reset": 10, "continuation": 10,
    "unknown": 10, "fill": 3,
}

stage = Stage()
relay = FileRelay(stage)
conf = stage.folder / "relay/relay.conf"
# 320 begun uploads of 4 MB would be more than the space. An address that completes its uploads gets a part of it.
SPACE = 40
conf.write_text(conf.read_text().replace("file_megabytes = 10000", "file_megabytes = 1000"))
relay.start()


def stopped():
    """Stops the relay; how many uploads it has refused because an address had too many at a time."""
    assert relay.stop().code == 0
    statistics = (stage.folder / "relay/relay.stats").read_text()
    return int(re.search(r"^limited_uploads = (\d+)$", statistics, re.M)[1])


def status():
    with open(f"/proc/{relay.running.process.pid}/status") as lines:
        text = lines.read()
    return [int(re.search(rf"{name}:\s+(\d+) kB", text)[1]) / 1024 for name in ("VmRSS", "VmHWM")]


def seconds():
    """The processor time of the relay."""
    with open(f"/proc/{relay.running.process.pid}/stat") as line:
        words = line.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


# Names of floods with commas between them; without any, all.
only = os.environ.get("TACIT_FLOODS")
chosen = only.split(",") if only else list(FLOODS)
before = status()[0]
limited = 0
for name in chosen:
    if name == "fill":
        limited += stopped()
        text = conf.read_text()
        conf.write_text(text.replace("file_megabytes_per_address = 2000", f"file_megabytes_per_address = {SPACE}"))
        relay.start()
    clients = FLOODS[name]
    with Attacker("honest-files", relay.files) as honest:
        assert honest.line() == "ready", name
        with Attacker("flood-files", name, relay.files, str(clients)) as flood:
            assert flood.line() == "ready", name
            started, used = time.monotonic(), seconds()
            time.sleep(SECONDS)
            share = (seconds() - used) / (time.monotonic() - started)
            resident, highest = status()
            # A whole round more than before the flood, however slow the machine is. No step may take more than 20 s.
            assert honest.line() == "again", name
    lines, attack = honest.ended(), " ".join(flood.ended())
    print(f"{name}: {'; '.join(lines)}; relay {resident:.0f} MB, at most {highest:.0f} MB, {share:.0%} of a core; {attack}")
    assert resident - before < GROWTH, (name, before, resident)
    begun, connections = map(int, re.search(r"begun (\d+) .* connections (\d+)", attack).groups())
    if name == "uploads":
        # More than would fit if they reserved their space, and more than an address may have at a time.
        assert begun > 250, attack
    elif name == "fill":
        # The rest of the space stays for others.
        used = sum(path.stat().st_size for path in (stage.folder / "relay/files").iterdir())
        refused = int(re.search(r"refused (\d+)", attack)[1])
        assert SPACE / 2 < used >> 20 <= SPACE + 8 and refused > 0, (used, attack)
    else:
        # The relay has closed connections that flood it.
        assert connections > clients, attack

limited += stopped()
if "uploads" in chosen:
    assert limited > 0
# No draft is left.
names = [path.name for path in (stage.folder / "relay/files").iterdir() if path.suffix == ".part"]
assert not names, names
