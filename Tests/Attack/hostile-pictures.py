"""Pictures made to harm: whatever a file of a few bytes promises, its decoder takes no more memory and time than for a large photo."""

# limit: 600

import os
import random
import resource
import time
from pathlib import Path

from support import bombs
from support.bombs import chunk, zeros
from support.stage import Stage

SECONDS = float(os.environ.get("TACIT_SECONDS", "20"))
SEED = int(os.environ.get("TACIT_SEED", "0")) or random.randrange(1 << 32)
print(f"TACIT_SEED={SEED}", flush=True)
chance = random.Random(SEED)
VECTORS = Path(os.environ["TACIT_REPOSITORY"]) / "Tests/Vectors/pictures"
# What a picture may take: in bytes of memory at most, and in seconds of the processor. A program that is not optimised takes longer.
MEMORY = 400 << 20
TIME = 6 if "/debug/" not in os.path.realpath(os.environ["TACIT"]) else 90

stage = Stage()
stage.tacit("alice", "init", "--name", "alice", "--no-encryption")
most = {"memory": 0, "time": 0.0}


def limited():
    # Everything beyond this kills the test at once, and not the machine. Addresses are reserved more freely than memory is used.
    resource.setrlimit(resource.RLIMIT_DATA, (4 * MEMORY, 4 * MEMORY))


def judge(name, content, code=None):
    """Makes the picture of a profile of it, and measures. Returns how that ended."""
    (stage.folder / "bomb").write_bytes(content)
    running = stage.start("alice", "profile", "set", "--image", "bomb", preexec_fn=limited)
    deadline = time.monotonic() + 2 * TIME + 60
    while True:
        pid, status, usage = os.wait4(running.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() > deadline:
            running.signal(9)
            raise AssertionError(f"{name}: still running")
        time.sleep(0.01)
    running.process.returncode = os.waitstatus_to_exitcode(status)
    memory, seconds = usage.ru_maxrss << 10, usage.ru_utime + usage.ru_stime
    most["memory"], most["time"] = max(most["memory"], memory), max(most["time"], seconds)
    assert running.process.returncode in ((0, 65) if code is None else (code,)), (name, running.process.returncode)
    assert memory < MEMORY, (name, f"{memory >> 20} MiB")
    assert seconds < TIME, (name, seconds)


def lossy(width, height, size=4000):
    """A lossy WebP picture whose data are zeros, and a plane for its opacity."""
    head = (1 << 4 | size << 5).to_bytes(3, "little") + b"\x9d\x01\x2a" + width.to_bytes(2, "little") + height.to_bytes(2, "little")
    # Compressed without loss: the picture behind its header of five bytes.
    alpha = b"\x01" + bombs.lossless(width, height)[1][5:]
    return bombs.riff(bombs.canvas(width, height, 0x10), (b"ALPH", alpha), (b"VP8 ", head + bytes(size + 4000)))


full = (0x11, 0x11, 0x11)
CASES = {
    # JPEG: coefficients of all pixels are kept until the last scan.
    "progressive, 56,000 x 56,000": (bombs.jpeg(56000, 56000, 0xC2), 65),
    "progressive, full colors": (bombs.jpeg(56000, 56000, 0xC2, factors=full), 65),
    "progressive, the largest": (bombs.jpeg(8000, 8000, 0xC2), 0),
    "progressive, factors of four": (bombs.jpeg(30000, 4000, 0xC2, factors=(0x44, 0x11, 0x11)), None),
    "progressive, a thin line": (bombs.jpeg(65500, 1, 0xC2, factors=(0x14, 0x11, 0x11)), None),
    "progressive, four components": (bombs.jpeg(7000, 7000, 0xC2, factors=(0x11,) * 4), 65),
    "baseline, 65,500 x 65,500": (bombs.jpeg(65500, 65500), 65),
    "baseline, as of the largest cameras": (bombs.jpeg(16320, 12240), 0),
    "a component a scan": (bombs.jpeg(15000, 15000, first=1, factors=full), 65),
    "a second scan": (bombs.jpeg(15000, 15000, scans=2), 65),
    # Each scan visits all coefficients again.
    "20 scans": (bombs.jpeg(8000, 8000, 0xC2, scans=20), 0),
    "400 scans": (bombs.jpeg(8000, 8000, 0xC2, scans=400), 65),
    "10,000 scans of a small picture": (bombs.jpeg(1000, 1000, 0xC2, scans=10_000), 65),
    # Arithmetic coding decodes endless data from none.
    "arithmetic": (bombs.jpeg(8000, 8000, 0xC9), 65),
    "arithmetic and progressive": (bombs.jpeg(8000, 8000, 0xCA), 65),
    "a scan that is hidden behind fill bytes": (
        bombs.jpeg(15000, 15000, data=b"\0\xff\xff\0\0" + bombs.segment(0xDA, b"\1\1\0\0\x3f\0")), None),
    # PNG
    "7,000 x 7,000": (bombs.png(7000, 7000), 0),
    "7,000 x 7,000, one bit": (bombs.png(7000, 7000, 1, 0), 0),
    "64 bits a pixel, interlaced": (bombs.png(7000, 7000, 16, 6, True), None),
    "a palette, interlaced": (bombs.png(7000, 7000, 8, 3, True), None),
    "60,000 x 60,000": (bombs.png(60000, 60000, rows=100), 65),
    "2,147,483,647 x 1": (bombs.png(2147483647, 1, rows=100), 65),
    "more rows than it has": (bombs.png(10, 10, rows=500 << 20), None),
    **{f"500 MB in {name}": (bombs.png(10, 10, more=chunk(name.encode(), start + zeros(500 << 20))), None)
       for name, start in (("zTXt", b"a\0\0"), ("iTXt", b"a\0\1\0\0\0"), ("iCCP", b"a\0\0"))},
    "100,000 chunks": (bombs.png(10, 10, more=chunk(b"tEXt", b"a\0b") * 100_000), None),
    "100,000 palettes": (bombs.png(10, 10, more=chunk(b"sPLT", b"a\0\x08" + bytes(60)) * 100_000), None),
    # GIF
    "a screen of 65,535 x 65,535": (bombs.gif(65535, 65535), 65),
    "a screen of 7,000 x 7,000": (bombs.gif(7000, 7000), 0),
    "a frame of 65,535 x 65,535": (bombs.gif(10, 10, 65535, 65535), 65),
    "a frame of 7,000 x 7,000": (bombs.gif(7000, 7000, 7000, 7000, interlaced=True), 65),
    "100,000 frames": (bombs.gif(1000, 1000, frames=100_000), 0),
    # WebP
    "16,383 x 16,383": (bombs.webp(16383, 16383), 65),
    "without loss, 7,000 x 7,000": (bombs.webp(7000, 7000), 0),
    "without loss, with opacity": (bombs.webp(7000, 7000, True), 0),
    "lossy, 16,383 x 16,383 with opacity": (lossy(16383, 16383), 65),
    "lossy, 7,000 x 7,000 with opacity": (lossy(7000, 7000), None),
    "a canvas of 16,777,216 x 255": (bombs.riff(bombs.canvas(16777216, 255, 0), bombs.lossless(16383, 16383)), 65),
    "an animation of 1,000 frames": (bombs.animation(16383, 16383, 1000), 65),
}  # fmt: skip
for name, (content, code) in CASES.items():
    judge(name, content, code)
print(f"{len(CASES)} pictures: at most {most['memory'] >> 20} MiB and {most['time']:.1f} s of the processor")

# Good pictures and these, with changed bytes and other sizes in their headers.
pool = [content for content, _ in CASES.values() if len(content) < 20_000]
pool += [path.read_bytes() for path in sorted(VECTORS.iterdir()) if path.suffix != ".py"]
end, count = time.monotonic() + SECONDS, 0
while time.monotonic() < end:
    content = bytearray(chance.choice(pool))
    for _ in range(chance.randrange(1, 6)):
        place = chance.randrange(min(len(content), 400))
        content[place : place + chance.randrange(1, 3)] = chance.choice([b"\xff", b"\0", b"\x40\0", b"\x1f\xff", chance.randbytes(2)])
    judge(f"changed: {bytes(content[:2000]).hex()}", bytes(content))
    count += 1
print(f"{count} changed pictures: at most {most['memory'] >> 20} MiB and {most['time']:.1f} s of the processor")
