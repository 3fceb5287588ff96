#!/usr/bin/env python3
"""Answers messages over the WebSocket API of SimpleX Chat: a number with its square, other texts with a hint.

    tacit api --websocket 5225    # in another terminal
    ./websocket-bot.py            # prints the address of the bot

Everybody who connects to the address is accepted and greeted. A URL as an argument replaces ws://localhost:5225. The bot runs
on the official program too: simplex-chat -p 5225. Needs the package websockets (python3-websockets in Debian).
"""

import asyncio
import json
import sys

import websockets

GREETING = "Send me a number, and I answer with its square."


class Chat:
    """Commands of the API, and its events."""

    def __init__(self, connection):
        self.connection = connection
        self.answers = {}
        self.events = asyncio.Queue()
        self.reader = asyncio.create_task(self.read())

    async def read(self):
        async for text in self.connection:
            message = json.loads(text)
            answer = self.answers.pop(message.get("corrId"), None)
            if answer:
                answer.set_result(message["resp"])
            else:
                self.events.put_nowait(message["resp"])
        self.events.put_nowait(None)

    async def ask(self, command):
        number = f"{id(self)}-{len(self.answers)}-{asyncio.get_running_loop().time()}"
        answer = self.answers[number] = asyncio.get_running_loop().create_future()
        await self.connection.send(json.dumps({"corrId": number, "cmd": command}))
        return await answer

    async def say(self, contact, text):
        message = [{"msgContent": {"type": "text", "text": text}, "mentions": {}}]
        return await self.ask(f"/_send @{contact['contactId']} json {json.dumps(message)}")


async def address(chat, user):
    """The address of the bot, which is created the first time."""
    found = await chat.ask(f"/_show_address {user['userId']}")
    if found["type"] == "userContactLink":
        link = found["contactLink"]["connLinkContact"]
    else:
        link = (await chat.ask(f"/_address {user['userId']}"))["connLinkContact"]
    return link.get("connShortLink") or link["connFullLink"]


def reply(text):
    try:
        number = float(text)
        return f"{text} * {text} = {number * number:g}"
    except ValueError:
        return GREETING


async def handle(chat, event):
    if event["type"] == "receivedContactRequest":
        await chat.ask(f"/_accept {event['contactRequest']['contactRequestId']}")
    elif event["type"] == "contactConnected":
        await chat.say(event["contact"], GREETING)
    elif event["type"] == "newChatItems":
        for item in event["chatItems"]:
            content = item["chatItem"]["content"]
            # Own messages, calls and the like need no answer.
            if item["chatInfo"]["type"] == "direct" and content["type"] == "rcvMsgContent":
                await chat.say(item["chatInfo"]["contact"], reply(content["msgContent"]["text"]))


async def main(url):
    async with websockets.connect(url, max_size=None) as connection:
        chat = Chat(connection)
        user = (await chat.ask("/user"))["user"]
        await chat.ask("/_start")
        print(await address(chat, user), flush=True)
        while event := await chat.events.get():
            await handle(chat, event)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "ws://localhost:5225"))
