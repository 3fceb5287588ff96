#!/bin/sh
# Forwards the body of an HTTP request to a contact: reads one request from standard input, and writes the response to standard output.
#
#     export WEBHOOK_TARGET=@ops WEBHOOK_TOKEN_FILE=~/.config/webhook-token
#     socat TCP-LISTEN:8080,bind=127.0.0.1,reuseaddr,fork,max-children=10 EXEC:./webhook.sh
#     curl -H "Authorization: Bearer $(cat ~/.config/webhook-token)" -d 'build 7 failed' http://127.0.0.1:8080/
#
# If other machines send requests, run it behind a web server with TLS.
set -eu
limit=10000

respond() {
    printf 'HTTP/1.1 %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n' "$1"
    exit 0
}

read_line() {
    IFS= read -r line || respond '400 Bad Request'
    line=${line%"$(printf '\r')"}
}

read_line
method=${line%% *} length=0 token=
while read_line && [ -n "$line" ]; do
    value=${line#*:}
    value=${value# }
    case $line in
    [Cc]ontent-[Ll]ength:*) length=$value ;;
    [Aa]uthorization:\ Bearer\ *) token=${value#Bearer } ;;
    esac
done
[ "$method" = POST ] || respond '405 Method Not Allowed'
case $length in '' | *[!0-9]* | ??????*) respond '413 Content Too Large' ;; esac
[ "$length" -le $limit ] || respond '413 Content Too Large'
[ "$token" = "$(cat "$WEBHOOK_TOKEN_FILE")" ] || respond '401 Unauthorized'

# The text is not passed as an argument, which other users of the machine could see in the list of processes.
if dd bs=1 count="$length" 2>/dev/null | tacit send -q --no-input "$WEBHOOK_TARGET" - >/dev/null; then
    respond '204 No Content'
else
    case $? in
    75) respond '202 Accepted' ;; # queued in the outbox
    *) respond '502 Bad Gateway' ;;
    esac
fi
