"""Long descriptions and badges of newer clients are shown, the badge as not verified, and are passed on as they came."""

import json

from support.stage import Stage

stage = Stage()
relay = stage.relay().start()
for name in ("alice", "bob"):
    stage.person(name, relay)
badge = {
    "badgeKeyIdx": 7,
    "presHeader": "AA",
    "proof": "BB",
    "badgeInfo": {"badgeType": "legend", "badgeExpiry": "2027-01-02T03:04:05Z", "badgeExtra": ""},
}
profile = {"displayName": "bob", "fullName": "", "shortDescr": "short", "description": "A long one\nof two lines"}
claims = {"badge": badge, "localBadge": {"badge": badge["badgeInfo"], "status": "active"}}
stage.tacit("bob", "api", f"/_profile 1 {json.dumps(profile | claims)}")
stage.connect("alice", "bob")
stage.play(r"""
    alice$ tacit contact show @bob | grep -E '^(bio|description|badge)'
    bio           short
    description   A long one\nof two lines
    badge         legend, expires YYYY-MM-DD hh:mm (not verified)
""")
shown = stage.tacit("alice", "contact", "show", "@bob", "--json").objects[0]
assert shown["description"] == profile["description"], shown
assert (shown["badge"], shown["badge_expires_at"]) == ("legend", "2027-01-02T03:04:05.000Z"), shown

# For the API the issuer is not known, whatever the contact says of its own badge.
answer = json.loads(stage.tacit("alice", "api", "/_contacts 1").out)
api = answer["result"]["contacts"][0]["profile"]
assert api["localBadge"] == {"badge": badge["badgeInfo"], "status": "unknownKey"}, api
assert api["badge"] == badge, api

# Members get both; a description with a link does not go to a group that refuses links.
stage.tacit("alice", "group", "create", "team")
stage.tacit("alice", "group", "invite", "+team", "@bob")
stage.tacit("bob", "fetch")
stage.tacit("bob", "group", "join", "+team")
stage.tacit("alice", "fetch")
member = stage.tacit("alice", "group", "member", "+team/@bob", "--json").objects[0]
assert member["description"] == profile["description"] and member["badge"] == "legend", member
