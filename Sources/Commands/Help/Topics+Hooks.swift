import CommandKit

extension CommandTree.Topic {
    /// The contract with the programs that are told of something.
    static let hooks = CommandTree.Topic(
        "hooks", "Hooks: programs that run on events", manualSection: 5,
        """
        Hooks are your programs in the folder hooks of the configuration, by default ~/.config/tacit/hooks; 'tacit hook path' \
        prints it. The name of a hook selects its event:

          on-message     a message of a contact or group is in the store
          on-request     a request, or an invitation to a group or chat, is in the store
          on-connected   a connection with a contact is complete, you joined a
                         group, or a new member joined
          on-receipt     a contact has received your message
          on-file        a file was received
          on-error       an error needs attention
          pre-send       a message is about to be sent, forwarded or edited

        A hook must be an executable file that you own and only you can write to, in such a folder. Other files are ignored \
        with a warning: see tacit hook list. tacit hook test runs a hook with sample data.

        The event is one JSON line on standard input, the same that 'tacit watch --json' prints: a message, a notice or an \
        event, for on-receipt the report of send, and for pre-send a draft. tacit-json(5) describes the fields. Names and \
        texts are never in arguments or in the environment, where other users could see them. The environment has these \
        additional variables, but not TACIT_KEY:

          TACIT_EVENT     message, request, connected, receipt, file, error or send
          TACIT_PROFILE   the profile, as id:p1, for commands in the hook
          TACIT_ID        the message, file, request, contact, group, member or
                          connection, such as m12, f7 or u3
          TACIT_CHAT_ID   the contact or group, such as c3 or g4

        A message in a group has the fields member, member_id and member_name of its author, and mentions_you if it mentions \
        you or replies to you. support_id marks messages that only moderators get; a draft has to_moderators instead.

        The output of the hook goes to standard error.

        A hook runs after its event is on disk. It succeeds when it exits with 0. After 30 s it is killed, with all its child \
        processes. A failed hook runs again for the same event up to three times, perhaps in a later command; the message \
        stays in the store in any case. A hook therefore gets each event at least once, and can get it twice after a crash: \
        compare the ids. Only one hook runs at a time, and chats take turns. At most 1,000 events wait for one chat; further \
        events are dropped, and 'tacit hook list' counts them as failed.

        The command that receives an event runs the hook. watch runs hooks immediately; fetch, send and other commands run \
        them after their work, when the store is free, so a hook can use tacit itself. They run pending hooks for up to one \
        minute and leave the rest to the next command.

        pre-send runs before sending. If it does not exit with 0, nothing is sent or stored, and the command exits with 77 and \
        the error hook.veto.

        A hook for notifications without content, included in the installed examples:

          #!/bin/sh
          exec notify-send --app-name=tacit tacit 'A new message.'

        A hook that answers:

          #!/bin/sh
          jq -r .text | grep -qx ping && tacit send "id:$TACIT_CHAT_ID" pong
          exit 0

        A hook on-file that copies each received file into a folder:

          #!/bin/sh
          exec tacit file save "$TACIT_ID" --to ~/Downloads
        """)
}
