"""Stores of older versions are upgraded, those of newer ones refused with what to do, and steps are taken back."""
# limit: 180

import os
import sqlite3
from pathlib import Path

from support.stage import Stage

stage = Stage()
DUMPS = Path(os.environ["TACIT_REPOSITORY"]) / "Tests/Fixtures/Stores"
TEXTS = ["hello from before", "an answer, unread", "and one more", "in the outbox"]


def store(person, chat, agent):
    """A store as an older version left it."""
    folder = stage.place(person)
    folder.mkdir(mode=0o700)
    for name, number in (("chat", chat), ("agent", agent)):
        database = sqlite3.connect(folder / f"simplex_v1_{name}.db")
        database.executescript((DUMPS / f"{name}-{number}.sql").read_text())
        database.close()
        (folder / f"simplex_v1_{name}.db").chmod(0o600)


def texts(person):
    return [message["text"] for message in stage.tacit(person, "read", "@bob", "--json").objects]


# Whoever comes first upgrades: a reader, or a writer. The steps of the two files do not read each other's tables, so each schema of
# one meets the oldest and the newest of the other.
newest = {name: len(list(DUMPS.glob(f"{name}-*.sql"))) for name in ("chat", "agent")}
pairs = {(chat, agent) for chat in range(1, newest["chat"] + 1) for agent in (1, newest["agent"])}
pairs |= {(chat, agent) for chat in (1, newest["chat"]) for agent in range(1, newest["agent"] + 1)}
for chat, agent in sorted(pairs):
    store(f"a{chat}-{agent}", chat, agent)
    assert texts(f"a{chat}-{agent}") == TEXTS, (chat, agent)
store("writer", 1, 1)
stage.tacit("writer", "profile", "create", "second")
assert texts("writer") == TEXTS

store("alice", 2, 1)
stage.play(r'''
    alice$ tacit db upgrade --confirm error
    ! tacit: cannot upgrade the store: the store is from an older version of tacit
    !   why: migrations: 11 of them
    !   try: tacit db upgrade    apply the migrations
    [69]
    alice$ tacit db upgrade --confirm error --json
    ! {"v":1,"type":"error","code":"store.older","exit":69,"message":"cannot upgrade the store: the store is from an older version of tacit","why":"migrations: 11 of them","try":["tacit db upgrade"],"details":{"migration":{"type":"errorMigration","dbFile":"/stage/alice/simplex_v1_agent.db","migrationError":{"type":"upgrade","upMigrations":[{"upName":"2 links","withDown":true},{"upName":"3 rotation, synchronization, receipts","withDown":true},{"upName":"4 short links of addresses that had none","withDown":true},{"upName":"5 skipped keys by header key","withDown":true},{"upName":"6 events that were set aside","withDown":true},{"upName":"7 seen messages by connection","withDown":true},{"upName":"8 limits for what messages cause","withDown":true},{"upName":"9 files","withDown":true},{"upName":"10 digests of received files","withDown":true},{"upName":"11 notices of relays about abuse","withDown":true},{"upName":"12 agreements with uncertain roles","withDown":true}]}}}}
    [69]
    alice$ tacit db upgrade
    applied migration 2 links
    applied migration 3 rotation, synchronization, receipts
    applied migration 4 short links of addresses that had none
    applied migration 5 skipped keys by header key
    applied migration 6 events that were set aside
    applied migration 7 seen messages by connection
    applied migration 8 limits for what messages cause
    applied migration 9 files
    applied migration 10 digests of received files
    applied migration 11 notices of relays about abuse
    applied migration 12 agreements with uncertain roles
    applied migration 3 addresses, requests
    applied migration 4 receipts, errors of connections
    applied migration 5 operators of servers
    applied migration 6 messages held up, queues on the move, profiles to be told
    applied migration 7 exports
    applied migration 8 cursors, changes of messages, care of contacts
    applied migration 9 sessions, hooks, notes, messages that disappear, hidden profiles
    applied migration 10 messages that were not confirmed
    applied migration 11 copies of stores, ratchets out of step, security codes that changed
    applied migration 12 retention, messages in parts, failures behind cursors
    applied migration 13 hooks by chat
    applied migration 14 chats with contacts, in groups, and notes
    applied migration 15 versions of messages, live messages, sources of forwarded messages, keys of calls
    applied migration 16 tags, favourites, aliases, preferences of contacts
    applied migration 17 contacts that are prepared from a link
    applied migration 18 groups and their members
    applied migration 19 files
    applied migration 20 lists of chats, the form of reactions
    applied migration 21 ends of files, choice of file relays
    applied migration 22 newest entries for lists of chats
    applied migration 23 keys of group members
    applied migration 24 channels of imported archives
    applied migration 25 channels
    applied migration 26 deliveries of a chat relay
    applied migration 27 chat relays of profiles and of channels
    applied migration 28 signed originals of posts
    backup: /stage/alice/simplex_v1_agent.db.bak
    backup: /stage/alice/simplex_v1_chat.db.bak
    alice$ tacit db upgrade --confirm error
    the store has the schema of this version
    alice$ tacit db upgrade --confirm maybe
    ! tacit: the value of '--confirm' cannot be 'maybe'; expected error, yes-up or yes-up-down
    [64]
    alice$ ls alice
    lock
    simplex_v1_agent.db
    simplex_v1_agent.db.bak
    simplex_v1_chat.db
    simplex_v1_chat.db.bak
''')

# A store of a newer version: the way back stands in it.
database = sqlite3.connect("alice/simplex_v1_chat.db")
database.execute("CREATE TABLE future (id INTEGER)")
database.execute(
    "INSERT INTO migrations (number, name, hash, down, loses) VALUES (99, 'the future', x'00', 'DROP TABLE future', 'what is to come')"
)
database.commit()
database.close()
stage.play(r'''
    alice$ tacit list
    ! tacit: cannot list chats: the store is from a newer version of tacit
    !   try: tacit db upgrade --confirm error    show the differences
    [69]
    alice$ tacit db upgrade
    ! tacit: cannot upgrade the store: the store is from a newer version of tacit
    !   why: migrations to revert: 99 the future
    !        reverting deletes what is to come
    !   try: tacit version                             install a newer version if possible
    !   try: tacit db upgrade --confirm yes-up-down    downgrade and lose this data
    [69]
    alice$ tacit db upgrade --json
    ! {"v":1,"type":"error","code":"store.newer","exit":69,"message":"cannot upgrade the store: the store is from a newer version of tacit","why":"migrations to revert: 99 the future\nreverting deletes what is to come","try":["tacit version","tacit db upgrade --confirm yes-up-down"],"details":{"migration":{"type":"errorMigration","dbFile":"/stage/alice/simplex_v1_chat.db","migrationError":{"type":"downgrade","downMigrations":["99 the future"]}}}}
    [69]
    alice$ tacit db upgrade --confirm yes-up-down
    reverted migration 99 the future
    backup: /stage/alice/simplex_v1_agent.db.bak
    backup: /stage/alice/simplex_v1_chat.db.bak
    alice$ tacit list --plain --fields name
    bob
''')
database = sqlite3.connect("alice/simplex_v1_chat.db")
database.execute("INSERT INTO migrations (number, name, hash) VALUES (99, 'the future', x'00')")
database.commit()
database.close()
stage.play(r'''
    alice$ tacit db upgrade --confirm yes-up-down
    ! tacit: cannot upgrade the store: the store is from a newer version of tacit
    !   why: cannot be reverted: 99 the future
    !   try: tacit version    install a newer version
    [69]
''')

# An encrypted store of an older version, and its copy, which is encrypted too.
store("eve", 1, 1)
stage.tacit("eve", "db", "encrypt", "--new-key-file", "eve/key")
stage.play(r'''
    eve$ tacit db upgrade
    applied migration 2 links
    applied migration 3 rotation, synchronization, receipts
    applied migration 4 short links of addresses that had none
    applied migration 5 skipped keys by header key
    applied migration 6 events that were set aside
    applied migration 7 seen messages by connection
    applied migration 8 limits for what messages cause
    applied migration 9 files
    applied migration 10 digests of received files
    applied migration 11 notices of relays about abuse
    applied migration 12 agreements with uncertain roles
    applied migration 2 post-quantum keys
    applied migration 3 addresses, requests
    applied migration 4 receipts, errors of connections
    applied migration 5 operators of servers
    applied migration 6 messages held up, queues on the move, profiles to be told
    applied migration 7 exports
    applied migration 8 cursors, changes of messages, care of contacts
    applied migration 9 sessions, hooks, notes, messages that disappear, hidden profiles
    applied migration 10 messages that were not confirmed
    applied migration 11 copies of stores, ratchets out of step, security codes that changed
    applied migration 12 retention, messages in parts, failures behind cursors
    applied migration 13 hooks by chat
    applied migration 14 chats with contacts, in groups, and notes
    applied migration 15 versions of messages, live messages, sources of forwarded messages, keys of calls
    applied migration 16 tags, favourites, aliases, preferences of contacts
    applied migration 17 contacts that are prepared from a link
    applied migration 18 groups and their members
    applied migration 19 files
    applied migration 20 lists of chats, the form of reactions
    applied migration 21 ends of files, choice of file relays
    applied migration 22 newest entries for lists of chats
    applied migration 23 keys of group members
    applied migration 24 channels of imported archives
    applied migration 25 channels
    applied migration 26 deliveries of a chat relay
    applied migration 27 chat relays of profiles and of channels
    applied migration 28 signed originals of posts
    backup: /stage/eve/simplex_v1_agent.db.bak
    backup: /stage/eve/simplex_v1_chat.db.bak
    eve$ tacit read @bob --plain --fields text
    hello from before
    an answer, unread
    and one more
    in the outbox
    eve$ head -c 15 eve/simplex_v1_chat.db.bak; echo
    tacit encrypted
    eve$ tacit db rekey --new-passphrase-file eve/key; ls eve | grep -v -e -wal -e -shm
    the store has a new key
    key
    lock
    simplex_v1_agent.db
    simplex_v1_chat.db
''')
