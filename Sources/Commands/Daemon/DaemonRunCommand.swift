import ChatCore
import CommandKit
import SystemIO
import TerminalKit

/// `tacit daemon run`
enum DaemonRunCommand {
    static let leaf: Leaf = .init(
        Command(
            "daemon run", "Receive until it is stopped, and carry out the commands of others",
            promise: "it was stopped, and everything is on disk", store: .writing,
            examples: [Example("tacit daemon run", "In the foreground, as service managers like it")],
            exits: [69, 71, 75], reports: DaemonReport.forms, topics: ["scripting"],
            discussion: """
                It does not leave the terminal by itself: systemd or the shell does that. It says READY=1 to a service manager \
                that wants to know (NOTIFY_SOCKET). SIGTERM, Ctrl-C and tacit daemon stop end it in order; SIGHUP and \
                tacit daemon reload have it read its settings anew. What it receives it prints nowhere: tacit watch shows it.
                """),
        isAlone: true, purpose: { _ in "run the daemon" },
        run: { invocation in
            let opening = try StoreAccess(invocation, isWriting: true).open()
            var invocation = invocation
            while true {
                let wish = try StoreAccess(invocation, isWriting: true).run(on: opening) { [invocation] session in
                    try await session.receive(takesSignals: true) { reception in
                        guard let reception else { throw Reason.noControlSocket }
                        invocation.note(StyledText("commands are taken at ", .muted) + StyledText(reception.socket))
                        tell(.ready, invocation)
                    }
                    tell(session.host.process.wish == .reload ? .reloading : .stopping, invocation)
                    return session.host.process.wish
                }
                guard wish == .reload else { return .ok }
                invocation.note("reads its settings anew")
                invocation.settings = Configuration(invocation.environment).settings
            }
        })

    /// A service manager that does not listen is no reason to stop.
    private static func tell(_ state: ServiceNotification.State, _ invocation: Invocation) {
        do throws(SystemError) {
            try ServiceNotification.send(state, environment: invocation.environment)
        } catch {
            invocation.warn("the service manager could not be told: \(Reason(error).text)")
        }
    }
}

extension Reason {
    fileprivate static let noControlSocket = Reason(
        "daemon.socket", .system, "there is no place for its socket",
        why: ["the folders for it belong to somebody else, or another program listens there"],
        tries: [.init("XDG_RUNTIME_DIR=/some/folder tacit daemon run", "a folder that is yours")])
}
