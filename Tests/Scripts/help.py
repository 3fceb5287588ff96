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

    The numbers are promised for ever. 0 means that the stage was reached that the
    command promises.

        0  the promised stage was reached
        1  the answer is no, or nothing was found
       64  invalid command line
       65  malformed input: a link, an archive, JSON
       66  a file to read is missing or unreadable
       67  unknown or ambiguous contact, group, request or message
       68  unknown server, or its name does not resolve
       69  refused permanently: blocked, deleted, too old, or a proxy is required
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

    An end by signal n is seen by the shell as 128 + n: 130 for Ctrl-C, 141 for a
    closed pipe.
    nobody$ tacit help targets
    Naming contacts and chats

    A target is whom or what a command is about:

      @alice        a contact by its name
      '@Ann Lee'    one whose name has a space; one word of the shell is one name
      alice         the same, if nothing else is called so
      id:c3         a contact by its id, which never changes
      notes         yourself: what you send there stays in the store; a contact
                    that is called so is @notes

    Ids are printed by list and in JSON. Where nothing is called so, the exit code
    is 67.
    nobody$ tacit help environment
    Environment variables

      TACIT_DIR        one folder for everything, in place of the folders below
      TACIT_CONFIG     the configuration file, in place of tacit.conf in its folder
      TACIT_PROFILE    the profile to act as, like --profile
      TACIT_TIMEOUT    how long to wait, like --timeout
      TACIT_FORMAT     text, plain or json, like --json
      TACIT_NO_INPUT   never ask, like --no-input
      TACIT_LOG        a file for what -v says, like --log-file
      TACIT_MACHINE_ID any text that tells this machine from others, instead of
                       /etc/machine-id: set it to the same in containers that
                       use one store after the other
      TACIT_KEY_FILE, TACIT_KEY_FD, TACIT_KEY_COMMAND, TACIT_KEY
                       the key of the store, see tacit help keys
      HOME             the home folder; if it is not set, that of the user database
      XDG_DATA_HOME    where the folder tacit with the store is, or ~/.local/share
      XDG_CONFIG_HOME  where the folder tacit with the key and the configuration is,
                       or ~/.config
      TACIT_PAGER      shows long help on a terminal, else PAGER, else less -FRX;
                       cat, or empty, for none
      VISUAL, EDITOR   what tacit config edit runs, else vi

    Network settings, see also tacit help tor:

      TACIT_PROXY               SOCKS5: tor, or socks5h://[USER:PASSWORD@]HOST:PORT
      ALL_PROXY                 the same, where there is no TACIT_PROXY and no
                                net.proxy in the configuration
      TACIT_REQUIRE_PROXY       yes: connect to nothing without SOCKS5
      TACIT_ONION               onion hosts of relays: prefer, require, never
      TACIT_SMP_PROXY           when messages go private message routing: always,
                                unknown (to relays of others), unprotected (the
                                same, without SOCKS5), never
      TACIT_SMP_PROXY_FALLBACK  whether they go directly where that is not possible:
                                yes, protected (with SOCKS5), no

    NO_COLOR, CLICOLOR_FORCE, TERM, COLUMNS and TZ are read as everywhere. LANG does
    not matter: all text is UTF-8.

    A command that the daemon carries out, or another process that has the store
    open, is read with your own variables, configuration and words for commands, not
    with theirs, and has the times of your zone and the colours and width of your
    terminal. Network settings is up to that process, which has read it when
    it began: where one of the variables above is set and says otherwise, the
    command is not carried out, and the exit code is 75. Requests of other programs
    (tacit rpc) are read with what the process itself has.

    Every option can be given by a variable made of the command and the option:
    TACIT_SEND_WAIT=queued. What is on the command line wins, and the environment
    wins over the configuration files; --no-mark takes back a --mark that either of
    them says:

      ~/.config/tacit/tacit.conf   yours, else where tacit config path says
      /etc/tacit/tacit.conf        for all users of the machine

    They can hold the same, and words of your own for commands:

      tacit config set net.proxy tor
      tacit config set send.wait queued
      tacit config set alias.s send

    tacit config list --origin shows what is set and where; man tacit.conf says all.
    nobody$ tacit help formats
    Output formats: text, plain records and JSON

    Text is for people and may change with any version. Characters of others that
    could fool a terminal are spelled out, and messages stand behind a margin.

    --plain prints a record a line, columns separated by tabs, with tab, line break
    and backslash written as \t, \n and \\. The help and the manual of each command
    name its columns. --fields chooses others, -0 ends records with a NUL byte. A
    column may be any field of the JSON object, or one inside of a field: lock.pid.
    A list has a line for each element, so that \n stands between two; an object has
    a line NAME=VALUE for each of its fields.

    --json prints an object a line. Each has a type and v, which is 1; within a
    version fields are only added. Ids are strings, times are RFC 3339 in UTC under
    names that end in _at, and what belongs to a conversation has chat and chat_id.
    Names of former versions stay until version 2, beside those that take their
    place. An error is the last line of standard error:

      {"v":1,"type":"error","code":"store.busy","exit":75,"message":"...",...}

    tacit schema prints a JSON Schema of every type. Readers ignore fields and types
    that they do not know.
    nobody$ tacit help time
    Times and durations

    Durations are a whole number and one unit:

      500ms   30s   10m   2h   7d

    Where a time is asked for (--since, --until) it can be:

      2026-09-27T09:14:03Z   a moment, in the form of RFC 3339
      2026-09-27             a day: from its beginning, or to its end
      today, yesterday       the same
      2h, -2h                two hours ago

    Days are those of the local zone, or of UTC with --utc.

    Text shows times in the local zone, or that of TZ, as YYYY-MM-DD hh:mm; --utc
    shows them in UTC. Plain records and JSON have them in UTC with milliseconds, in
    the form of RFC 3339:

      YYYY-MM-DDThh:mm:ss.sssZ

    The time of a message that came is the one at which its relay received it.
    nobody$ tacit help tor
    Using Tor or another SOCKS5 proxy

    A relay sees the address from which it is reached. Tor, or another SOCKS5 proxy,
    hides it:

      tacit config set net.proxy tor           # one that listens at localhost:9050
      tacit config set net.require_proxy yes   # connect to nothing without it
      tacit server test

    All names are looked up by the proxy, none by this machine. For each connection
    the proxy is given another user name, so that Tor takes another circuit. Relays
    that have an onion host are reached there with net.onion = prefer, and no others
    with net.onion = require. TACIT_PROXY, TACIT_REQUIRE_PROXY and TACIT_ONION do
    the same for one command.

    Messages to relays of others go through a relay of your own choice as well, so
    that the others do not see your address even without Tor: net.smp_proxy in man
    tacit.conf, or TACIT_SMP_PROXY.
    nobody$ tacit help scripting
    Scripts and cron

    A message that was sent with exit code 0. With 75 it is in the
    outbox, and the next fetch sends it: do not send it again.

      tacit send @bob hi -q
      case $? in 0) ;; 75) echo later ;; *) echo failed ;; esac

    A text in a variable may begin with a dash. Write -- before it: every word after
    -- is an argument.

      tacit send -q @bob -- "$text"

    To send something once however often a script is run, give it a key:

      tacit send @bob 'disk 91%' --once "disk-$(date +%F)"

    Every program that reads can have a cursor of its own, which remembers how far
    it came:

      tacit fetch -q && tacit read --cursor bot --exec ./bot.sh
      tacit read --cursor digest --json | jq -r 'select(.direction=="in").text'

    The first runs bot.sh for each message, and goes on behind it when that has
    ended with 0: at least once. The second moves its cursor when everything was
    written; what jq does with it, nobody can see.

    A message for which a program keeps failing stops those behind it. Set a limit,
    and decide what happens then:

      tacit fetch --cursor bot --exec ./bot.sh --retries 3 --on-failure skip
      tacit cursor commit bot m3

    The first retries a message in the next three runs and then skips it, with a
    report and 80. The second moves the cursor past a message by hand; errors print
    this line.

    Several processes may use one store: readers never wait, and a writer waits for
    another one up to --lock-timeout.

      */10 * * * *  tacit fetch --if-free -qq --no-input || [ $? -eq 75 ]
    nobody$ tacit version
    tacit 0.1.0 (chat 1-16, agent 2-7, smp 6-18, ratchet 2-3)
    nobody$ tacit --version
    tacit 0.1.0 (chat 1-16, agent 2-7, smp 6-18, ratchet 2-3)
''')
