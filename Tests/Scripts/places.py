"""Where the store and its key are, and who may read them."""

from support.stage import Stage

stage = Stage()
relay = stage.relay()
stage.values["relay"] = relay.address

# Without TACIT_DIR the folders are those of the user.
stage.play(r'''
    nobody$ unset TACIT_DIR; tacit init --name alice --server "$relay"
    created a store in /stage/.local/share/tacit with the profile alice
    ! the key is in /stage/.config/tacit/key; without it the store cannot be read
    nobody$ unset TACIT_DIR; tacit profile list
       ID  NAME   UNREAD  FULL NAME
    *  p1  alice
    nobody$ cd .local/share/tacit && stat -c '%a %n' . * | grep -v -e -wal -e -shm
    700 .
    600 lock
    600 simplex_v1_agent.db
    600 simplex_v1_chat.db
    nobody$ cd .config/tacit && stat -c '%a %n' . *
    700 .
    600 key
    nobody$ unset TACIT_DIR; XDG_DATA_HOME="$PWD/data" tacit init
    created a store in /stage/data/tacit
    ! the key is in /stage/.config/tacit/key; without it the store cannot be read
    ! next: tacit profile create NAME
    nobody$ unset TACIT_DIR; XDG_DATA_HOME="$PWD/data" tacit status
    store     /stage/data/tacit
    profile   none: tacit profile create NAME
    contacts  0
    unread    0
    outbox    0
    relay     none
    writer    none
    nobody$ unset TACIT_DIR; XDG_DATA_HOME=data tacit profile show
    profile   alice, active
    id        p1
    receipts  on
    unread    0
    nobody$ chmod 640 .config/tacit/key; unset TACIT_DIR; XDG_DATA_HOME="$PWD/more" tacit init
    ! tacit: cannot create a store: other users can read the key file
    !   why: path: /stage/.config/tacit/key
    !   try: chmod 600 /stage/.config/tacit/key
    [77]
    nobody$ test -e more || echo 'nothing was made'
    nothing was made
''')

# One folder holds everything.
stage.play(r'''
    alice$ tacit init --if-missing --name ops --no-input --new-key-file ops.key --server "$relay" -q
    alice$ tacit init --if-missing --name ops --no-input --new-key-file ops.key --server "$relay" -q
    alice$ TACIT_KEY_FILE=ops.key tacit profile list --plain --fields name
    ops
    alice$ ls alice | grep -v -e -wal -e -shm
    lock
    simplex_v1_agent.db
    simplex_v1_chat.db
    alice$ TACIT_DIR=elsewhere tacit init --no-encryption --json
    {"v":1,"type":"init","store":"elsewhere","encrypted":false}
    ! next: tacit profile create NAME
    alice$ TACIT_DIR=ops.key tacit status
    ! tacit: cannot show the status: the store does not exist
    !   why: there are no store files in ops.key
    !   try: tacit init --name NAME --server smp://...    create a store
    !   try: TACIT_DIR=/some/folder tacit ...             use a store in another folder
    [78]
    alice$ TACIT_DIR=ops.key/below tacit init --no-encryption
    ! tacit: cannot create a store: cannot create its folder
    !   why: 'ops.key/below': file exists
    [73]
''')

# What is no store is not taken for one.
stage.play(r'''
    bob$ mkdir bob; echo nonsense > bob/simplex_v1_chat.db; tacit status
    ! tacit: cannot show the status: the file is not a tacit store
    !   why: it is from another program or an unknown version
    [65]
    bob$ tacit fetch
    ! tacit: cannot fetch: the file is not a tacit store
    !   why: it is from another program or an unknown version
    [65]
    bob$ tacit init --no-encryption
    ! tacit: cannot create a store: it exists already
    !   why: it is in /stage/bob
    !   try: tacit status    show the existing store
    !   try: tacit init --if-missing
    [73]
    alice$ echo nonsense > alice/simplex_v1_agent.db; tacit fetch --key-file ops.key
    ! tacit: cannot fetch: the file is not a tacit store
    !   why: it is from another program or an unknown version
    [65]
    alice$ rm alice/simplex_v1_agent.db; tacit fetch --key-file ops.key
    ! no new messages
    alice$ tacit profile list --key-file ops.key --plain --fields name
    ops
''')

# Two at once: one makes it, the other finds it.
both = [stage.start("eve", "init", "--name", "eve") for _ in range(2)]
codes = sorted(running.ended().code for running in both)
assert codes == [0, 73], codes
both = [stage.start("finn", "init", "--name", "finn", "--if-missing") for _ in range(2)]
assert [running.ended().code for running in both] == [0, 0]
assert stage.tacit("finn", "profile", "list", "--plain", "--fields", "name").out == "finn\n"

# A start that was cut off before it had made a profile is finished by the next one.
stage.tacit("gina", "init")
stage.play(r'''
    gina$ tacit init --if-missing --name gina --server "$relay"
    created a store in /stage/gina with the profile gina
    gina$ tacit init --if-missing --name gina --server "$relay"
    ! the store exists already
    gina$ tacit status --check --plain
    gina	0	0	0	/stage/gina
''')
