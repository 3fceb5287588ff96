"""A number behind a dash is how many are wanted, as with head and tail; a time without a sign is one before now."""

from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
for number in range(1, 7):
    stage.tacit("alice", "send", "@bob", f"{number}", "--wait", "queued")
stage.play(r'''
    alice$ tacit read -3 --plain --fields text
    4
    5
    6
    alice$ tacit read @bob -2 --plain --fields text
    5
    6
    alice$ tacit read -1 --last 2 --plain --fields text
    5
    6
    alice$ tacit read -30 --plain --fields id | wc -l
    6
    alice$ tacit list messages -2 --plain --fields id
    m5
    m6
    alice$ tacit message search 3 -1 --plain --fields id
    m3
    alice$ tacit read -10 -0 --fields id | tr '\0' ' '
    m1 m2 m3 m4 m5 m6 
    alice$ tacit read -1000001
    ! tacit: the value of '-1000001' cannot be '1000001'; expected a number 1 to 1000000
    [64]
    alice$ tacit send @bob -3
    ! tacit: 'tacit send' has no option '-3'
    !   try: tacit send TARGET -- -3    if it is not an option
    !   try: tacit send -h              show its usage
    [64]
    alice$ tacit read --since 5m --plain --fields text | tail -1
    6
    alice$ tacit read --since 1h -1 --plain --fields text
    6
    alice$ tacit read --since -5m --until 0s -1 --plain --fields text
    6
    alice$ tacit read --until 1h
    alice$ tacit read --since 5
    ! tacit: the value of '--since' cannot be '5'
    !   why: expected a time such as 2026-09-27, 2026-09-27T09:14:03Z, 2h, today or yesterday
    [64]
''')
assert "(also -N)" in stage.tacit("alice", "read", "--help").out
