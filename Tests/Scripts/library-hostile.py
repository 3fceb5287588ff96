"""The C library with wrong arguments, huge texts, several threads and closed controllers: each call returns, and none ends the process."""
# limit: 180

import ctypes
import json
import os
import random
import threading
import time
from ctypes import c_int, c_void_p

from support.library import DECLARATIONS, byref, call, library, system
from support.process import TIMEOUT


KEYLESS = b""
path = os.path.abspath("bot").encode()


def raw(name, *arguments):
    """Calls a function, and returns the bytes of its text; None for a null pointer."""
    result = getattr(library, name)(*arguments)
    if DECLARATIONS[name][0] is c_int:
        return result
    address = ctypes.cast(result, c_void_p).value
    assert address, f"{name}: a null pointer"
    text = ctypes.string_at(address)
    system.free(address)
    return text


def opened():
    controller = c_void_p()
    answer = json.loads(raw("chat_migrate_init", path, KEYLESS, b"yesUp", byref(controller)))
    assert answer == {"type": "ok"} and controller.value, answer
    return controller


# Null pointers everywhere, and numbers that are no controller.
for name, (_, arguments) in DECLARATIONS.items():
    if name.startswith("chat_migrate_init"):
        continue
    raw(name, *[-1 if kind is c_int else None for kind in arguments])
    if arguments[0] is c_void_p:
        for number in (1, 8, 15, 17, 0x7FFFFFFF, 0xFFFFFFFFFFFFFFF0, random.getrandbits(64)):
            raw(name, c_void_p(number), *[-5 if kind is c_int else None for kind in arguments[1:]])
# A store needs a path, and an answer needs no place for the controller.
assert json.loads(raw("chat_migrate_init", None, None, None, None))["type"] != "ok"
assert json.loads(raw("chat_migrate_init", b"", b"", b"yesUp", byref(c_void_p())))["type"] != "ok"
assert json.loads(raw("chat_migrate_init", b"/" + b"a" * 100_000, b"", b"yesUp", byref(c_void_p())))["type"] != "ok"
for confirm in (None, b"", b"maybe", b"\xff\xfe", b"y" * 1_000_000):
    assert json.loads(raw("chat_migrate_init", path, KEYLESS, confirm, byref(c_void_p())))["type"] == "invalidConfirmation"

controller = opened()
assert "activeUser" in call("chat_send_cmd", controller, '/_create user {"profile":{"displayName":"bot","fullName":""},"pastTimestamp":false}')

# Huge texts, texts that are not UTF-8, and deep JSON.
huge = b"x" * (16 << 20)
texts = [
    huge, b"\xff" * 1_000_000, "🙂".encode() * 1_000_000, b"[" * 1_000_000, b"/_send @1 json " + b"[" * 1_000_000,
    b'/_send @1 json [{"msgContent":{"type":"text","text":"' + b"a" * (12 << 20) + b'"}}]',
    b"/_profile 1 " + b'{"a":' * 500_000, b"@" + huge[:1_000_000] + b" hello", b"/" * 1_000_000, b"'" * 1_000_001,
    b"/set bot commands " + b"a:{" * 200_000, b"*" * 500_000, b"_*~#!1" * 200_000, b"smp://" + huge[:2_000_000],
    b"https://example.org/?" + b"a=b&" * 300_000,
]  # fmt: skip
for text in texts:
    start = time.process_time()
    for name in ("chat_send_cmd", "chat_send_cmd_retry", "chat_parse_markdown", "chat_parse_server", "chat_parse_uri", "chat_valid_name", "chat_json_length", "chat_password_hash"):
        if name == "chat_parse_markdown" and len(text) > 10_000_000:
            continue
        more = {"chat_send_cmd": (controller, text), "chat_send_cmd_retry": (controller, text, 1), "chat_parse_uri": (text, 1), "chat_password_hash": (text, text)}
        raw(name, *more.get(name, (text,)))
    assert time.process_time() - start < 30, (text[:30], time.process_time() - start)
for bad in (b"", b"AA", b"!" * 100, huge[:100_000]):
    raw("chat_read_file", b"bot.tacit/missing", bad, bad)
    raw("chat_decrypt_file", b"/dev/null", bad, bad, b"out")
raw("chat_write_file", controller, b"/nowhere/at/all", b"content", 7)
raw("chat_encrypt_file", controller, b"/dev/null", b"/nowhere/at/all")
for count in (-1, -(2**31), 0):
    raw("chat_write_file", controller, b"file", b"content", count)
assert b"activeUser" in raw("chat_send_cmd", controller, b"/u")

# Eight threads send, wait for events, close and open the same controller.
ends = time.monotonic() + 10
failures = []


def work(seed):
    chance = random.Random(seed)
    while time.monotonic() < ends:
        name = chance.choice(["chat_send_cmd"] * 6 + ["chat_recv_msg_wait"] * 3 + ["chat_close_store", "chat_reopen_store"])
        more = {"chat_send_cmd": (chance.choice([b"/u", b"/users", b"/_start", b"/_stop", b"/nothing", b"\xff"]),), "chat_recv_msg_wait": (1000,)}
        try:
            raw(name, controller, *more.get(name, ()))
        except Exception as error:  # noqa: BLE001
            failures.append(error)
            return


threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(TIMEOUT)
    assert not thread.is_alive(), "a call does not return"
assert not failures, failures

# After the end every call says so, a waiting one too.
raw("chat_close_store", controller)
raw("chat_reopen_store", controller)
waiting = []
thread = threading.Thread(target=lambda: waiting.append(raw("chat_recv_msg", controller)))
thread.start()
time.sleep(0.2)
assert raw("chat_close_store", controller) == b""
thread.join(TIMEOUT)
assert waiting and b"error" in waiting[0], waiting
assert b"error" in raw("chat_send_cmd", controller, b"/u")
assert b"error" in raw("chat_recv_msg", controller) and raw("chat_recv_msg_wait", controller, 1000) in (b"", waiting[0])
assert raw("chat_close_store", controller) == b""
assert raw("chat_reopen_store", controller) == b"" and b"activeUser" in raw("chat_send_cmd", controller, b"/u")
raw("chat_close_store", controller)
