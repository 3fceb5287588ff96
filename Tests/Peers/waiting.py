"""What the sides share: how they fail, wait, and look at links."""

import time

# How long anything may take, in seconds.
TIMEOUT = 30


class Failure(Exception):
    """Something did not happen. The sentence says what."""


def until(what, condition, *sides, timeout=TIMEOUT):
    """Lets the sides work until something is so."""
    deadline = time.monotonic() + timeout
    while not condition():
        if time.monotonic() > deadline:
            raise Failure(f"no {what} within {timeout} s")
        for side in sides:
            side.work()


def checked(link, kind):
    """The link, if it is of the kind that was asked for."""
    is_full = "/invitation#" in link or "/contact#" in link
    if is_full == kind.startswith("short"):
        raise Failure("the link is a full one" if is_full else "the link is a short one")
    return link
