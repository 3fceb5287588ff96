"""One writes, many read, whoever writes is named, and where locks keep nobody out nothing is written."""

import json
import shutil
import signal
import subprocess

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")

# Everything that writes to the store names the one that does already; what only reads goes on beside it.
holder = stage.start("alice", "connect", "--wait", "connected", "--timeout", "60s")
holder.line()
new_key = stage.folder / "new.key"
writers = [
    ["send", "@bob", "hi"],
    ["db", "rekey", "--new-key-file", str(new_key)],
    ["db", "decrypt", "--yes"],
    ["db", "compact"],
    ["db", "upgrade"],
]
for words in writers:
    error = stage.tacit("alice", *words, "--lock-timeout", "0s", "--json", expect=75).error
    assert (error["code"], error["details"]["pid"], error["details"]["command"]) == ("store.busy", holder.pid, "connect"), error
assert not new_key.exists()
for words in (["list"], ["read"], ["status"], ["db", "info"], ["db", "check"], ["db", "backup", "copy"], ["lock"]):
    stage.tacit("alice", *words, "--lock-timeout", "0s")
assert stage.tacit("alice", "status", "--json").objects[0]["lock"]["pid"] == holder.pid

# Nobody who is killed leaves a lock behind.
holder.signal(signal.SIGKILL)
holder.ended()
stage.tacit("alice", "db", "compact", "--lock-timeout", "0s")
assert "lock" not in stage.tacit("alice", "status", "--json").objects[0]

# A file system that has no locks, one that gives a lock to everybody, and one on another machine.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/vfs.h>

int flock(int file, int operation) {
    switch (*getenv("SHIM")) {
    case 'n': errno = ENOLCK; return -1;
    case 'u': errno = EOPNOTSUPP; return -1;
    case 'e': return 0;
    default: return ((int (*)(int, int)) dlsym(RTLD_NEXT, "flock"))(file, operation);
    }
}

int fstatfs(int file, struct statfs *status) {
    int result = ((int (*)(int, struct statfs *)) dlsym(RTLD_NEXT, "fstatfs"))(file, status);
    if (*getenv("SHIM") == 'r') status->f_type = 0x6969;
    return result;
}
"""
compiler = shutil.which("cc") or shutil.which("clang")
assert compiler, "there is no C compiler"
(stage.folder / "shim.c").write_text(SHIM)
subprocess.run([compiler, "-shared", "-fPIC", "-o", "shim.so", "shim.c", "-ldl"], check=True)
for kind in ("none", "unsupported", "everybody", "remote"):
    environment = {"LD_PRELOAD": str(stage.folder / "shim.so"), "SHIM": kind}
    ended = stage.tacit("alice", "fetch", "--json", env=environment, expect=71)
    assert ended.error["code"] == "store.locks", (kind, ended.error)
    stage.tacit("alice", "list", env=environment)
stage.tacit("alice", "fetch", env={"LD_PRELOAD": str(stage.folder / "shim.so"), "SHIM": "-"})
stage.values["LD_PRELOAD"] = str(stage.folder / "shim.so")
stage.values["SHIM"] = "remote"
stage.play(r'''
    alice$ tacit send @bob hi
    ! tacit: cannot send to '@bob': the file system of the store has no reliable locks
    !   why: without locks, concurrent writes would corrupt conversations
    !   try: TACIT_DIR=/some/folder tacit ...    use a folder on a local disk
    [71]
''')
assert relay.stop().code == 0
