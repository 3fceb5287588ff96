"""A folder that cannot be read is an error, and is not taken for an empty one."""

import ctypes
import errno
import platform
import struct

from support.stage import Stage

NUMBERS = {"x86_64": (0xC000003E, 217), "aarch64": (0xC00000B7, 61)}
if platform.machine() not in NUMBERS:
    print("skipped: the number of getdents64 is not known here")
    raise SystemExit
architecture, getdents64 = NUMBERS[platform.machine()]
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ERROR = 0x7FFF0000, 0x00050000
instructions = [
    (LOAD, 0, 0, 4), (EQUAL, 0, 3, architecture), (LOAD, 0, 0, 0), (EQUAL, 0, 1, getdents64),
    (RETURN, 0, 0, ERROR | errno.EIO), (RETURN, 0, 0, ALLOW),
]  # fmt: skip
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *one) for one in instructions))


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


program = Program(len(instructions), ctypes.addressof(code))
libc = ctypes.CDLL(None, use_errno=True)


def without_folders():
    """From here on the system reads no folder (seccomp(2))."""
    assert libc.prctl(38, 1, 0, 0, 0) == 0
    assert libc.prctl(22, 2, ctypes.byref(program), 0, 0) == 0


stage = Stage()
stage.connected("alice", "bob")
place = stage.folder / "place"
place.mkdir()
(place / "precious").write_text("mine")
before = sorted(path.name for path in place.iterdir())
ended = stage.start("alice", "db", "backup", str(place), "--json", preexec_fn=without_folders).ended()
assert ended.code in (71, 73, 74), (ended.code, ended.out, ended.err)
assert "input/output error" in ended.err.lower(), ended.err
assert sorted(path.name for path in place.iterdir()) == before
# Read in full it is not empty, and without the filter an empty one will do.
assert stage.start("alice", "db", "backup", str(place)).ended().code == 73
(place / "precious").unlink()
stage.tacit("alice", "db", "backup", str(place))
