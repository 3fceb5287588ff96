import CommandKit

extension CommandTree.Topic {
    /// The contract with the programs that are told of something.
    static let hooks = CommandTree.Topic(
        "hooks", "Programs that are run when something happens", manualSection: 5,
        """
        Hooks are programs of yours in the folder hooks of the configuration, ~/.config/tacit/hooks unless it is elsewhere: \
        'tacit hook path' prints it. The name of a hook says when it is run:

          on-message     a message of a contact is in the store
          on-request     somebody asks to be a contact
          on-connected   a contact can be written to
          on-receipt     a contact has a message of yours
          on-error       something is wrong that does not pass by itself
          pre-send       a message is about to be sent, passed on or changed

        A hook is ignored, with a warning, unless it is an executable file of yours that nobody else can write to, in a folder \
        of yours that nobody else can write to: tacit hook list shows that. tacit hook test tries one.

        What happened is one line of JSON on standard input, the same that 'tacit watch --json' prints for it: a message or a \
        notice, an event, or for on-receipt the state of the message as send reports it. pre-send gets a draft. tacit-json(5) \
        has the fields. Names and texts are never in arguments or in the environment, where other users could see them; what \
        is there is

          TACIT_EVENT     message, request, connected, receipt, error or send
          TACIT_PROFILE   the profile, as id:p1, so that commands of the hook act as it
          TACIT_ID        the message, request, contact or connection, such as m12
          TACIT_CHAT_ID   the contact, such as c3

        and everything that was in the environment before, except TACIT_KEY. What the hook writes goes to standard error.

        A hook runs after what it is told of is on disk. It is done when it ends with 0; after 30 seconds it is ended, with \
        all that it has started. One that fails is run again for the same event, three times, perhaps by a later command; \
        the message is in the store in any case. So a hook is told of everything at least once, and may be told twice when \
        something is killed: the id tells. One hook runs at a time, and chats take turns. At most 1,000 runs wait for one chat; \
        what comes then is not told, and 'tacit hook list' counts it as failed.

        Hooks are run by whatever command receives. watch runs them at once; fetch, send and others when they have done their \
        work and have let go of the store, so that a hook can use tacit itself. They go on for a minute with what waits, and \
        leave the rest to the next command.

        pre-send is asked first. Unless it ends with 0 nothing is sent or stored, and the command ends with 77 and the error \
        hook.veto.

        A hook for notifications without content, which is in the examples that are installed with tacit:

          #!/bin/sh
          exec notify-send --app-name=tacit tacit 'A new message.'

        One that answers:

          #!/bin/sh
          jq -r .text | grep -qx ping && tacit send "id:$TACIT_CHAT_ID" pong
          exit 0
        """)
}
