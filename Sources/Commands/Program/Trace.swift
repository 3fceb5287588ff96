import ByteCoding
import ChatCore
import CommandKit
import SystemIO
import TerminalKit

/// The log of one run: what is done, for whoever wants to know. On standard error, or in a file of its own.
///
/// SECURITY: what is written holds no text of messages, no links and no keys, and unless the user wants it no names.
struct Trace: Sendable {
    /// Parts of the program, which stand before the lines that they write with -vv.
    enum Source: String {
        case config, store, key, network, chat
    }

    /// 0: nothing, 1: what is done, 2: everything.
    let level: Int
    /// Whether names are left out.
    let scrubs: Bool
    private let output: Output
    private let isFile: Bool
    private let command: String

    /// Opens the file, if there is to be one.
    init(_ parsed: Parsed, errors: Output) throws(Reason) {
        let verbosity = parsed[GlobalOptions.verbose], path = parsed[GlobalOptions.logFile]
        // Whoever names a file wants something in it.
        level = path == nil ? verbosity : max(verbosity, 1)
        scrubs = parsed[GlobalOptions.scrubs]
        isFile = path != nil
        command = parsed.command.path.joined(separator: " ")
        guard let path else {
            output = errors
            return
        }
        do throws(SystemError) {
            // The descriptor stays open until the process ends.
            output = Output(descriptor: try FileDescriptor(appendingTo: path).release(), traits: .pipe)
        } catch {
            throw Reason.logFile(error, at: path)
        }
    }

    /// For a command that runs on a store that others have open: whoever sees its errors sees its log.
    init(inner parsed: Parsed, errors: Output) {
        level = parsed[GlobalOptions.verbose]
        scrubs = parsed[GlobalOptions.scrubs]
        isFile = false
        command = parsed.command.path.joined(separator: " ")
        output = errors
    }

    /// What cannot be said there is lost: nothing depends on it.
    func write(_ text: String, _ source: Source, level: Int = 1) {
        guard self.level >= level else { return }
        let line = self.level > 1 ? "\(source.rawValue): \(text)" : text
        let now = Timestamp(milliseconds: SystemClock.milliseconds())
        let whole = isFile ? "\(now) \(ProcessEnvironment.processID) \(command): \(line)" : line
        try? output.write(line: isFile ? StyledText(whole) : StyledText(whole, .muted))
        try? output.flush()
    }

    /// An event: at first only which relays are used.
    func write(_ event: any ChatEvent) {
        if let event = event as? HostConnectedEvent {
            write(event.trace.logged(scrubs: scrubs), .network)
        } else if let event = event as? HostDisconnectedEvent {
            write("\(event.trace.logged(scrubs: scrubs)): \(Reason(event.problem).text)", .network)
        } else if level > 1 {
            write(event.trace.logged(scrubs: scrubs), .chat, level: 2)
        }
    }
}
