import CommandKit

extension CommandTree.Topic {
    /// Files from the first to the last step.
    static let files = CommandTree.Topic(
        "files", "Sending and receiving files",
        """
        A file is encrypted on this machine, cut into chunks and stored on file relays, which see neither its name nor its \
        content. Relays usually delete it after 48 hours. Until then its recipients can download it, also while your machine is \
        off.

          tacit send @alice 'the plan' --attach plan.pdf   # to a contact or group
          dmesg | tacit send @alice --attach - --name boot.log
          tacit file send backup.tar.gz                    # to one person, by a link

        A message carries one file of up to 1 GiB, a link leads to one of up to 5 GiB. Folders are refused: pack them with tar \
        first. Pictures are shown in the message and lose their metadata (time, place and device) unless --keep-metadata is \
        given. Sound and video are sent as files, unchanged; 'tacit send --voice' sends a recording as a voice message. \
        Several files after --attach are sent in a message each.

        A received file is an offer at first. These commands download it, copy it elsewhere and free its space:

          tacit file list
          tacit file receive f7 --to ~/Downloads
          tacit file receive --all
          tacit file save f7 --to ~/Documents
          tacit file purge --older-than 90d --yes

        The states of a file are:

          queued, sending, sent        one of your files on its way to the relays
          offered, accepted,
          receiving, ready             a file for you; ready files are on this machine
          delayed                      a relay is unreachable; the next fetch retries
          failed                       the file expired, was deleted or is damaged
          aborted                      you cancelled or purged a received file;
                                       'tacit file receive' receives it again
          cancelled                    the sender cancelled it, or you cancelled a file
                                       that you sent or that a link leads to
          kept                         the file of a note

        An interrupted transfer continues at the chunk with the next fetch, at once with a daemon. --wait queued and --no-wait \
        do not wait for the transfer. On a terminal a line shows rate and time left; --progress json prints them for programs.

        Files are received without asking in this order of priority:

          tacit fetch --files small          # this command; also watch, daemon run
          tacit config set file.accept small # all commands: tacit.conf
          tacit file auto-accept small       # the setting of the store

        The choices are none, small (pictures and voice messages up to 522 kB, videos up to 1.0 MB) and all. Limits for single \
        kinds are file.accept_image, file.accept_voice, file.accept_video and file.accept_file in tacit.conf, and --image, \
        --voice, --video and --file of 'tacit file auto-accept'. The hook on-file runs for each received file: see tacit help \
        hooks.

        A relay learns the network address of its users. A file on relays that are not in your list is received only \
        with 'tacit file receive --approve-relays', or without asking if you use a proxy.

        In a chat of a session, messages and their files have numbers:

          /attach ~/plan.pdf the plan        # Tab completes the path
          /receive 12
          /save 12 ~/Documents
          /show 12                           # draws a picture with characters

        /show works in terminals that report kitty or sixel graphics.
        """)
}
