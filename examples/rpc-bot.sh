#!/bin/sh
# Answers messages as bot.sh does, through one tacit that stays open, so no program starts for a message.
#
#     ./rpc-bot.sh
#
# It answers what arrives while it runs, until a signal. Needs jq.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 0' INT TERM
mkfifo "$folder/requests"
# Opened for both, so that the pipe does not end between two requests.
exec 3<>"$folder/requests"
echo '{"jsonrpc":"2.0","id":"watch","method":"watch","params":{}}' >&3

# jq makes a request of each message that arrives; the key prevents a second answer.
tacit rpc <&3 | jq --unbuffered -c '
    select(.method == "report").params.report
    | select(.type == "message" and .direction == "in")
    | {ping: "pong", time: (now | strftime("%H:%M"))} as $answers
    | {
        jsonrpc: "2.0", id: .id, method: "send",
        params: {
          target: "id:\(.chat_id)", text: ($answers[.text // ""] // "I know: ping, time"),
          once: "bot-\(.id)", wait: "queued"
        }
      }' >&3
