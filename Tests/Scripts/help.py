"""Every page of help can be read, and says the same wherever it is asked for."""

import re

from support.stage import Stage

stage = Stage()


def page(*words, **options):
    ended = stage.tacit(None, *words, **options)
    assert ended.err == "" and ended.out.endswith("\n") and not ended.out.endswith("\n\n"), (words, ended)
    assert "\x1b" not in ended.out and all(line == line.rstrip() for line in ended.lines), words
    return ended.out


root = page("--help")
assert page("help") == root and page("-h") != root
listed = re.findall(r"^  ([a-z]+(?: [a-z]+)?)  +[A-Z]", root.split("Options:")[0], re.MULTILINE)
for name in ("init", "status", "connect", "send", "fetch", "read", "list", "demo", "api", "schema", "completion", "help", "version"):
    assert name in listed, (name, listed)
for name in [*listed, "profile", "relay", "profile create", "profile list", "profile show", "profile use", "server", "server list", "server add",
             "server remove", "server enable", "server disable", "server test", "relay init", "relay start"]:
    words = name.split()
    long, short = page("help", *words), page(*words, "-h")
    assert page(*words, "--help") == long, name
    assert long.split("\n")[0] == short.split("\n")[0], name
    assert len(short.splitlines()) <= 25, name
    assert f"tacit {name}" in long and f"tacit {name}" in short, name
    # No store, no home and no right format are needed to be helped.
    assert page(*words, "-h", env={"HOME": None, "TACIT_FORMAT": "json"}) == short, name
for topic in ("exit-codes", "targets", "environment", "formats", "time", "tor", "scripting"):
    assert f"tacit help {topic}" in root, topic
    page("help", topic)

stage.play(r'''
    nobody$ tacit help exit-codes
    Exit codes and their meanings

    Exit codes never change their meaning. 0 means that the command reached the
    stage described in its help.

        0  the promised stage was reached
        1  the answer is no, or nothing was found
       64  invalid command line
       65  malformed input: a link, an archive, JSON
       66  a file to read is missing or unreadable
       67  unknown or ambiguous contact, group, request, message or server
       68  the host name of a server does not resolve
       69  refused: deleted, too old, role too low, frozen store; a retry is no help
       70  a bug in tacit
       71  an operating system error
       73  output cannot be created, or already exists
       74  a disk error, a full disk or a damaged store
       75  temporary failure: timeout, no network, store in use, rate limit, queued
       76  a relay or a contact violated the protocol
       77  missing or wrong key, permission denied, or rejected by a hook
       78  invalid configuration or environment
       79  changed fingerprint or security code, or a failed integrity check
       80  some of several targets succeeded, others failed

    A process that ends by signal n has the exit code 128 + n in a shell: 130 for
    Ctrl-C, 141 for a closed pipe.
    nobody$ tacit help targets
    Naming contacts, groups and chats

    A target names a contact, a group or another chat:

      @alice        a contact by name
      '@Ann Lee'    a name with a space, as one word of the shell
      +team         a group by name; '#team' is the same, in quotes
      alice         a contact or group, if the name is unique
      id:c3         a contact by its permanent id
      id:g4         a group by its permanent id
      notes         notes to yourself, which stay in the store;
                    a contact with this name is @notes

    Commands about a member of a group accept:

      +team/@bob    a member by name
      id:u5         a member by its permanent id

    Where a chat is expected, +team/@bob is the direct chat with the member, if the
    member is a contact. A member that left keeps its name: the name means a member
    that is in the group, if there is one.

    Commands about a message accept:

      m12           a message by its permanent id
      last          the newest received message, to reply or react to,
                    or to moderate; the newest sent message, to edit,
                    delete or wait for; the newest message, to show;
                    of one chat with --in @alice

    JSON output, 'show' commands and the lists of groups, members, requests and
    messages print ids; so do read, fetch and watch with --ids, or always with
    'tacit config set read.ids yes'.

    An unknown name ends with exit code 67, and so does a name that several have:
    the error lists their ids.
    nobody$ tacit help environment
    Environment variables

      TACIT_DIR        one folder for all files, instead of the folders below
      TACIT_CONFIG     configuration file, instead of tacit.conf in its folder
      TACIT_PROFILE    profile to use, like --profile
      TACIT_TIMEOUT    time limit, like --timeout
      TACIT_FORMAT     text, plain or json, like --output
      TACIT_NO_INPUT   never prompt, like --no-input
      TACIT_LOG        file for the log of -v, like --log-file
      TACIT_MACHINE_ID unique text for this machine, instead of /etc/machine-id;
                       use the same text in containers that share one store
      TACIT_KEY_FILE, TACIT_KEY_FD, TACIT_KEY_COMMAND, TACIT_KEY
                       key of the store, see tacit help keys
      HOME             home folder; if not set, taken from the user database
      XDG_DATA_HOME    parent of the data folder tacit [default: ~/.local/share]
      XDG_CONFIG_HOME  parent of the configuration folder tacit
                       [default: ~/.config]
      TACIT_PAGER      pager for long help on a terminal, else PAGER, else
                       less -FRX; cat or empty for no pager
      VISUAL, EDITOR   editor of tacit config edit [default: vi]

    Network settings, see also tacit help tor:

      TACIT_PROXY               SOCKS5 proxy: tor, or
                                socks5h://[USER:PASSWORD@]HOST:PORT
      ALL_PROXY                 used if TACIT_PROXY and net.proxy are not set
      TACIT_REQUIRE_PROXY       yes: refuse connections without a proxy
      TACIT_ONION               onion hosts of relays: prefer, require, never
      TACIT_SMP_PROXY           private message routing: always, unknown (to relays
                                not in your list), unprotected (unknown relays
                                without SOCKS5), never
      TACIT_SMP_PROXY_FALLBACK  direct sending if private routing is impossible:
                                yes, protected (with SOCKS5), no

    NO_COLOR, CLICOLOR_FORCE, TERM, COLUMNS and TZ have their usual meaning. LANG is
    ignored: all text is UTF-8.

    A command can run through a daemon or another process that has the store open.
    It still uses your variables, configuration, aliases, time zone and terminal.
    Only the network settings are those of that process, read at its start. If one
    of your network variables differs from them, the command does not run, and the
    exit code is 75. Requests of other programs (tacit rpc) use the settings of the
    process itself.

    Every option has a variable named after the command and the option:
    TACIT_SEND_WAIT=queued. The command line overrides the environment, and the
    environment overrides the configuration files. --no-mark cancels --mark from
    either of them. The configuration files are:

      ~/.config/tacit/tacit.conf   your own; see tacit config path
      /etc/tacit/tacit.conf        for all users of the machine

    They can set the same options, and define aliases:

      tacit config set net.proxy tor
      tacit config set send.wait queued
      tacit config set alias.s send

    tacit config list --origin shows all settings and their sources; man tacit.conf
    describes them.
    nobody$ tacit help formats
    Output formats: text, plain records and JSON

    Text output is for people and may change with any version. Control characters
    from peers are escaped, and messages are printed behind a margin.

    --plain prints one record per line, with tab-separated columns; tab, line break
    and backslash are written as \t, \n and \\. The help and the manual of each
    command list its columns. --fields selects other columns, and -0 ends records
    with a NUL byte. A column can be any field of the JSON object, or a nested
    field: lock.pid. A list is written with \n between its elements, an object as
    lines NAME=VALUE.

    --json prints one object per line. Each object has a type and the version v,
    which is 1; within a version fields are only added. Ids are strings. Times are
    RFC 3339 in UTC and have names that end with _at. Objects of a conversation have
    chat and chat_id. Old field names stay until version 2, beside their
    replacements. An error is the last line of standard error:

      {"v":1,"type":"error","code":"store.busy","exit":75,"message":"...",...}

    tacit schema prints a JSON Schema of every type. Readers must ignore unknown
    fields and types.
    nobody$ tacit help time
    Times and durations

    A duration is a whole number with one unit:

      500ms   30s   10m   2h   7d

    Options for times (--since, --until) accept:

      2026-09-27T09:14:03Z   a time in RFC 3339
      2026-09-27             a day: from its start, or to its end
      today, yesterday       the same
      2h, -2h                two hours ago

    Days are those of the local time zone, or of UTC with --utc.

    Text output shows times in the local zone, or that of TZ, as YYYY-MM-DD hh:mm;
    --utc shows UTC. Plain records and JSON use RFC 3339 in UTC with milliseconds:

      YYYY-MM-DDThh:mm:ss.sssZ

    A received message has the time at which its relay accepted it.
    nobody$ tacit help tor
    Using Tor or another SOCKS5 proxy

    Relays see the network address of their clients. Tor or another SOCKS5 proxy
    hides it:

      tacit config set net.proxy tor           # Tor at localhost:9050
      tacit config set net.require_proxy yes   # refuse connections without it
      tacit server test

    The proxy resolves all host names; this machine resolves none. Each connection
    uses another proxy user name, so Tor gives it another circuit. net.onion =
    prefer uses the onion hosts of relays that have one; net.onion = require uses no
    other hosts. TACIT_PROXY, TACIT_REQUIRE_PROXY and TACIT_ONION set the same for
    one command.

    Private message routing sends messages for other people's relays through a relay
    of yours, so those relays do not see your address even without Tor: see
    net.smp_proxy in man tacit.conf, or TACIT_SMP_PROXY.
    nobody$ tacit help scripting
    Scripts and cron

    If send exits with 0, the relay has accepted the message. If it exits with 75,
    the message is in the outbox, and the next fetch sends it: do not send it again.

      tacit send @bob hi -q
      case $? in 0) ;; 75) echo later ;; *) echo failed ;; esac

    Write -- before a text from a variable, because it may begin with a dash: every
    word after -- is an argument.

      tacit send -q @bob -- "$text"

    --once sends a message only once, however often the script runs:

      tacit send @bob 'disk 91%' --once "disk-$(date +%F)"

    Each program can have its own read cursor, a named position among the messages:

      tacit fetch -q && tacit read --cursor bot --exec ./bot.sh
      tacit read --cursor digest --json | jq -r 'select(.direction=="in").text'

    The first line runs bot.sh once per message and advances the cursor when it
    exits with 0: at least once per message. The second line advances its cursor
    after all output was written, even if jq fails later.

    A message for which the program keeps failing blocks the messages after it.
    Limit the retries:

      tacit fetch --cursor bot --exec ./bot.sh --retries 3 --on-failure skip
      tacit cursor commit bot m3

    The first line retries a message in the next three runs, then skips it, reports
    that, and exits with 80. The second line advances the cursor past a message by
    hand; error messages contain this command.

    Several processes can use one store: readers never wait, and writers wait for
    each other up to --lock-timeout.

      */10 * * * *  tacit fetch --if-free -qq --no-input || [ $? -eq 75 ]
    nobody$ tacit version
    tacit 0.1.0 (chat 1-19, agent 2-7, smp 6-20, ratchet 2-3; API of SimpleX Chat 7.0.0.6)
    nobody$ tacit --version
    tacit 0.1.0 (chat 1-19, agent 2-7, smp 6-20, ratchet 2-3; API of SimpleX Chat 7.0.0.6)
''')
