import AgentProtocol
import ByteCoding
import ChatCore
import CommandKit
import CryptoCore
import Host
import Synchronization
import SystemIO
import TerminalKit

/// How commands come to use a profile that is there only for who knows its password.
enum HiddenProfile {
    static let passwordDescriptor = Option<Int?>(
        "profile-password-fd", "Read the password of a hidden profile from this file descriptor",
        .count("FD", in: 0...65535))

    /// The longest password, in bytes.
    private static let limit = 1024

    /// The password that stands behind the descriptor, without the end of its line; nil if none is named.
    static func given(_ invocation: Invocation) throws -> String? {
        if let known = invocation.profilePassword.text { return known }
        // SECURITY: the words of a session, or of a program behind rpc, name no descriptor of this process.
        guard let number = invocation[passwordDescriptor], invocation.host == nil else { return nil }
        let secret: Secret
        do throws(SystemError) {
            secret = try FileDescriptor(owning: Int32(number)).withContents(limit: limit, "read the password") {
                Secret(copying: $0)
            }
        } catch {
            throw Reason.unreadablePassword(number, error)
        }
        return invocation.profilePassword.keep(try checked(secret))
    }

    /// The password that was given, or the one that somebody types; twice if it is a new one.
    static func password(_ invocation: Invocation, isNew: Bool) throws -> String {
        if let given = try given(invocation) { return given }
        if case .asked(_, let ask) = invocation.questions {
            return invocation.profilePassword.keep(try asked(ask, isNew: isNew, invocation))
        }
        guard invocation.host == nil,
            let terminal = try? ControllingTerminal(allowsQuestions: !invocation[GlobalOptions.noInput])
        else {
            throw Reason.passwordMissing(invocation.commandName)
        }
        let first = try checked(try terminal.secret("Password of the profile") { Secret(copying: $0) })
        if isNew, first != (try checked(try terminal.secret("Repeat the password") { Secret(copying: $0) })) {
            throw Reason.passwordsDiffer
        }
        return invocation.profilePassword.keep(first)
    }

    /// What somebody types in a session: until it is a password, since what is typed there next would be a message.
    private static func asked(
        _ ask: (StyledText) -> Secret?, isNew: Bool, _ invocation: Invocation
    ) throws(Reason) -> String {
        func typed(_ question: StyledText) throws(Reason) -> Secret {
            if let secret = ask(question) { return secret }
            throw Reason.passwordNotTyped
        }
        while true {
            let first = try typed("Password of the profile")
            guard let text = try? checked(first) else {
                invocation.warn("the password is empty or not valid UTF-8")
                continue
            }
            if !isNew { return text }
            if try typed("Repeat the password").isEqual(to: first) { return text }
            invocation.warn("the two passwords differ")
        }
    }

    private static func checked(_ secret: Secret) throws(Reason) -> String {
        let bytes = secret.copyBytes()
        let line = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
        guard !line.isEmpty, let text = String(validating: line, as: UTF8.self) else {
            throw Reason.emptyPassword
        }
        return text
    }
}

/// The password of a profile, once it is known: a descriptor is read once.
final class KeptPassword: Sendable {
    private let kept: Mutex<String?>

    init(_ text: String? = nil) {
        kept = Mutex(text)
    }

    var text: String? { kept.withLock { $0 } }

    func keep(_ text: String) -> String {
        kept.withLock { $0 = text }
        return text
    }
}

extension CommandSession {
    /// Runs a command, with the hidden profile that it names and knows the password of.
    func opening<Result>(_ body: (CommandSession) async throws -> Result) async throws -> Result {
        guard let id = try await host.core.openProfile(invocation) else { return try await body(self) }
        return try await LocalCore.withOpened([id]) { try await body(self) }
    }
}

extension Core {
    /// Opens the hidden profile that a command names and knows the password of; a core in another process remembers that for its
    /// connection.
    @discardableResult
    func openProfile(_ invocation: Invocation) async throws -> ProfileID? {
        guard let name = invocation[GlobalOptions.profile], let password = try HiddenProfile.given(invocation) else {
            return nil
        }
        return try await execute(OpenProfile(name: name, password: password)).profiles.first?.id
    }
}
