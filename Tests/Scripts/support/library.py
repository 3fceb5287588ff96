"""The C library, as a program in Python uses it: with the declarations of include/simplex.h."""

import ctypes
import json
import os
import time
from ctypes import POINTER, byref, c_char_p, c_int, c_uint8, c_void_p

from support.process import TIMEOUT

PATH = os.environ["TACIT_LIBRARY"]

TEXT = c_void_p
DECLARATIONS = {
    "chat_migrate_init": (TEXT, [c_char_p, c_char_p, c_char_p, POINTER(c_void_p)]),
    "chat_migrate_init_key": (TEXT, [c_char_p, c_char_p, c_int, c_char_p, c_int, POINTER(c_void_p)]),
    "chat_close_store": (TEXT, [c_void_p]),
    "chat_reopen_store": (TEXT, [c_void_p]),
    "chat_send_cmd": (TEXT, [c_void_p, c_char_p]),
    "chat_send_cmd_retry": (TEXT, [c_void_p, c_char_p, c_int]),
    "chat_send_remote_cmd": (TEXT, [c_void_p, c_int, c_char_p]),
    "chat_send_remote_cmd_retry": (TEXT, [c_void_p, c_int, c_char_p, c_int]),
    "chat_recv_msg": (TEXT, [c_void_p]),
    "chat_recv_msg_wait": (TEXT, [c_void_p, c_int]),
    "chat_parse_markdown": (TEXT, [c_char_p]),
    "chat_parse_server": (TEXT, [c_char_p]),
    "chat_parse_uri": (TEXT, [c_char_p, c_int]),
    "chat_password_hash": (TEXT, [c_char_p, c_char_p]),
    "chat_valid_name": (TEXT, [c_char_p]),
    "chat_json_length": (c_int, [c_char_p]),
    "chat_write_file": (TEXT, [c_void_p, c_char_p, c_char_p, c_int]),
    "chat_read_file": (POINTER(c_uint8), [c_char_p, c_char_p, c_char_p]),
    "chat_encrypt_file": (TEXT, [c_void_p, c_char_p, c_char_p]),
    "chat_decrypt_file": (TEXT, [c_char_p, c_char_p, c_char_p, c_char_p]),
}

system = ctypes.CDLL(None)
system.free.argtypes = [c_void_p]
library = ctypes.CDLL(PATH)
for name, (result, arguments) in DECLARATIONS.items():
    getattr(library, name).restype = result
    getattr(library, name).argtypes = arguments
library.hs_init_with_rtsopts.restype = None
library.hs_init_with_rtsopts(byref(c_int(0)), None)


def call(name, *arguments):
    """Calls a function that returns a text."""
    arguments = [value.encode() if isinstance(value, str) else value for value in arguments]
    result = getattr(library, name)(*arguments)
    if DECLARATIONS[name][0] is not TEXT:
        return result
    assert result, name
    text = ctypes.string_at(result).decode()
    system.free(result)
    return text


def read_file(path, key, nonce):
    """The content of an encrypted file, or an error."""
    memory = library.chat_read_file(path.encode(), key.encode(), nonce.encode())
    address = ctypes.cast(memory, c_void_p).value
    try:
        if memory[0] == 1:
            raise OSError(ctypes.string_at(address + 1).decode())
        assert memory[0] == 0
        size = int.from_bytes(ctypes.string_at(address + 1, 4), "little")
        return ctypes.string_at(address + 5, size)
    finally:
        system.free(address)


class Failed(Exception):
    """The error in an answer."""

    def __init__(self, error):
        super().__init__(json.dumps(error))
        self.error = error


class Controller:
    """A store, opened by the library."""

    def __init__(self, prefix, key="", confirm="yesUp"):
        self.number = c_void_p()
        result = json.loads(call("chat_migrate_init", str(prefix), key, confirm, byref(self.number)))
        if result["type"] != "ok":
            assert not self.number.value
            raise Failed(result)
        assert self.number.value

    def send(self, command):
        answer = json.loads(call("chat_send_cmd", self.number, command))
        if "error" in answer:
            raise Failed(answer["error"])
        assert list(answer) == ["result"], answer
        return answer["result"]

    def next(self, wait=0.5):
        """The next event, or None."""
        text = call("chat_recv_msg_wait", self.number, int(wait * 1_000_000))
        return json.loads(text)["result"] if text else None

    def until(self, kind):
        """The next event of a kind; others are lost."""
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            event = self.next()
            if event and event["type"] == kind:
                return event
        raise AssertionError(f"no {kind}")

    def create(self, name, relay):
        """A profile with a relay, which receives from now on."""
        assert self.send(f"/servers {relay}")["type"] == "cmdOk"
        profile = {"profile": {"displayName": name, "fullName": ""}, "pastTimestamp": False}
        user = self.send(f"/_create user {json.dumps(profile)}")["user"]
        assert self.send("/_start main=on snd_files=on")["type"] == "chatStarted"
        return user["userId"]

    def say(self, contact, text):
        message = [{"msgContent": {"type": "text", "text": text}, "mentions": {}}]
        return self.send(f"/_send @{contact} json {json.dumps(message)}")["chatItems"]

    def close(self):
        text = call("chat_close_store", self.number)
        assert text == "", text
