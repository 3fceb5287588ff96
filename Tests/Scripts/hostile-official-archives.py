# limit: 300
"""Archives like those of the official apps that are not honest: each is refused with 65, and the store stays as it is to the
last byte. What is only odd may be refused, or left out, and never ends the program."""

import json
import os
import sqlite3
import zipfile
from pathlib import Path

from support.archives import contents, refuse
from support.official import AGENT, CHAT, NOW, PAGE, Store, encrypted, packed, ratchet
from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
stage.person("alice", relay)

sample = Store()
bob = sample.contact("bob")
connection = sample.connection(bob)
sample.item("hello", contact_id=bob)
sample.item("hi", contact_id=bob, sent=True)
team = sample.group("team")
dave = sample.member(team, "dave")
sample.item("hello all", group_id=team, group_member_id=dave)
chat, agent = sample.chat.content(), sample.agent.content()


def changed(content, *statements):
    """A database after some statements that its own program would never make."""
    connection = sqlite3.connect(":memory:")
    connection.deserialize(content)
    connection.executescript("PRAGMA ignore_check_constraints=ON; PRAGMA writable_schema=ON; PRAGMA trusted_schema=ON;")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    return connection.serialize()


def with_chat(*statements):
    return packed({CHAT: changed(chat, *statements), AGENT: agent})


def with_agent(*statements):
    return packed({CHAT: chat, AGENT: changed(agent, *statements)})


def with_ratchet(**values):
    state = json.dumps({name: value for name, value in (ratchet() | values).items() if value is not None})
    return with_agent(f"UPDATE ratchets SET ratchet_state = CAST('{state}' AS BLOB)")


def with_bytes(*changes):
    """The chat database with some bytes replaced."""
    content = bytearray(chat)
    for place, new in changes:
        content[place : place + len(new)] = new
    return packed({CHAT: bytes(content), AGENT: agent})


def root(table):
    """Where the first page of a table begins."""
    connection = sqlite3.connect(":memory:")
    connection.deserialize(chat)
    return (connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", [table]).fetchone()[0] - 1) * PAGE


def other_encoding():
    """The same tables in UTF-16."""
    path = Path("other.db")
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA encoding='UTF-16le'")
    source = sqlite3.connect(":memory:")
    source.deserialize(chat)
    connection.executescript("\n".join(source.iterdump()))
    connection.close()
    return packed({CHAT: path.read_bytes(), AGENT: agent})


def sealed(*changes, chat_content=chat, cut=0):
    """An encrypted archive of which some bytes are changed."""
    content = bytearray(encrypted(chat_content, "secret"))
    for place in changes:
        content[place] ^= 1
    return packed({CHAT: bytes(content[: len(content) - cut]), AGENT: encrypted(agent, "secret")})


def exchanged():
    content = encrypted(chat, "secret")
    content = content[:PAGE] + content[2 * PAGE : 3 * PAGE] + content[PAGE : 2 * PAGE] + content[3 * PAGE :]
    return packed({CHAT: content, AGENT: encrypted(agent, "secret")})


items, contacts = root("chat_items"), root("contacts")
page = lambda number: number.to_bytes(4, "big")
REFUSED = {
    # Schemas with something that runs, or with nothing.
    "trigger": with_chat("CREATE TRIGGER evil AFTER INSERT ON users BEGIN DELETE FROM users; END"),
    "view": with_chat("CREATE VIEW evil AS SELECT load_extension('evil')"),
    "view-as-table": with_chat("ALTER TABLE users RENAME TO people", "CREATE VIEW users AS SELECT * FROM people"),
    "virtual-table": with_chat("CREATE VIRTUAL TABLE evil USING fts5(a)"),
    "unknown-module": with_chat(
        "INSERT INTO sqlite_schema VALUES ('table', 'evil', 'evil', 0, 'CREATE VIRTUAL TABLE evil USING evil(a)')"
    ),
    "generated-column": with_chat("ALTER TABLE users ADD COLUMN evil AS (randomblob(1000000000))"),
    "no-sql": with_chat("UPDATE sqlite_schema SET sql = 'CREATE TABLE users' WHERE name = 'users'"),
    "not-a-page": with_chat("UPDATE sqlite_schema SET rootpage = 1000000 WHERE name = 'users'"),
    "negative-page": with_chat("UPDATE sqlite_schema SET rootpage = -1 WHERE name = 'users'"),
    "shared-page": with_chat(
        "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'contacts') WHERE name = 'users'"
    ),
    "no-users": with_chat("DELETE FROM users"),
    "no-table": with_chat("DROP TABLE users"),
    "older": with_chat("DELETE FROM migrations WHERE name > '20230101'"),
    "missing-step": with_chat("DELETE FROM migrations WHERE name = '20220122_v1_1'"),
    "no-steps": with_chat("DELETE FROM migrations"),
    "other-encoding": other_encoding(),
    "exchanged": packed({CHAT: agent, AGENT: chat}),
    "same-twice": packed({CHAT: chat, AGENT: chat}),
    # Pages.
    "cut": packed({CHAT: chat[: len(chat) // 2], AGENT: agent}),
    "header-alone": packed({CHAT: chat[:100], AGENT: agent}),
    "page-of-noise": with_bytes((items, os.urandom(PAGE))),
    "page-of-zeros": with_bytes((items, bytes(PAGE))),
    "many-cells": with_bytes((items + 3, b"\xff\xff")),
    "cells-elsewhere": with_bytes((items + 5, b"\x00\x01")),
    "own-child": with_bytes((items, b"\x05"), (items + 8, page(items // PAGE + 1))),
    "page-size": with_bytes((16, b"\x02\x00")),
    "page-size-of-nothing": with_bytes((16, b"\x00\x03")),
    "reserve": with_bytes((20, b"\xff")),
    "free-pages": with_bytes((32, page(5)), (36, page(1000))),
    "future-format": with_bytes((18, b"\x09\x09")),
    # Values of other kinds, too large, or out of range.
    "text-as-number": with_chat("UPDATE contacts SET unread_chat = 'many' WHERE local_display_name = 'bob'"),
    "blob-as-text": with_chat("UPDATE contact_profiles SET display_name = x'ff00' WHERE display_name = 'bob'"),
    "nothing-as-text": with_chat("UPDATE chat_items SET item_content = ''"),
    "no-text": with_chat("UPDATE chat_items SET item_content = CAST(x'c328' AS TEXT)"),
    "no-json": with_chat("UPDATE chat_items SET item_content = 'hello'"),
    "deep-json": with_chat("UPDATE chat_items SET item_content = '" + "[" * 100_000 + "'"),
    "no-time": with_chat("UPDATE chat_items SET item_ts = 'yesterday'"),
    "late-time": with_chat("UPDATE chat_items SET item_ts = '99999-01-01 00:00:00'"),
    "negative-size": with_chat(
        "INSERT INTO files (file_name, file_size, chunk_size, user_id, chat_item_id, updated_at, protocol)"
        " VALUES ('a', -5, 1, 1, 1, '2026-01-01 00:00:00', 'xftp')"
    ),
    "unknown-protocol": with_chat(
        "INSERT INTO files (file_name, file_size, chunk_size, user_id, chat_item_id, updated_at, protocol)"
        " VALUES ('a', 5, 1, 1, 1, '2026-01-01 00:00:00', 'evil')"
    ),
    "short-file-key": with_chat(
        "INSERT INTO files (file_name, file_size, chunk_size, user_id, chat_item_id, updated_at, protocol, file_crypto_key,"
        " file_crypto_nonce) VALUES ('a', 5, 1, 1, 1, '2026-01-01 00:00:00', 'xftp', x'00', x'00')"
    ),
    "huge-picture": with_chat("UPDATE contact_profiles SET image = hex(randomblob(10000000)) WHERE display_name = 'bob'"),
    "zeros-without-end": with_chat("UPDATE contacts SET custom_data = zeroblob(40000000)"),
    "zero-id": with_chat("UPDATE contacts SET contact_id = 0 WHERE local_display_name = 'bob'"),
    "negative-id": with_chat("UPDATE contacts SET contact_id = -7 WHERE local_display_name = 'bob'"),
    "no-member-id": with_chat("UPDATE group_members SET member_id = x'' WHERE member_category = 'invitee'"),
    "long-member-id": with_chat("UPDATE group_members SET member_id = zeroblob(300) WHERE member_category = 'invitee'"),
    "long-message-id": with_chat("UPDATE chat_items SET shared_msg_id = zeroblob(300) WHERE chat_item_id = 1"),
    "unknown-status": with_chat("UPDATE group_members SET member_status = 'dead'"),
    # Rows that do not fit together.
    "user-without-profile": with_chat("UPDATE users SET contact_id = 99"),
    "contact-without-profile": with_chat("UPDATE contacts SET contact_profile_id = 99 WHERE local_display_name = 'bob'"),
    "group-without-profile": with_chat("UPDATE groups SET group_profile_id = NULL"),
    "group-without-user": with_chat("DELETE FROM group_members WHERE member_category = 'user'"),
    # The agent.
    "no-ratchet-json": with_agent("UPDATE ratchets SET ratchet_state = CAST('hello' AS BLOB)"),
    "large-ratchet": with_agent("UPDATE ratchets SET ratchet_state = zeroblob(100000)"),
    "ratchet-version": with_ratchet(rcVersion=[900, 900]),
    "ratchet-short-key": with_ratchet(rcRK="AAAA"),
    "ratchet-no-key": with_ratchet(rcDHRs=None),
    "ratchet-wrong-key": with_ratchet(rcDHRs="AAAA"),
    "ratchet-negative-count": with_ratchet(rcNs=-1),
    "ratchet-large-count": with_ratchet(rcNr=1 << 40),
    "ratchet-short-data": with_ratchet(rcAD="AAAA"),
    "ratchet-kem": with_ratchet(rcKEM={"rcPQRs": ["AAAA", "AAAA"]}),
    "skipped-number": with_agent("UPDATE skipped_messages SET msg_n = -1"),
    "skipped-key": with_agent("UPDATE skipped_messages SET msg_key = x'2000'"),
    "skipped-header-key": with_agent("UPDATE skipped_messages SET header_key = x'00'"),
    "queue-key": with_agent("UPDATE rcv_queues SET rcv_private_key = zeroblob(48)"),
    "queue-secret": with_agent("UPDATE rcv_queues SET rcv_dh_secret = zeroblob(31)"),
    "queue-id": with_agent("UPDATE rcv_queues SET rcv_id = zeroblob(256)"),
    "queue-status": with_agent("UPDATE rcv_queues SET status = 'lost'"),
    "queue-version": with_agent("UPDATE snd_queues SET smp_client_version = -1"),
    "queue-without-relay": with_agent("DELETE FROM servers"),
    "relay-without-fingerprint": with_agent("UPDATE servers SET key_hash = CAST('AAAA' AS BLOB)"),
    "relay-in-a-shell": with_agent("UPDATE rcv_queues SET host = '$(touch /tmp/evil)'"),
    "number-of-messages": with_agent("UPDATE connections SET last_internal_snd_msg_id = -5"),
    "sync-state": with_agent("UPDATE connections SET ratchet_sync_state = 'evil'"),
    "command": with_agent(
        "INSERT INTO commands (conn_id, corr_id, command_tag, command) SELECT conn_id, x'', 'LET', CAST('CLIENT LET x 99\n' AS BLOB)"
        " FROM connections"
    ),
    # Encrypted ones.
    "sealed-second-page": sealed(PAGE + 5),
    "sealed-last-page": sealed(-1),
    "sealed-cut": sealed(cut=PAGE // 2),
    "sealed-fewer-pages": sealed(cut=PAGE),
    "sealed-exchanged": exchanged(),
}

ODD = {
    "unknown-role": with_chat("UPDATE group_members SET member_role = 'emperor'"),
    "deleted-profile": with_agent("UPDATE users SET deleted = 1"),
    "no-agent-user": with_agent("DELETE FROM users"),
    "no-connections": with_agent("DELETE FROM connections"),
    "no-queues": with_agent("DELETE FROM rcv_queues"),
    "no-ratchet": with_agent("DELETE FROM ratchets"),
    "two-primary-queues": with_agent(
        "INSERT INTO rcv_queues SELECT host, port, x'0102', conn_id, rcv_private_key, rcv_dh_secret, e2e_priv_key, e2e_dh_secret,"
        " x'0304', snd_key, status, smp_server_version, smp_client_version, NULL, NULL, NULL, NULL, 2, 1, NULL, 0, NULL, NULL, 0,"
        " NULL, NULL, NULL, NULL, NULL, 'M' FROM rcv_queues"
    ),
    "queues-replace-each-other": with_agent("UPDATE rcv_queues SET replace_rcv_queue_id = 1"),
    "large-ids": with_chat(f"UPDATE chat_items SET chat_item_id = {2**63 - 1} WHERE chat_item_id = 3"),
    "real-number": with_chat("UPDATE chat_items SET timed_ttl = 1.5"),
    "unknown-kind": with_chat("UPDATE chat_items SET item_content = '{\"evil\":{}}'"),
    "unknown-state": with_chat("UPDATE chat_items SET item_status = 'evil'"),
    "quotes-itself": with_chat("UPDATE chat_items SET quoted_shared_msg_id = shared_msg_id, quoted_sent = 0"),
    "item-of-two-chats": with_chat("UPDATE chat_items SET contact_id = 2, group_id = 1"),
    "item-of-nobody": with_chat("UPDATE chat_items SET contact_id = 99, group_id = NULL"),
    "item-of-a-strange-member": with_chat("UPDATE chat_items SET group_member_id = 99"),
    "members-invite-each-other": with_chat(
        "UPDATE group_members SET invited_by_group_member_id = 3 - group_member_id"
    ),
    "contact-of-another": with_chat("UPDATE contacts SET user_id = 99 WHERE local_display_name = 'bob'"),
    "two-connections": with_chat(
        "INSERT INTO connections (agent_conn_id, conn_status, conn_type, contact_id, user_id, updated_at)"
        " SELECT x'00', 'ready', 'contact', contact_id, user_id, updated_at FROM connections"
    ),
    "connection-of-two": with_chat("UPDATE connections SET group_member_id = 2"),
    "same-names": with_chat("UPDATE contact_profiles SET display_name = 'same'"),
    "strange-name": with_chat("UPDATE contact_profiles SET display_name = char(27) || '[2J' || char(8238) || x'' WHERE user_id = 1"),
    "empty-name": with_chat("UPDATE contact_profiles SET display_name = ''"),
    "long-name": with_chat("UPDATE contact_profiles SET display_name = hex(randomblob(100000))"),
    "nobody-is-active": with_chat("UPDATE users SET active_user = 0"),
    "file-elsewhere": with_chat(
        "INSERT INTO files (file_name, file_path, file_size, chunk_size, user_id, chat_item_id, updated_at, protocol,"
        " ci_file_status) VALUES ('../a', '/etc/passwd', 5, 1, 1, 2, '2026-01-01 00:00:00', 'xftp', 'snd_complete')"
    ),
    "preferences": with_chat("UPDATE contacts SET user_preferences = '{\"voice\":7}'"),
    "zero-message-id": with_chat("UPDATE chat_items SET shared_msg_id = x'' WHERE chat_item_id = 1"),
    "garbage-agent-message": with_agent(
        "INSERT INTO messages (conn_id, internal_id, internal_ts, internal_rcv_id, msg_type, msg_body)"
        f" SELECT conn_id, 1, '{NOW}', 1, 'M', x'00' FROM connections",
        "INSERT INTO rcv_messages (conn_id, internal_rcv_id, internal_id, external_snd_id, broker_id, broker_ts, internal_hash,"
        f" external_prev_snd_hash, integrity, rcv_queue_id) SELECT conn_id, 1, 1, 1, x'01', '{NOW}', x'', x'', 'OK', 1"
        " FROM connections",
    ),
}


words = Path("words")
words.write_text("secret\n")
words.chmod(0o600)
before = contents(stage.place("alice"))
refuse(stage, "alice", REFUSED, lambda name: ["--passphrase-file", str(words)] if name.startswith("sealed") else [])
wrong = []
for name, content in ODD.items():
    path = Path(f"{name}.zip")
    path.write_bytes(content)
    ended = stage.shell("alice", f"tacit import --dry-run {path} --json")
    if ended.code not in (0, 65):
        wrong.append((name, ended.code, ended.err[:300]))
    path.unlink()
assert not wrong, "\n".join(map(str, wrong))
assert contents(stage.place("alice")) == before

# A later version is no mistake of the archive. Nor is noise: it may be encrypted.
Path("newer.zip").write_bytes(with_chat(f"INSERT INTO migrations (name, ts) VALUES ('29990101_future', '{NOW}')"))
assert stage.tacit("alice", "import", "--dry-run", "newer.zip", "--json", expect=69).error["code"] == "archive.newer"
Path("noise.zip").write_bytes(packed({CHAT: os.urandom(2 * PAGE), AGENT: os.urandom(2 * PAGE)}))
assert stage.tacit("alice", "import", "--dry-run", "noise.zip", "--json", expect=77).error["code"] == "key.missing"
line = ["import", "--dry-run", "noise.zip", "--passphrase-file", str(words), "--json"]
assert stage.tacit("alice", *line, expect=77).error["code"] == "key.wrong"
assert contents(stage.place("alice")) == before
