"""A system call of a command fails: the command ends with a code of its page, the store opens, no message is lost or doubled."""

# limit: 2000

import errno
import mmap
import os
import random
import resource
import shutil
import struct
import subprocess
import time

from support import contract
from support.stage import Stage

SECONDS = float(os.environ.get("TACIT_SECONDS", "20"))
SEED = int(os.environ.get("TACIT_SEED", "0")) or random.randrange(1 << 32)
print(f"TACIT_SEED={SEED}", flush=True)
chance = random.Random(SEED)

CALLS = ["open", "read", "write", "fsync", "truncate", "rename", "link", "unlink", "mkdir", "mmap", "stat", "lock"]
FAILURES = {
    "open": ["EACCES", "EMFILE", "ENOSPC", "EIO"], "read": ["EIO"], "write": ["ENOSPC", "EIO", "EDQUOT"],
    "fsync": ["EIO", "ENOSPC"], "truncate": ["EIO", "ENOSPC"], "rename": ["EACCES", "ENOSPC", "EIO"],
    "link": ["EACCES", "ENOSPC"], "unlink": ["EACCES", "EIO"], "mkdir": ["EACCES", "ENOSPC"], "mmap": ["ENOMEM"],
    "stat": ["EACCES", "EIO"], "lock": ["ENOLCK"],
}  # fmt: skip

# Counts the calls that are about files below FAIL_BELOW, in a file that is mapped, and has some of them fail: the one with
# the number FAIL_AT, and, if FAIL_ON is set, all later ones.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { OPEN, READ, WRITE, FSYNC, TRUNCATE, RENAME, LINK, UNLINK, MKDIR, MMAP, STAT, LOCK, KINDS };
static _Atomic unsigned *counts;
static const char *below;
static long at, number, error;
static int goes_on;
static char is_ours[65536];

#define REAL(name) ((__typeof__(&name)) dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
    const char *file = getenv("FAIL_COUNTS");
    below = getenv("FAIL_BELOW");
    if (!file || !below) return;
    int descriptor = REAL(open)(file, O_RDWR);
    counts = REAL(mmap)(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    at = atol(getenv("FAIL_AT"));
    number = atol(getenv("FAIL_CALL"));
    error = atol(getenv("FAIL_ERRNO"));
    goes_on = *getenv("FAIL_ON") == '1';
    // What this process starts is not counted.
    unsetenv("LD_PRELOAD");
}

static int fails(int kind) {
    if (!counts) return 0;
    unsigned count = ++counts[kind];
    if (kind != number || at == 0 || (goes_on ? count < at : count != at)) return 0;
    errno = error;
    return 1;
}

static int is_below(const char *path) {
    return counts && path && strncmp(path, below, strlen(below)) == 0;
}

static int knows(int file) { return counts && file >= 0 && file < (int) sizeof is_ours && is_ours[file]; }

static int opened(const char *path, int file) {
    if (file >= 0 && file < (int) sizeof is_ours) is_ours[file] = is_below(path);
    return file;
}

#define OPENS(name) \
    int name(const char *path, int flags, ...) { \
        va_list list; va_start(list, flags); mode_t mode = va_arg(list, mode_t); va_end(list); \
        if (is_below(path) && fails(OPEN)) return -1; \
        return opened(path, REAL(name)(path, flags, mode)); \
    }
OPENS(open)
OPENS(open64)

ssize_t read(int file, void *bytes, size_t count) {
    return knows(file) && fails(READ) ? -1 : REAL(read)(file, bytes, count);
}
ssize_t pread(int file, void *bytes, size_t count, off_t place) {
    return knows(file) && fails(READ) ? -1 : REAL(pread)(file, bytes, count, place);
}
ssize_t pread64(int file, void *bytes, size_t count, off64_t place) {
    return knows(file) && fails(READ) ? -1 : REAL(pread64)(file, bytes, count, place);
}
ssize_t write(int file, const void *bytes, size_t count) {
    return knows(file) && fails(WRITE) ? -1 : REAL(write)(file, bytes, count);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) {
    return knows(file) && fails(WRITE) ? -1 : REAL(pwrite)(file, bytes, count, place);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
    return knows(file) && fails(WRITE) ? -1 : REAL(pwrite64)(file, bytes, count, place);
}
int fsync(int file) { return knows(file) && fails(FSYNC) ? -1 : REAL(fsync)(file); }
int fdatasync(int file) { return knows(file) && fails(FSYNC) ? -1 : REAL(fdatasync)(file); }
int syncfs(int file) { return knows(file) && fails(FSYNC) ? -1 : REAL(syncfs)(file); }
int ftruncate(int file, off_t size) { return knows(file) && fails(TRUNCATE) ? -1 : REAL(ftruncate)(file, size); }
int ftruncate64(int file, off64_t size) { return knows(file) && fails(TRUNCATE) ? -1 : REAL(ftruncate64)(file, size); }
int flock(int file, int operation) {
    int (*real)(int, int) = (int (*)(int, int)) dlsym(RTLD_NEXT, "flock");
    return knows(file) && fails(LOCK) ? -1 : real(file, operation);
}
int rename(const char *from, const char *to) { return is_below(to) && fails(RENAME) ? -1 : REAL(rename)(from, to); }
int linkat(int a, const char *from, int b, const char *to, int flags) {
    return is_below(to) && fails(LINK) ? -1 : REAL(linkat)(a, from, b, to, flags);
}
int unlink(const char *path) { return is_below(path) && fails(UNLINK) ? -1 : REAL(unlink)(path); }
int mkdir(const char *path, mode_t mode) { return is_below(path) && fails(MKDIR) ? -1 : REAL(mkdir)(path, mode); }
int stat(const char *path, struct stat *status) { return is_below(path) && fails(STAT) ? -1 : REAL(stat)(path, status); }
int lstat(const char *path, struct stat *status) { return is_below(path) && fails(STAT) ? -1 : REAL(lstat)(path, status); }
int fstat(int file, struct stat *status) { return knows(file) && fails(STAT) ? -1 : REAL(fstat)(file, status); }
void *mmap(void *start, size_t size, int protection, int flags, int file, off_t place) {
    return knows(file) && fails(MMAP) ? MAP_FAILED : REAL(mmap)(start, size, protection, flags, file, place);
}
void *mmap64(void *start, size_t size, int protection, int flags, int file, off64_t place) {
    return knows(file) && fails(MMAP) ? MAP_FAILED : REAL(mmap64)(start, size, protection, flags, file, place);
}
int close(int file) {
    if (file >= 0 && file < (int) sizeof is_ours) is_ours[file] = 0;
    return REAL(close)(file);
}
"""

stage = Stage()
compiler = shutil.which("cc") or shutil.which("clang")
assert compiler, "there is no C compiler"
(stage.folder / "shim.c").write_text(SHIM)
subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", "shim.so", "shim.c", "-ldl"], check=True)
(stage.folder / "counts").write_bytes(bytes(4096))
counts_file = open(stage.folder / "counts", "r+b")
counts_memory = mmap.mmap(counts_file.fileno(), 4096)

relay = stage.connected("alice", "bob")
alice = stage.place("alice")
(stage.folder / "archives").mkdir()
stage.tacit("alice", "export", "archives/before.zip")
key = [alice / "key"]


def environment(kind=0, at=0, error=0, goes_on=False):
    return {
        "LD_PRELOAD": str(stage.folder / "shim.so"), "FAIL_COUNTS": str(stage.folder / "counts"),
        "FAIL_BELOW": str(alice), "FAIL_CALL": str(kind), "FAIL_AT": str(at), "FAIL_ERRNO": str(error),
        "FAIL_ON": "1" if goes_on else "0", "TACIT_KEY_FILE": str(key[0]),
    }  # fmt: skip


def run(words, env, preexec=None):
    """A command that may fail, but only as its page says."""
    ended = stage.start("alice", *words, env=env, preexec_fn=preexec).ended()
    contract.check(words, ended)
    assert ended.code != 70 and ended.code < 128, (words, ended.code, ended.out, ended.err)
    if ended.code > 1:
        assert ended.err.startswith("tacit: ") or '"type":"error"' in ended.err or '"type"' in ended.out, (words, ended.err)
    return ended


sent, received, doubtful, number = [], [], set(), [0]


def fresh(letter):
    number[0] += 1
    return f"{letter}{number[0]}"


def healthy(words):
    """The store opens and is sound."""
    stage.tacit("alice", "db", "check", "--key-file", str(key[0]))
    stage.tacit("alice", "status", "--key-file", str(key[0]))


def send():
    text = fresh("s")
    return ["send", "@bob", text, "--json", "--timeout", "5s"], lambda ended: note_sent(text, ended)


def note_sent(text, ended):
    if '"type":"send"' in ended.out:
        sent.append(text)
    else:
        doubtful.add(text)


def fetch():
    text = fresh("r")
    stage.tacit("bob", "send", "@alice", text, "-q")
    received.append(text)
    return ["fetch", "--timeout", "5s"], lambda ended: None


def rekey():
    new = stage.folder / fresh("key")

    def choose(ended):
        # One of both opens the store: the new one if the command ended well.
        works = [
            path for path in (key[0], new)
            if path.exists()
            and stage.start("alice", "status", env={"TACIT_KEY_FILE": str(path)}).ended().code == 0
        ]
        assert works and (ended.code != 0 or works == [new]), (ended.code, ended.err, works)
        key[0] = works[-1]

    return ["db", "rekey", "--new-key-file", str(new)], choose


def plain(*words):
    return lambda: ([word() if callable(word) else word for word in words], lambda ended: None)


COMMANDS = [
    send, send, fetch, fetch, rekey, plain("read", "--mark"), plain("read", "--cursor", "c"), plain("db", "compact"),
    plain("contact", "mute", "@bob"), plain("contact", "unmute", "@bob"), plain("message", "react", "m1", "👍"),
    plain("profile", "set", "--full-name", lambda: fresh("Alice ")), plain("outbox", "flush", "--timeout", "5s"),
    plain("export", lambda: str(stage.folder / f"archives/{fresh('e')}.zip")),
    plain("import", "--dry-run", "archives/before.zip"), plain("db", "backup", lambda: str(stage.folder / fresh("backup"))),
    plain("db", "check"), plain("list"), plain("status"), plain("config", "set", "send.wait", "sent"),
    plain("cursor", "reset", "c"), plain("connect", "--timeout", "5s"), plain("address", "create", "--timeout", "5s"),
]  # fmt: skip
stage.tacit("bob", "send", "@alice", "first")
received.append("first")
stage.tacit("alice", "fetch")

# With fewer than four descriptors the dynamic loader ends the process before the program begins.
LIMITS = {
    "RLIMIT_FSIZE": lambda: chance.randrange(0, 600_000), "RLIMIT_NOFILE": lambda: chance.randrange(4, 40),
}  # fmt: skip
runs, failed, end = 0, 0, time.monotonic() + SECONDS
known = {}
while time.monotonic() < end:
    make = chance.choice(COMMANDS)
    words, judge = make()
    if chance.random() < 0.15:
        name = chance.choice(list(LIMITS))
        limit = LIMITS[name]()
        what = f"{name}={limit}"
        set_limit = lambda: resource.setrlimit(getattr(resource, name), (limit, limit))
        ended = run(words, {"TACIT_KEY_FILE": str(key[0])}, set_limit)
    else:
        # As many calls as the command of that name made the last time.
        seen = known.get(make, [20] * len(CALLS))
        kind = chance.choice([kind for kind in range(len(CALLS)) if seen[kind]] or [0])
        at, goes_on = chance.randrange(1, seen[kind] + 2), chance.random() < 0.3
        error = chance.choice(FAILURES[CALLS[kind]])
        what = f"{CALLS[kind]} {at}{'+' if goes_on else ''} {error}"
        counts_memory[:] = bytes(4096)
        ended = run(words, environment(kind, at, getattr(errno, error), goes_on))
        if ended.code == 0:
            known[make] = list(struct.unpack_from(f"{len(CALLS)}I", counts_memory))
    runs += 1
    failed += ended.code != 0
    try:
        judge(ended)
        healthy(words)
    except AssertionError as mistake:
        raise AssertionError(f"after {' '.join(words)} ({what}): {ended.code} {ended.err}\n{mistake}") from None

# Nothing is lost, nothing is there twice, everything in order.
options = ["--key-file", str(key[0])]
stage.tacit("alice", "fetch", *options)
stage.tacit("alice", "outbox", "flush", *options)
stage.tacit("bob", "fetch")


def texts(person, direction, *words):
    found = stage.tacit(person, "read", "--last", "100000", "--json", *words).objects
    return [item["text"] for item in found if item["direction"] == direction and item["kind"] == "text"]


assert texts("alice", "in", *options) == received
there = texts("bob", "in")
assert [text for text in there if text not in doubtful] == sent, (sent, there)
assert len(set(there)) == len(there), there
print(f"{runs} commands, of which {failed} failed; {len(sent)} messages sent, {len(received)} received", flush=True)
assert runs > 3 and failed, (runs, failed)
