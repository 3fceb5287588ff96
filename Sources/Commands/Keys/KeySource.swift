import ChatCore
import CryptoCore
import SystemIO
import TerminalKit

/// Where a key comes from, if it does not come from a person.
enum KeySource: Equatable {
    case file(String)
    case descriptor(Int32)
    case command(String)
    /// The variable `TACIT_KEY`.
    case variable
    /// The option `-k` of the official program.
    case option
    /// What the service manager put into the folder of credentials.
    case credential(String)
    /// The key that `init` made.
    case ownFile(String)

    /// The variables that name a source, besides `TACIT_KEY` itself.
    static let variables = ["TACIT_KEY_FILE", "TACIT_KEY_FD", "TACIT_KEY_COMMAND"]

    /// How long a command may take to print the key where a person is there: a passphrase may have to be typed, or a token
    /// touched.
    private static let timeout = Duration.seconds(300)
    /// The same where nobody is.
    private static let unattendedTimeout = Duration.seconds(60)

    /// The source that the user or the service manager named. Options come before variables, and those before configuration
    /// files; in each the file comes first.
    static func named(_ invocation: Invocation) throws -> KeySource? {
        if let path = invocation[KeyOptions.file] { return .file(path) }
        if let number = invocation[KeyOptions.descriptor] { return .descriptor(Int32(number)) }
        if let line = invocation[KeyOptions.command] { return .command(line) }
        // A start that is repeated names the key that the first one made.
        if invocation.commandName == "init", let path = invocation[InitCommand.newKeyFile], Files.exists(path) {
            return .file(path)
        }
        let environment = invocation.environment
        if let path = environment["TACIT_KEY_FILE"], !path.isEmpty { return .file(path) }
        if let text = environment["TACIT_KEY_FD"], !text.isEmpty {
            guard let number = Int32(text), number >= 0 else {
                throw Reason.invalidKeyDescriptor
            }
            return .descriptor(number)
        }
        if let line = environment["TACIT_KEY_COMMAND"], !line.isEmpty { return .command(line) }
        if invocation.environmentKey != nil { return invocation.keyIsOption ? .option : .variable }
        if let folder = environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") {
            let path = folder + "/tacit.key"
            if Files.exists(path) { return .credential(path) }
        }
        if let path = try invocation.value(of: ProgramSettings.keyFile) { return .file(invocation.expanded(path)) }
        return try invocation.value(of: ProgramSettings.keyCommand).map { .command($0) }
    }

    /// The key file in the folder of the configuration, if there is one.
    static func own(_ invocation: Invocation) throws -> KeySource? {
        let path = try ownPath(invocation)
        return Files.exists(path) ? .ownFile(path) : nil
    }

    /// The file that commands read without an option: that of the variable, of the configuration, or the one that `init` made.
    static func usualFile(_ invocation: Invocation) throws -> String? {
        if let path = invocation.environment["TACIT_KEY_FILE"], !path.isEmpty { return path }
        if let path = try invocation.value(of: ProgramSettings.keyFile) { return invocation.expanded(path) }
        guard case .ownFile(let path) = try own(invocation) else { return nil }
        return path
    }

    /// Returns true if both paths lead to one file.
    static func areSame(_ path: String, _ other: String) -> Bool {
        guard let one = try? Files.status(path), let two = try? Files.status(other) else { return path == other }
        return one.isSameFile(as: two)
    }

    /// Where `init` puts a key file unless it is told otherwise.
    static func ownPath(_ invocation: Invocation) throws -> String { "\(try invocation.directories().config)/key" }

    /// What the key is, in words that fit behind "it came from".
    var place: String {
        switch self {
        case .file(let path), .ownFile(let path): "the file \(UntrustedText(path).quoted)"
        case .descriptor(let number): "descriptor \(number)"
        case .command: "the output of the key command"
        case .variable: "the variable TACIT_KEY"
        case .option: "the option -k"
        case .credential: "the credential tacit.key of the service"
        }
    }

    // MARK: - Reading

    /// Reads the key.
    func read(_ invocation: Invocation) throws -> GivenKey {
        invocation.trace("the key comes from \(place)", .key, level: 2)
        let secret: Secret
        switch self {
        case .file(let path), .ownFile(let path): secret = try KeySource.read(path, mayBeShared: false)
        // The service manager made the folder for this service alone; its files may be readable by the group.
        case .credential(let path): secret = try KeySource.read(path, mayBeShared: true)
        case .descriptor(let number): secret = try KeySource.read(number)
        case .command(let line): secret = try KeySource.run(line, invocation)
        case .option: secret = invocation.environmentKey ?? Secret(copying: [])
        case .variable:
            if invocation.errors.traits.isTerminal {
                invocation.warn("TACIT_KEY is visible to your other programs; TACIT_KEY_FILE is not")
            }
            secret = invocation.environmentKey ?? Secret(copying: [])
        }
        guard let key = GivenKey(secret) else {
            throw Reason.emptyKey(from: place)
        }
        return key
    }

    private static func read(_ path: String, mayBeShared: Bool) throws -> Secret {
        do {
            // What the shell or the caller has open already has somebody at its other end.
            let isOpen = ["/dev/fd/", "/dev/stdin", "/proc/self/fd/"].contains { path.hasPrefix($0) }
            let file = try isOpen ? FileDescriptor(reading: path) : FileDescriptor(readingAtOnce: path)
            let status = try file.status()
            guard status.isRegular || isOpen else { throw Reason.irregularKeyFile(path) }
            // SECURITY: asked before anything is read, and of the file itself, not of the link.
            guard mayBeShared || isOpen || !status.isOpenToOthers else { throw Reason.openKeyFile(path) }
            return try file.withContents(limit: GivenKey.limit, "read the file") { Secret(copying: $0) }
        } catch let error as SystemError {
            throw Reason.unreadableKeyFile(error, at: path)
        }
    }

    private static func read(_ number: Int32) throws -> Secret {
        do throws(SystemError) {
            return try FileDescriptor(owning: number).withContents(limit: GivenKey.limit, "read the key") {
                Secret(copying: $0)
            }
        } catch {
            throw Reason.unreadableKeyDescriptor(number, error)
        }
    }

    private static func run(_ line: String, _ invocation: Invocation) throws -> Secret {
        // A command that may ask a person must be able to read from the terminal.
        let asks = KeyPrompt.isPossible(invocation), timeout = asks ? timeout : unattendedTimeout
        let result: (ending: Subprocess.Ending, value: Secret?, errors: [UInt8])
        do throws(SystemError) {
            result = try Subprocess(
                "/bin/sh", ["sh", "-c", line], environment: invocation.environment, leadsGroup: !asks
            ).finish(within: timeout, limit: GivenKey.limit) { Secret(copying: $0) }
        } catch {
            switch error.number {
            case SystemError.timedOut:
                throw Reason.keyCommandLate(timeout)
            case SystemError.tooLong:
                throw Reason.keyCommandTooLong
            default: throw error
            }
        }
        guard let key = result.value else {
            let words = result.errors.split(separator: UInt8(ascii: "\n")).first.map { UntrustedText(bytes: Array($0)) }
            throw Reason.keyCommandFailed(result.ending, words)
        }
        return key
    }
}
