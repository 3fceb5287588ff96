"""Archives as the official apps export them, made of the tables that the sources describe."""

import ctypes
import ctypes.util
import hashlib
import hmac
import io
import json
import os
import re
import sqlite3
import zipfile
from base64 import urlsafe_b64encode
from pathlib import Path

CHAT, AGENT, FOLDER = "simplex_v1_chat.db", "simplex_v1_agent.db", "simplex_v1_files/"
SOURCES = Path(os.environ["TACIT_REPOSITORY"]) / "Sources"
NOW = "2026-01-02 03:04:05.678"
# The constants of SQLCipher 4.
PAGE, RESERVE, ROUNDS = 4096, 80, 256_000
LIBRARY = ctypes.CDLL(ctypes.util.find_library("crypto"))
LIBRARY.EVP_CIPHER_CTX_new.restype = LIBRARY.EVP_aes_256_cbc.restype = ctypes.c_void_p


def _schema(path):
    """The statements that create the tables, and the names of the migrations."""
    text = (SOURCES / path).read_text()
    script = re.search(r'script: """\n(.*?)"""', text, re.DOTALL)[1]
    names = re.search(r"let migrations = \[\n(.*?)\n    \]", text, re.DOTALL)[1]
    return script.replace("\\\\", "\\"), re.findall(r'"([^"]+)"', names)


SCHEMAS = {
    CHAT: _schema("ChatCore/Archives/Official/OfficialChatSchema.swift"),
    AGENT: _schema("Agent/Official/OfficialAgentSchema.swift"),
}


class Tables:
    """A database that is filled row by row. Nothing is checked: what is hostile can be written, too."""

    def __init__(self, name):
        self.path = Path(f"making-{name}")
        self.path.unlink(missing_ok=True)
        self.connection = sqlite3.connect(self.path)
        script, names = SCHEMAS[name]
        self.connection.executescript(script)
        self.connection.executemany("INSERT INTO migrations (name, ts) VALUES (?, ?)", [(name, NOW) for name in names])

    def add(self, table, **values):
        """Inserts a row, with the times that every row has. The number of the row comes back."""
        columns = {row[1] for row in self.connection.execute(f"PRAGMA table_info({table})")}
        assert columns.issuperset(values), (table, set(values) - columns)
        values = {name: NOW for name in ("created_at", "updated_at") if name in columns} | values
        marks = ", ".join("?" * len(values))
        line = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})"
        return self.connection.execute(line, list(values.values())).lastrowid

    def run(self, *statements):
        for statement in statements:
            self.connection.execute(statement)
        return self

    def content(self):
        """The bytes of the file."""
        self.connection.commit()
        return self.connection.serialize()


class Store:
    """An app with one profile, and what is added."""

    def __init__(self):
        self.chat, self.agent = Tables(CHAT), Tables(AGENT)
        self.agent.add("users", user_id=1)
        self.user = self.profile("alice", active_user=1)

    def people(self, name, user, **profile):
        """A profile of somebody, and its name in the lists."""
        self.chat.add("display_names", user_id=user, local_display_name=name, ldn_base=name)
        return self.chat.add("contact_profiles", display_name=name, full_name="", user_id=user, **profile)

    def profile(self, name, **values):
        """A profile of the user, with its agent."""
        number = self.chat.connection.execute("SELECT coalesce(max(user_id), 0) + 1 FROM users").fetchone()[0]
        if number > 1:
            self.agent.add("users", user_id=number)
        profile = self.people(name, number)
        contact = self.chat.add("contacts", contact_profile_id=profile, user_id=number, local_display_name=name, is_user=1)
        self.chat.add("users", user_id=number, contact_id=contact, local_display_name=name, agent_user_id=number, **values)
        return number

    def contact(self, name, user=1, alias="", **values):
        profile = self.people(name, user, local_alias=alias)
        return self.chat.add(
            "contacts", contact_profile_id=profile, user_id=user, local_display_name=name, chat_ts=NOW, contact_used=1, **values
        )

    def connection(self, contact, user=1, kind=None):
        """A connection of a contact that is ready, with keys that nobody has. Its id in the agent comes back."""
        kind = kind or ED25519
        name = base64(os.urandom(12)).encode()
        agent = self.agent
        agent.run("INSERT OR IGNORE INTO servers VALUES ('relay.example', '5223', CAST('" + "A" * 43 + "=' AS BLOB))")
        agent.add("connections", conn_id=name, conn_mode="INV", user_id=user, smp_agent_version=7, pq_support=1)
        place = {"host": "relay.example", "port": "5223", "conn_id": name, "status": "active", "queue_mode": "M"}
        agent.add(
            "rcv_queues", rcv_id=os.urandom(24), rcv_private_key=der(kind), rcv_dh_secret=os.urandom(32),
            e2e_priv_key=der(X25519), e2e_dh_secret=os.urandom(32), snd_id=os.urandom(24), smp_client_version=4,
            rcv_queue_id=1, rcv_primary=1, **place,
        )
        agent.add(
            "snd_queues", snd_id=os.urandom(24), snd_private_key=der(kind), e2e_dh_secret=os.urandom(32),
            smp_client_version=4, e2e_pub_key=der(X25519_PUBLIC), snd_queue_id=1, snd_primary=1, **place,
        )
        agent.add("ratchets", conn_id=name, e2e_version=3, ratchet_state=json.dumps(ratchet()).encode())
        agent.add("skipped_messages", conn_id=name, header_key=os.urandom(32), msg_n=3, msg_key=b" " + os.urandom(48))
        self.chat.add(
            "connections", agent_conn_id=name, conn_status="ready", conn_type="contact", contact_id=contact, user_id=user,
            peer_chat_max_version=16,
        )
        return name

    def group(self, name, user=1, **values):
        """A group of the user, who is its owner."""
        self.chat.add("display_names", user_id=user, local_display_name=name, ldn_base=name)
        profile = self.chat.add("group_profiles", display_name=name, full_name="", user_id=user)
        group = self.chat.add(
            "groups", user_id=user, local_display_name=name, group_profile_id=profile, chat_ts=NOW, enable_ntfs=1, **values
        )
        own = self.chat.connection.execute(
            "SELECT c.contact_id, c.contact_profile_id, c.local_display_name FROM users u JOIN contacts c USING (contact_id)"
            " WHERE u.user_id = ?", (user,)
        ).fetchone()
        self.chat.add(
            "group_members", group_id=group, member_id=os.urandom(12), member_role="owner", member_category="user",
            member_status="creator", user_id=user, local_display_name=own[2], contact_profile_id=own[1], contact_id=own[0],
        )
        return group

    def member(self, group, name, user=1, **values):
        profile = self.people(name, user)
        row = {
            "member_id": os.urandom(12), "member_role": "member", "member_category": "invitee", "member_status": "left",
            "invited_by": None,
        } | values
        return self.chat.add(
            "group_members", group_id=group, user_id=user, local_display_name=name, contact_profile_id=profile, **row
        )

    def item(self, content, text="", sent=False, **values):
        """An entry of a conversation. `content` is what is said, or the whole content."""
        if isinstance(content, str):
            text, kind = content, "sndMsgContent" if sent else "rcvMsgContent"
            content = {kind: {"msgContent": {"type": "text", "text": content}}}
        row = {"user_id": 1, "item_status": "snd_sent complete" if sent else "rcv_read", "shared_msg_id": os.urandom(12)}
        return self.chat.add(
            "chat_items", item_sent=int(sent), item_ts=values.pop("item_ts", NOW), item_text=text,
            item_content=content if isinstance(content, bytes) else json.dumps(content),
            item_content_tag=next(iter(content), "") if isinstance(content, dict) else "", **(row | values),
        )

    def archive(self, files=(), passphrase=None):
        """The archive, with files of some names, encrypted with a passphrase."""
        databases = {CHAT: self.chat.content(), AGENT: self.agent.content()}
        if passphrase is not None:
            databases = {name: encrypted(content, passphrase) for name, content in databases.items()}
        return packed(databases, files)


# What stands in front of keys of these kinds in DER, and their sizes.
ED25519 = bytes.fromhex("302e020100300506032b657004220420"), 32
ED448 = bytes.fromhex("3047020100300506032b6571043b0439"), 57
X25519 = bytes.fromhex("302e020100300506032b656e04220420"), 32
X25519_PUBLIC = bytes.fromhex("302a300506032b656e032100"), 32
X448 = bytes.fromhex("3046020100300506032b656f043a0438"), 56
X448_PUBLIC = bytes.fromhex("3042300506032b656f033900"), 56


def der(kind):
    """A random key."""
    return kind[0] + os.urandom(kind[1])


def base64(content):
    return urlsafe_b64encode(content).decode()


def ratchet():
    """A ratchet that has sent and received."""
    secret = lambda: base64(os.urandom(32))
    return {
        "rcVersion": [3, 3], "rcAD": base64(os.urandom(112)), "rcDHRs": base64(base64(der(X448)).encode()),
        "rcRK": secret(), "rcNs": 1, "rcNr": 2, "rcPN": 0, "rcNHKs": secret(), "rcNHKr": secret(),
        "rcSnd": {"rcDHRr": base64(der(X448_PUBLIC)), "rcCKs": secret(), "rcHKs": secret()},
        "rcRcv": {"rcCKr": secret(), "rcHKr": secret()},
        "rcSupportKEM": True, "rcEnableKEM": True, "rcSndKEM": False, "rcRcvKEM": False,
    }


def packed(databases, files=()):
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in databases.items():
            archive.writestr(name, content)
        for name, content in dict(files).items():
            archive.writestr(FOLDER + name, content)
    return memory.getvalue()


def encrypted(content, passphrase):
    """A database as SQLCipher 4 writes it."""
    return sealed(with_reserve(content), passphrase)


def sealed(content, passphrase, salt=None):
    """The pages of a database with space for the marks of SQLCipher 4, whatever is in them."""
    salt = salt or os.urandom(16)
    key = hashlib.pbkdf2_hmac("sha512", passphrase.encode(), salt, ROUNDS, 32)
    seal = hashlib.pbkdf2_hmac("sha512", key, bytes(byte ^ 0x3A for byte in salt), 2, 32)
    pages = []
    for number, start in enumerate(range(0, len(content), PAGE), 1):
        vector = os.urandom(16)
        body = _aes(key, vector, content[start + (16 if number == 1 else 0) : start + PAGE - RESERVE])
        tag = hmac.new(seal, body + vector + number.to_bytes(4, "little"), "sha512").digest()
        pages.append((salt if number == 1 else b"") + body + vector + tag)
    return b"".join(pages)


def with_reserve(content):
    """The same database with bytes at the end of each page that SQLite leaves alone."""
    old, new = Path("old.db"), Path("new.db")
    new.unlink(missing_ok=True)
    old.write_bytes(content)
    empty = sqlite3.connect(new)
    empty.execute("PRAGMA user_version=1")
    empty.close()
    # Byte 20 of the header is their number. Where the first page ends stands in the header of its tree.
    raw = bytearray(new.read_bytes())
    raw[20], raw[105:107] = RESERVE, (PAGE - RESERVE).to_bytes(2, "big")
    new.write_bytes(raw)
    target = sqlite3.connect(new)
    target.executescript("\n".join(sqlite3.connect(old).iterdump()))
    target.close()
    content = new.read_bytes()
    assert content[20] == RESERVE and len(content) % PAGE == 0
    return content


def _aes(key, vector, plain):
    """AES-256-CBC without padding. Python has none; the library of its TLS has."""
    context = ctypes.c_void_p(LIBRARY.EVP_CIPHER_CTX_new())
    cipher = ctypes.c_void_p(LIBRARY.EVP_aes_256_cbc())
    assert LIBRARY.EVP_EncryptInit_ex(context, cipher, None, key, vector) == 1
    LIBRARY.EVP_CIPHER_CTX_set_padding(context, 0)
    out, count = ctypes.create_string_buffer(len(plain)), ctypes.c_int()
    assert LIBRARY.EVP_EncryptUpdate(context, out, ctypes.byref(count), plain, len(plain)) == 1
    LIBRARY.EVP_CIPHER_CTX_free(context)
    return out.raw[: count.value]
