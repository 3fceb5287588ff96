"""Calls, as long as nobody calls: no other program of the stage can, and the tests of the core do."""

from support.stage import Stage

stage = Stage()
stage.connected("alice", "bob")
stage.play(r'''
    alice$ tacit call list
    alice$ tacit call
    alice$ tacit call reject @bob
    ! tacit: cannot decline the call of '@bob': there is no call from 'bob' to answer
    !   try: tacit call list    list incoming calls
    [67]
    alice$ tacit call end @bob
    ! tacit: cannot end the call with '@bob': there is no call from 'bob' to answer
    !   try: tacit call list    list incoming calls
    [67]
    alice$ tacit call accept @bob '{"rtcSession":"s","rtcIceCandidates":"c"}'
    ! tacit: cannot accept the call of '@bob': there is no call from 'bob' to answer
    !   try: tacit call list    list incoming calls
    [67]
    alice$ echo nonsense | tacit call accept @bob -
    ! tacit: cannot accept the call of '@bob': invalid session description
    !   why: expected a JSON object with the texts rtcSession and rtcIceCandidates
    [65]
    alice$ tacit call accept @bob
    ! tacit: 'tacit call accept' needs SESSION|-
    !   try: tacit call accept -h    show its usage
    [64]
''')
