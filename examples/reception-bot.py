#!/usr/bin/env python3
"""Decides about contact requests one by one, and greets those it accepts. For the official Python library, which tacit serves
unchanged.

    pip install simplex-chat
    TACIT_DIR=reception.tacit tacit init --name reception --accept-conditions --no-encryption
    SIMPLEX_LIBS_DIR=/usr/local/lib ./reception-bot.py reception

SIMPLEX_LIBS_DIR is the folder of libsimplex.so. Requests under the name "spam" are rejected without a word.
"""

import logging
import sys

from simplex_chat import Bot, Profile, SqliteDb

log = logging.getLogger("reception")
bot = Bot(
    profile=Profile(display_name="reception"),
    db=SqliteDb(file_prefix=sys.argv[1] if len(sys.argv) > 1 else "reception"),
    auto_accept=False,
)


@bot.on_event("receivedContactRequest")
async def decide(event):
    request = event["contactRequest"]
    name = request["profile"]["displayName"]
    if name == "spam":
        await bot.api.api_reject_contact_request(request["contactRequestId"])
        log.info("rejected %s", name)
    else:
        await bot.api.api_accept_contact_request(request["contactRequestId"])
        log.info("accepted %s", name)


@bot.on_event("contactConnected")
async def greet(event):
    contact = event["contact"]
    await bot.api.api_send_text_message(
        ["direct", contact["contactId"]], f"Welcome, {contact['profile']['displayName']}! Somebody answers within a day."
    )


if __name__ == "__main__":
    bot.run()
