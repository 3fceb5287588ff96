import ChatCore
import CommandKit

extension CommandTree.Topic {
    /// A paragraph for each reason why commands of the official program are not supported.
    private static let unsupportedCommands = UnsupportedCommands.groups.map { group in
        "\(group.reason) \(group.words.joined(separator: ", "))"
    }.joined(separator: "\n\n")

    /// A line for each reason why options of the official program change nothing, or are refused.
    private static func officialOptions(_ groups: [OfficialOptions.Group]) -> String {
        groups.map { group in
            let names = group.options.map { option in
                (option.declaration.letter.map { "-\($0)|" } ?? "") + "--\(option.declaration.name)"
            }
            return "\(group.reason) \(names.joined(separator: ", "))"
        }.joined(separator: "\n\n")
    }

    /// How a bot for the official program runs on this one.
    static let bots = CommandTree.Topic(
        "bots", "Bots: programs for the API of SimpleX Chat", manualSection: 7, manualName: "api",
        """
        A bot that uses the WebSocket API of the official program 7.0, simplex-chat -p 5225, runs on tacit unchanged:

          tacit init --name helper --server smp://...
          tacit api --websocket 5225

        The bot connects to ws://localhost:5225. Requests, answers and events are JSON objects, each in a text frame:

          {"corrId":"1","cmd":"/users"}
          {"corrId":"1","resp":{"type":"usersList",...}}
          {"resp":{"type":"newChatItems",...}}

        Started like the official program

        Bots, scripts and images that start simplex-chat run unchanged if a link to tacit has this name:

          ln -s /usr/bin/tacit /usr/local/bin/simplex-chat
          simplex-chat -d /srv/bot -p 5225 --create-bot-display-name helper
          simplex-chat -d /srv/bot -e '@bob backup failed' -t 5

        'make install SIMPLEX_CHAT=yes' installs the link. The Debian package offers it as an alternative: \
        update-alternatives --config simplex-chat. 'simplex-chat --help' lists all options.

        The store of -d PREFIX is the folder PREFIX.tacit. Without -d, it is the store of TACIT_DIR, or \
        ~/.simplex/simplex_v1.tacit. The settings are in the file tacit.conf in this folder. Where SimpleX Chat has a database with this \
        prefix, tacit ends with 78: 'tacit import' moves its profiles.

        A missing store is created with its first profile. The name is that of --create-bot-display-name or \
        --user-display-name, or a line of standard input. -s and --xftp-server set the relays of this profile. Without -s, the profile uses the \
        public relays, which accepts the conditions of their operators.

        The key of a new store is one of 'tacit help keys', or a random one in the file key in the folder of the store. -k KEY is a \
        passphrase. Other users may read it at the start, so a key file is safer. A bot that loads the C library with an \
        empty key has a store without encryption.

        -e runs one command, receives for the seconds of -t (3 without it) and ends. If a server or a daemon has the store open, the \
        command runs there. Standard output has a line 'Current user: NAME', the answer and an empty line, as in the official program. \
        The exit code is 0 even if the answer is an error. It is 75 if a message is still queued 10 s after the time of -t. \
        'tacit api' has an exit code for each error.

        These commands print the texts of the official terminal:

          /u, /users, /p, /create user       profiles
          /contacts, /i @NAME, /code, /d     contacts
          /groups, /ms, /g, /i #NAME, /l     groups
          /chats, /tail, /clear              chats
          @NAME TEXT, #NAME TEXT, /_send     sent messages
          /f                                 sent files
          /c, /ad, /sa, /da, /auto_accept    links and addresses
          /create link, /show link           links of groups
          /ac, /rc, /_start, /_stop          requests, and states

        So do the usual errors. Events in chats have the words of tacit. /_get chats and /_get chat print the JSON of their lists, as in the official program. Other commands \
        print their answer as one JSON object on a line. Control characters in texts of peers are escaped.

        --execute-log prints events during -e in the same form. -l info and -l debug log as tacit -v and -vv do.

        Without -p and -e, a terminal opens a session (tacit repl). -m receives and sends nothing until /_start.

        These options have no effect:

        \(officialOptions(OfficialOptions.ignored))

        These options are refused with the exit code 64:

        \(officialOptions(OfficialOptions.refused))

        Requests and answers

        An answer has the corrId of its request; an event has none. The type of an error is chatCmdError. Other texts are \
        answered without a corrId.

        The commands of one client run one after the other, in their order. Every client receives every event. A client that \
        does not read for a minute, or for which more than 64 MB wait, is disconnected; nothing is lost, because events are \
        also in the store: read them with /_get chat. A message of a client may have 16 MB.

        Differences

        tacit receives from its start, so /_start may come late or never. /_start answers chatStarted the first time and \
        chatRunning later. /_stop ends receiving for all clients until /_start.

        The official program gives each event to one client only; tacit gives it to all. Up to 1 MB of events is kept for the \
        next client while none is connected.

        /version answers with the versions of tacit.

        /_network and /network change nothing: network settings belong to the configuration (tacit help tor). It succeeds if the settings \
        of tacit protect at least as strongly as the requested ones, and fails with 'not supported' otherwise.

        /get servers summary and the other statistics have real numbers for subscriptions, and zeros elsewhere.

        /_db export writes an archive of tacit, and /_db import reads one: plain, or with the key of the open store. It \
        also reads archives of the SimpleX Chat apps; the field "passphrase" opens an encrypted one. After /_db import, \
        /_db delete and /_db encryption, every command answers with chatStoreChanged: restart the server. These commands and \
        /_db export answer with chatNotStopped until /_stop, also beside a daemon.

        tacit adds fields and event types. A bot must ignore unknown ones, as with newer versions of the official program.

        Other answers

        The form is that of the official program 7.0.0.6, and no older one is kept beside it. These answers differ:

        /users leaves out hidden profiles until their password was given: a list that names them would hide nothing.

        /_clear chat of a group sets the counts of its support chats to 0, because it removes their messages too.

        A text into a group without other members is sndSent at once, because it waits for no relay.

        hasLink follows the present text of a message; the official program keeps the value of the first text.

        A command for a contact that has left answers with contactNotActive; the official program answers with contactNotReady \
        after a restart.

        enableNtfs of a contact is all or none: a direct chat has no mentions.

        A profile with userChatRelay is a chat relay: it passes on the messages of channels. clientService is kept as it \
        was set, and changes nothing: tacit subscribes to each queue alone.

        The status in localBadge is unknownKey: badges are shown, but not verified. The field badge has the proof as it came.

        The option sign=on of /_send is read. No client of 7.0 signs messages of ordinary groups.

        Not supported

        The commands that begin with these words answer with a commandError and the message 'not supported':

        \(unsupportedCommands)

        These arguments are not read either: contact= of /_connect group, incognito=on of /auto_accept, mute of /join, \
        @name of /groups, on before the time in /set disappear, a member in an answer (> #group @member), and notes as the source of <-. They and other texts answer \
        with the message 'Failed reading: empty', as in the official program.

        Security

        A client controls the whole store. Only processes of the same user on this machine can connect to a port, and root \
        cannot. The server asks the system for the user of the connection when it accepts it, and again at the first command. The \
        connection must be open both times: a client that ends its side before the first command runs is refused. Without an answer \
        of the system (no sock_diag and no /proc/net/tcp) every client is refused.

        With --token-file every process can connect that sends the header 'Authorization: Bearer TOKEN', and no other. \
        --new-token makes a token for the run of the server, and writes it to \
        $XDG_RUNTIME_DIR/tacit/api-PORT.token with mode 0600. Without a runtime folder, the file is in the folder run of the \
        state folder. --allow-remote lets other machines connect, and needs a token.

        A bot does not learn who serves a port: another user can take the port while the server does not run, and read what the \
        bot sends. A Unix socket has no such gap if its folder is private: \
        --websocket unix:$XDG_RUNTIME_DIR/bot.sock serves at this path, for processes of the same user. Most WebSocket libraries \
        can connect to a path.

        Nothing protects the store from other programs of the same user. The connection is not encrypted, so put a proxy with \
        TLS, or a tunnel, in front of it for other machines. Requests with the header Origin come from pages in a browser; they \
        are refused unless --allow-origin names the origin.

        100 clients can be connected. A handshake takes 10 s at most. At most 100 connections of this user and 100 others are in \
        their handshakes; the oldest is cut off for a new one, so silent connections of others keep no client out.

        Running as a service

        'tacit notify-mode instant --websocket 5225 --install systemd' starts the server at login instead of the daemon, with \
        the same limits; so does 'systemctl --user enable --now tacit-api' for an installed package. The \
        server does what the daemon does: other commands of tacit work beside it. If a daemon runs already, the server passes \
        commands to it, and opens the store itself when the daemon ends.

        Bots that load the C library

        Bots for the official Python and Node libraries load libsimplex.so. tacit has its own, with the same functions and the \
        header simplex.h; 'make library' builds it. With the Python package simplex-chat:

          TACIT_DIR=bot.tacit tacit init --name bot --server smp://... --no-encryption
          SIMPLEX_LIBS_DIR=/usr/local/lib ./bot.py

        The path of a bot's database names its store: the store of the path bot is the folder bot.tacit, or the folder bot if \
        a store is in it. The key of the database is the key of the store: a passphrase, or the line of a key file. \
        An empty key stands for a store without encryption. A missing store is created without relays; the bot can set them \
        with /servers.

        The process of the bot has the store open. Commands of tacit that only read work beside it; commands that \
        write end with 75. Several stores may be open in one process, and any thread may use them. After fork, the child gets \
        errors. Null pointers, closed controllers and texts of any size and content are answered with errors; simplex.h \
        lists undefined uses.

        The library reads no configuration file and connects to relays directly. A bot that needs Tor uses the WebSocket \
        server. The library keeps 16384 events for a bot that does not ask for them, and then drops the oldest; received \
        messages are in the store.

        Other ways

        tacit api TEXT runs one command without a server. The control socket of the daemon speaks the same commands, with one \
        object per line: see tacit-daemon(1). tacit rpc, tacit watch --exec and hooks need no SimpleX API: see tacit help \
        scripting. Examples are in the folder examples: websocket-bot.py, squaring-bot.py, reception-bot.py and rpc-bot.sh.
        """)
}
