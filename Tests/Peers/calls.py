"""The independent agent calls somebody who sits in a session: what is shown, and what the caller is told."""

import base64
import json
import secrets
import sys
from pathlib import Path

from waiting import Failure, until

sys.path.append(str(Path(__file__).resolve().parent.parent / "Scripts"))

from support.seat import Seat, control  # noqa: E402

SESSION = {"rtcSession": "a session", "rtcIceCandidates": "some candidates"}


class Call:
    """A call of the peer, in the words of the protocol (x.call.*)."""

    def __init__(self, peer, media):
        self.peer, self.id = peer, base64.urlsafe_b64encode(secrets.token_bytes(16)).decode()
        self.type = {"media": media, "capabilities": {"encryption": True}}
        self.say("inv", invitation={"callType": self.type})

    def say(self, step, **params):
        event = {"v": "1-16", "event": f"x.call.{step}", "params": {"callId": self.id, **params}}
        data = base64.b64encode(json.dumps(event).encode()).decode()
        self.peer.run(f"send-b64 {self.peer.connection} {data}")

    def heard(self, step):
        """What tacit said of it; waits until it has."""

        def said():
            return [
                event["params"]
                for event in self.peer.of_connection("CHAT")
                if event["name"] == f"x.call.{step}" and event["params"].get("callId", "").rstrip("=") == self.id.rstrip("=")
            ]

        until(f"x.call.{step}", said, self.peer)
        return said()[0]


def play(tacit, peer):
    """The peer calls, is declined, gives up, and is answered by a program that has the sound."""
    name = tacit.contact
    seat = Seat(tacit.program, ["repl", "--at", f"/{name}"], {**tacit.environment, "NO_COLOR": "1"})
    try:
        seat.until(f"/{name} >")
        call = Call(peer, "audio")
        seat.until(f"{name} is calling (audio): /decline")
        seat.enter("/decline")
        seat.until(f"declined the call from {name}")
        call.heard("end")

        call = Call(peer, "video")
        seat.until(f"{name} is calling (video): /decline")
        call.say("end")
        seat.gone(f"{name} is calling")
        seat.until("missed video call")

        call = Call(peer, "audio")
        seat.until(f"{name} is calling (audio): /decline")
        tacit.run("call", "accept", f"@{name}", json.dumps(SESSION))
        seat.gone(f"{name} is calling")
        offer = call.heard("offer")["offer"]
        if offer["rtcSession"] != SESSION or offer["callType"]["media"] != "audio":
            raise Failure(f"the offer is another one: {offer}")
        call.say("answer", answer={"rtcSession": SESSION})
        seat.until("answered the call")
        call.say("extra", extra={"rtcExtraInfo": {"rtcIceCandidates": "more"}})
        seat.until("sent more network candidates")
        seat.enter(f"/call end @{name}")
        call.heard("end")
        seat.type(control("d"))
        if seat.ended() != 0:
            raise Failure(f"the session ended with {seat.status}")
    except AssertionError as error:
        raise Failure(str(error)) from None
    finally:
        seat.kill()
