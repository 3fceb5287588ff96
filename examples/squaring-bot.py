#!/usr/bin/env python3
"""Squares numbers, and greets everybody who connects. For the official Python library, which tacit serves unchanged.

    pip install simplex-chat
    TACIT_DIR=squaring.tacit tacit init --name squaring --accept-conditions --no-encryption
    SIMPLEX_LIBS_DIR=/usr/local/lib ./squaring-bot.py squaring

SIMPLEX_LIBS_DIR is the folder of libsimplex.so. The store of the path "squaring" is the folder squaring.tacit. Ctrl-C ends the bot,
which prints its address when it starts.
"""

import re
import sys

from simplex_chat import Bot, BotCommand, Profile, SqliteDb

bot = Bot(
    profile=Profile(display_name="squaring"),
    db=SqliteDb(file_prefix=sys.argv[1] if len(sys.argv) > 1 else "squaring"),
    welcome="Hello! Send a number, and I send its square.",
    commands=[BotCommand(keyword="help", label="Show what the bot can do")],
)


@bot.on_command("help")
async def explain(message, command):
    await message.reply("Send a number, such as 12 or -1.5.")


@bot.on_message(content_type="text", text=re.compile(r"^-?\d{1,100}(\.\d{1,100})?$"))
async def square(message):
    number = float(message.text)
    await message.reply(f"{number:g} squared is {number * number:g}")


@bot.on_message(content_type="text")
async def other(message):
    await message.reply("This is not a number. Try /help.")


if __name__ == "__main__":
    bot.run()
