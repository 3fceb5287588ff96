"""Ids of messages: lists show them, read and fetch on request, and last means the newest message that fits."""
# limit: 120

import json

from support.process import wait_until
from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
stage.person("cat", relay)
stage.connect("alice", "cat")


def fetch(*people):
    for name in people:
        stage.tacit(name, "fetch", "-qq")


def message(person, *words):
    return json.loads(stage.tacit(person, "read", *words, "--last", "1", "--json").out.splitlines()[-1])


stage.play(r'''
    alice$ tacit message react last heart
    ! tacit: cannot react to the message 'last': no received message was found
    !   try: tacit list messages    show the newest messages and their ids
    [67]
    alice$ tacit message edit last x
    ! tacit: cannot edit the message 'last': no sent message was found
    !   try: tacit list messages    show the newest messages and their ids
    [67]
    alice$ tacit send @bob one
    sent @bob m1
    alice$ tacit send @cat two --wait queued
    queued @cat m2
''')
# Lists have the ids under a title; text for people says them with --ids or the setting read.ids.
stage.play(r'''
    alice$ tacit list outbox | cut -c 1-7
    ID     
    m2     
    alice$ tacit outbox list | cut -c 1-7
    ID     
    m2     
    alice$ tacit list messages | cut -c 1-7
    ID     
    m1     
    m2     
    alice$ tacit message search one | cut -c 1-7
    ID     
    m1     
    alice$ tacit message search nothing
    alice$ tacit read --ids | cut -c 1-7
    m1     
    m2     
    alice$ tacit read --ids --cursor bot --peek | cut -c 1-7
    m1     
    m2     
    alice$ tacit read | grep -c '^m'
    0
    [1]
    alice$ tacit config set read.ids yes -q
    alice$ tacit read | cut -c 1-7
    m1     
    m2     
    alice$ tacit read --no-ids | grep -c '^m'
    0
    [1]
''')
fetch("alice")
assert "m1     " in stage.tacit("bob", "fetch", "--ids").out
stage.tacit("bob", "config", "set", "read.ids", "yes")
stage.tacit("alice", "send", "@bob", "three")
assert stage.tacit("bob", "fetch").out.startswith("m2     ")

# What last means.
stage.tacit("bob", "message", "react", "last", "heart")
assert message("bob", "@alice")["reactions"][0]["direction"] == "out"
stage.tacit("bob", "send", "@alice", "answer", "--reply-to", "last")
assert message("bob", "@alice")["quote"]["text"] == "three"
stage.tacit("bob", "message", "edit", "last", "better")
fetch("alice")
assert message("alice", "@bob")["text"] == "better"
fetch("cat")
stage.tacit("cat", "send", "@alice", "four")
fetch("alice")
# The newest of all chats, or that of one.
stage.tacit("alice", "message", "react", "last", "thumbs-up", "--in", "@bob")
assert message("alice", "@bob")["reactions"][0]["direction"] == "out"
stage.tacit("alice", "message", "react", "last", "thumbs-up")
assert message("alice", "@cat")["reactions"][0]["direction"] == "out"
stage.tacit("alice", "send", "@bob", "to bob", "--reply-to", "last")
assert message("alice", "@bob")["quote"]["text"] == "better"
stage.tacit("alice", "message", "delete", "last", "--in", "@cat")
assert [each["text"] for each in map(json.loads, stage.tacit("alice", "read", "@cat", "--json").out.splitlines())] == ["four"]
shown = stage.tacit("alice", "message", "show", "last", "m1", "--in", "@cat", "--json").objects
assert [(each["chat"], each["text"]) for each in shown] == [("@cat", "four"), ("@bob", "one")], shown
assert stage.tacit("alice", "message", "show", "last", "--json").objects[0]["text"] == "to bob"
stage.tacit("alice", "message", "wait", "last", "--in", "@bob", "--for", "sent")
stage.tacit("alice", "message", "wait", "last", "--in", "@cat", expect=67)
stage.tacit("alice", "message", "delete", "last", "--everywhere")
fetch("bob")
assert message("bob", "@alice")["deleted_at"]
stage.play(r'''
    alice$ tacit message react m1 heart --in @bob
    ! tacit: '--in' needs the message 'last'
    !   try: tacit message react last thumbs-up --in @alice
    [64]
    alice$ tacit help targets | grep -c ' last  '
    1
''')
