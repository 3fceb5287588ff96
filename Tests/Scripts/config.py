"""Configuration files: what they say, who wins, what is wrong with them, and how they are changed."""

import os
import pty
import subprocess

from support.stage import Stage

stage = Stage()
relay = stage.connected("alice", "bob")
conf = stage.place("alice") / "tacit.conf"

# Set, seen, taken back.
stage.play(r'''
    alice$ tacit config path
    /stage/alice/tacit.conf
    alice$ tacit config list
    alice$ tacit config set send.wait queued
    ! set send.wait in /stage/alice/tacit.conf:2
    alice$ tacit config set net.proxy tor --json
    {"v":1,"type":"setting","key":"net.proxy","value":"socks5h://127.0.0.1:PORT","origin":"file","file":"/stage/alice/tacit.conf","line":5}
    alice$ tacit config set alias.hi "send @bob 'good morning'" -q
    alice$ cat alice/tacit.conf; stat -c %a alice/tacit.conf
    [send]
    wait = queued

    [net]
    proxy = tor

    [alias]
    hi = send @bob 'good morning'
    600
    alice$ TACIT_ONION=never tacit config list --origin --color never
    net.proxy = socks5h://127.0.0.1:PORT  (/stage/alice/tacit.conf:5)
    net.onion = never  (TACIT_ONION)
    global.color = never  (option)
    send.wait = queued  (/stage/alice/tacit.conf:2)
    alias.hi = send @bob 'good morning'  (/stage/alice/tacit.conf:8)
    alice$ tacit config --plain --fields key,origin
    net.proxy	file
    global.plain	option
    global.fields	option
    send.wait	file
    alias.hi	file
    alice$ tacit config get net.proxy; tacit config get send.timeout; tacit config get global.profile
    tor
    30s
    [1]
    alice$ TACIT_SEND_WAIT=sent tacit config get send.wait --json
    {"v":1,"type":"setting","key":"send.wait","value":"sent","origin":"environment","variable":"TACIT_SEND_WAIT"}
    alice$ tacit config unset net.proxy
    ! removed net.proxy from /stage/alice/tacit.conf
    alice$ tacit config unset net.proxy
    ! net.proxy was not set in /stage/alice/tacit.conf
    alice$ TACIT_ONION=never tacit config set net.onion require
    ! set net.onion in /stage/alice/tacit.conf:5
    ! tacit: warning: TACIT_ONION is set and overrides this setting
''')

# What cannot be set.
stage.play(r'''
    alice$ tacit config set send.wiat sent
    ! tacit: unknown setting 'send.wiat'
    !   try: send.wait                  did you mean this?
    !   try: tacit config list --all    show the list
    [64]
    alice$ tacit config set send.wait delivred
    ! tacit: send.wait cannot be 'delivred'; expected queued, sent or delivered
    !   try: delivered    did you mean this?
    [64]
    alice$ tacit config set net.proxy socks5h://me:secret@/
    ! tacit: net.proxy is not valid; expected tor or socks5h://[USER:PASSWORD@]HOST[:PORT]
    [64]
    alice$ tacit config set alias.x 'send | wc'
    ! tacit: alias.x cannot be 'send | wc'; expected words as a shell reads them
    [64]
    alice$ tacit config set key.file key
    ! tacit: key.file cannot be 'key'; expected a path that begins with / or ~/
    [64]
    alice$ tacit config edit </dev/null
    ! tacit: cannot edit the configuration: the editor needs a terminal
    !   try: tacit config set KEY VALUE    change a setting from a script
    [69]
''')

# A change keeps what it does not change, and goes through a link.
kept = "# mine\n\n[send] # about sending\n  wait = sent # for now\n\n[who.knows]\nx = y\n"
real = stage.folder / "dotfiles.conf"
real.write_text(kept)
real.chmod(0o644)
conf.unlink()
conf.symlink_to(real)
stage.tacit("alice", "config", "set", "send.wait", "delivered")
stage.tacit("alice", "config", "set", "send.timeout", "2m")
assert real.read_text() == kept.replace("sent #", "delivered #").replace("now\n", "now\n  timeout = 2m\n"), real.read_text()
assert conf.is_symlink() and real.stat().st_mode & 0o777 == 0o600
conf.unlink()

# Mistakes name their line; what helps to mend them works.
conf.write_text("[send]\nwiat = sent\ntimeout = soon\n[alias]\nlist = read\nround = about\nabout = round\nnonsense\n")
stage.play(r'''
    alice$ tacit status
    ! tacit: cannot use the configuration: unknown setting 'send.wiat'
    !   why: it is /stage/alice/tacit.conf:2
    !   try: send.wait             did you mean this?
    !   try: tacit config check    list all errors
    [78]
    alice$ tacit status --json
    ! {"v":1,"type":"error","code":"config.key","exit":78,"message":"cannot use the configuration: unknown setting 'send.wiat'","why":"it is /stage/alice/tacit.conf:2","try":["send.wait","tacit config check"],"details":{"file":"/stage/alice/tacit.conf","line":2}}
    [78]
    alice$ tacit config check
    /stage/alice/tacit.conf:2: unknown setting 'send.wiat'; did you mean send.wait?
    /stage/alice/tacit.conf:3: send.timeout cannot be 'soon'; expected a duration such as 500ms, 30s or 10m
    /stage/alice/tacit.conf:5: the alias 'list' is never used: a command has the same name
    /stage/alice/tacit.conf:8: invalid line; expected NAME = VALUE
    /stage/alice/tacit.conf:7: the alias 'about' refers to itself
    /stage/alice/tacit.conf:6: the alias 'round' refers to itself
    ! tacit: cannot use the configuration: the configuration has errors
    !   why: first error: /stage/alice/tacit.conf:2
    !   try: tacit config edit    correct the file
    [78]
    alice$ tacit round
    ! tacit: cannot use the configuration: the alias 'round' refers to itself
    !   why: it is /stage/alice/tacit.conf:6
    !   try: tacit config check    list all errors
    [78]
    alice$ tacit version --plain; tacit help >help.txt && tacit config unset send.wiat -q && tacit config get send.wait
    0.1.0
    sent
''')
conf.write_text("[send]\nwiat = sent\ntimeout = soon\n[config]\nstrict = no\n")
stage.play(r'''
    alice$ tacit status --plain
    alice	1	0	0	/stage/alice
    ! tacit: warning: /stage/alice/tacit.conf:2: unknown setting 'send.wiat'
    alice$ tacit status --plain -q
    alice	1	0	0	/stage/alice
    alice$ tacit send @bob hi -q
    ! tacit: the setting send.timeout cannot be 'soon'; expected a duration such as 500ms, 30s or 10m
    !   why: the setting is in /stage/alice/tacit.conf:3
    [78]
    alice$ tacit send @bob hi -q --timeout 20s
    alice$ chmod 622 alice/tacit.conf; tacit status
    ! tacit: cannot use the configuration: other users can write to the file
    !   why: it is /stage/alice/tacit.conf
    !   try: chmod go-w /stage/alice/tacit.conf
    [78]
    alice$ chmod 600 alice/tacit.conf; TACIT_CONFIG=/nowhere/at/all tacit status
    ! tacit: cannot use the configuration: the file cannot be read: no such file or directory
    !   why: it is /nowhere/at/all
    !   try: tacit config check    list all errors
    [78]
    alice$ TACIT_CONFIG=/dev/null tacit status --plain
    alice	1	0	0	/stage/alice
    alice$ mkfifo pipe; TACIT_CONFIG=pipe tacit status
    ! tacit: cannot use the configuration: the file cannot be read: it is no regular file
    !   why: it is pipe
    !   try: tacit config check    list all errors
    [78]
    alice$ TACIT_CONFIG=/dev/zero tacit status 2>&1 | head -1
    tacit: cannot use the configuration: the file cannot be read: it is no regular file
''')

# A hostile file ends no command badly.
for text in [b"\0" * 100, b"\xff\xfe[", b"[" * 60000, b"x" * 70000, b"[send]\r\nwait = sent\r\n", b"\xef\xbb\xbf[send]\nwait = sent\n"]:
    conf.write_bytes(text)
    ended = stage._run(["tacit", "status", "-q"], "alice", None, executable=stage.program, stdin=subprocess.DEVNULL)
    assert ended.code == (0 if b"wait" in text else 78), (text[:10], ended.code, ended.err)

# Nothing is read from the working directory.
conf.unlink()
(stage.folder / "tacit.conf").write_text("nonsense\n")
stage.tacit("alice", "status")

# Without TACIT_DIR the file is where the user has such files.
home = stage.folder / "home"
(home / ".config/tacit").mkdir(parents=True)
(home / ".config/tacit/tacit.conf").write_text("[global]\nutc = yes\n")
places = {"TACIT_DIR": None, "HOME": str(home)}
assert stage.tacit("alice", "config", "get", "global.utc", env=places).out == "yes\n"
(home / "elsewhere/tacit").mkdir(parents=True)
(home / "elsewhere/tacit/tacit.conf").write_text("[global]\nutc = no\n")
places["XDG_CONFIG_HOME"] = str(home / "elsewhere")
assert stage.tacit("alice", "config", "get", "global.utc", env=places).out == "no\n"

# What settings do. The proxy of the configuration is stronger than the one that is for all programs.
conf.write_text("[net]\nproxy = tor\nrequire_proxy = yes\nsmp_proxy = never\n")
stage.play(r'''
    alice$ ALL_PROXY=socks5h://127.0.0.1:1 tacit net proxy
    socks5h://127.0.0.1:PORT (net.proxy)
    alice$ TACIT_PROXY= tacit net proxy
    none
    alice$ TACIT_PROXY= tacit fetch -q
    ! tacit: cannot fetch from '127.0.0.1:PORT': a proxy is required but not set
    !   try: TACIT_PROXY=tor tacit ...    use the Tor client of this machine
    [69]
    alice$ tacit config set net.onion perhaps
    ! tacit: net.onion cannot be 'perhaps'; expected prefer, require or never
    [64]
''')
conf.write_text("[net]\nproxy = socks5h://me:secret@\n")
ended = stage.tacit("alice", "fetch", expect=78)
assert "net.proxy" in ended.err and "tacit.conf:2" in ended.err and "secret" not in ended.err, ended.err

# The key of the store.
key = stage.folder / "key"
stage.tacit("alice", "db", "rekey", "--new-key-file", str(key), env={"TACIT_CONFIG": "/dev/null"})
(stage.place("alice") / "key").rename(stage.folder / "old")
conf.unlink()
stage.tacit("alice", "status", expect=77)
stage.tacit("alice", "config", "set", "key.file", str(key))
stage.tacit("alice", "status")
conf.write_text(f"[key]\ncommand = cat '{key}'\n")
stage.tacit("alice", "status")
stage.tacit("alice", "status", env={"TACIT_KEY_FILE": str(stage.folder / "old")}, expect=77)
assert "@bob" not in stage.tacit("alice", "__complete", "fish", "--", "send", "@").out, "a command was run for a completion"
conf.write_text(f"[key]\nfile = {key}\n")

# Aliases, in shells and in their completion.
stage.tacit("alice", "config", "set", "alias.hi", "send @bob 'good morning'")
stage.tacit("alice", "config", "set", "--", "alias.s", "--json send")
stage.play(r'''
    alice$ tacit hi -q && tacit s @bob hi | sed 's/.*"state":"\([a-z]*\)".*/\1/'
    sent
    alice$ tacit -q hi && tacit read --last 2 --plain --fields text
    hi
    good morning
    alice$ tacit config set alias.read list -q
    ! tacit: cannot set alias.read: read is a command of tacit
    !   why: commands take precedence, so the alias would never be used
    !   try: tacit config set alias.r ...    use another name
    [64]
    alice$ tacit read --last 1 --plain --fields text
    good morning
    alice$ tacit hello
    ! tacit: 'tacit' has no command 'hello'
    !   try: tacit help    did you mean this?
    !   try: tacit -h      list its commands
    [64]
    alice$ tacit __complete fish -- h
    hook	Manage hooks: programs that run on events
    help	Show help for a command or a topic
    hi	send @bob 'good morning'
    alice$ tacit __complete fish -- s @
    @bob	connected
    alice$ tacit __complete fish -- config get net.o
    net.onion	Use of relays' onion hosts
''')

# What stands nearest to the command says how it prints.
stage.tacit("alice", "config", "set", "global.output", "json")
stage.play(r'''
    alice$ tacit net proxy
    {"v":1,"type":"proxy"}
    alice$ tacit status --plain
    alice	1	0	0	/stage/alice
    alice$ TACIT_FORMAT=text tacit net proxy
    none
    alice$ tacit sned
    ! {"v":1,"type":"error","code":"usage.command","exit":64,"message":"'tacit' has no command 'sned'","try":["tacit send","tacit -h"]}
    [64]
''')
stage.tacit("alice", "config", "unset", "global.output")


# An editor at a terminal; what it wrote is checked.
def edited(line):
    """What `config edit` says at a terminal, and its exit code."""
    editor = stage.folder / "bin/editor"
    editor.write_text(f"#!/bin/sh\n{line}\n")
    editor.chmod(0o755)
    master, slave = pty.openpty()
    environment = stage._environment("alice", {"VISUAL": "editor", "EDITOR": "false", "TERM": "dumb"})
    process = subprocess.Popen([stage.program, "config", "edit"], env=environment, stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    said = b""
    try:
        while part := os.read(master, 65536):
            said += part
    except OSError:
        pass
    os.close(master)
    return process.wait(20), said.decode()


conf.unlink()
assert edited('grep -q "Settings of tacit" "$1" && echo "[global]\nutc = yes" >"$1"') == (0, "the configuration is valid\r\n")
assert conf.read_text() == "[global]\nutc = yes\n"
code, said = edited('echo "[global]\nutc = perhaps" >"$1"')
assert code == 78 and "tacit.conf:2: global.utc cannot be 'perhaps'" in said, said
code, said = edited("exit 3")
assert code == 71 and "the editor failed" in said, said

# Of changes at the same time none is lost.
conf.unlink()
changes = [stage.start("alice", "config", "set", f"alias.word{number}", f"list {number}") for number in range(24)]
for change in changes:
    ended = change.ended()
    assert ended.code == 0, ended
assert len([line for line in stage.tacit("alice", "config", "list", "--plain").out.splitlines() if "alias.word" in line]) == 24
changes = [stage.start("alice", "config", "unset", f"alias.word{number}") for number in range(24)]
assert all(change.ended().code == 0 for change in changes)
assert "alias.word" not in stage.tacit("alice", "config", "list", "--plain").out
