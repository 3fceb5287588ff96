"""Conditions of use: those of today are shown and accepted; who accepted former ones is told once, and goes on."""

import json
import sqlite3

from support.stage import Stage

CURRENT = "05f99634c470f8bddac20046947a0606938b22ad"
FORMER = "7471fd2af5838dc0467aebc570b5ea75e5df3209"

stage = Stage()
database = stage.place("alice") / "simplex_v1_chat.db"
link = f"https://github.com/simplex-chat/simplex-chat/blob/{CURRENT}/PRIVACY.md"
assert link in stage.tacit(None, "help", "init").out
stage.tacit("alice", "init", "--name", "alice", "--accept-conditions", "--no-encryption")


def accepted():
    connection = sqlite3.connect(database)
    try:
        return {row[0] for row in connection.execute("SELECT version FROM accepted_conditions")}
    finally:
        connection.close()


def operators():
    answer = json.loads(stage.tacit("alice", "api", "/_operators").out.splitlines()[-1])["result"]
    return {each["operatorTag"]: each for each in answer["conditions"]["serverOperators"]}


assert accepted() == {CURRENT}
assert stage.tacit("alice", "fetch").err.count("conditions") == 0
# Files go to the relays of both operators.
for tag in ("simplex", "flux"):
    assert operators()[tag]["conditionsAcceptance"]["type"] == "accepted"
    assert operators()[tag]["xftpRoles"]["storage"] and operators()[tag]["smpRoles"]["names"]

connection = sqlite3.connect(database)
connection.execute("UPDATE accepted_conditions SET version = ?", (FORMER,))
connection.commit()
connection.close()
assert "conditions" not in stage.tacit("alice", "fetch", "-q").err
told = stage.tacit("alice", "fetch").err
assert link in told and "tacit init --if-missing --accept-conditions" in told, told
assert "conditions" not in stage.tacit("alice", "fetch").err
# The relays stay in use, and the conditions can be accepted at any time.
assert [each for each in map(json.loads, stage.tacit("alice", "server", "list", "--json").out.splitlines()) if each["used"]]
stage.tacit("alice", "init", "--if-missing", "--accept-conditions")
assert accepted() == {CURRENT, FORMER}
assert operators()["flux"]["conditionsAcceptance"]["type"] == "accepted"
