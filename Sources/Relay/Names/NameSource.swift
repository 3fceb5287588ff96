public import ByteCoding
import SMPProtocol
import SystemIO

/// What resolves names for a relay: an HTTP service, or a program of the operator (SMP v20).
public enum NameSource: Hashable, Sendable, CustomStringConvertible {
    case service(ResolverAddress)
    case program(ResolverProgram)

    /// Reads the value of the setting: an address such as `http://127.0.0.1:8765`, or the path of a program with arguments.
    ///
    /// - Throws: ``DecodeError/invalid(_:)``.
    public init(text: String) throws(DecodeError) {
        self =
            text.hasPrefix("/") ? .program(try ResolverProgram(text: text)) : .service(try ResolverAddress(text: text))
    }

    public var description: String {
        switch self {
        case .service(let address): address.description
        case .program(let program): program.description
        }
    }
}

/// A program that resolves names: it gets the name as its last argument, and prints the record.
public struct ResolverProgram: Hashable, Sendable, CustomStringConvertible {
    /// The path of the program and its arguments, without spaces.
    let words: [String]

    /// The time limit, after which the program is killed.
    static let deadline = Duration.seconds(10)
    /// The largest size of the output in bytes.
    static let limit = 65536

    /// Reads the path of a program and its arguments, separated by spaces. There is no shell and no quoting.
    ///
    /// - Throws: ``DecodeError/invalid(_:)``.
    public init(text: String) throws(DecodeError) {
        words = text.split(separator: " ").map(String.init)
        guard let path = words.first, path.hasPrefix("/"),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .invalid("resolver") }
    }

    public var description: String { words.joined(separator: " ") }

    /// Runs the program for a name. Blocks.
    ///
    /// SECURITY: the name comes from a client. It is one argument of letters, digits, hyphens and dots, and begins with no
    /// hyphen, so the program cannot take it for an option.
    func record(of domain: SimplexDomain) -> Result<NameRecord, NameError> {
        do throws(SystemError) {
            let child = try Subprocess(
                words[0], words + [domain.description], environment: ResolverProgram.environment, leadsGroup: true)
            let result = try child.finish(within: ResolverProgram.deadline, limit: ResolverProgram.limit)
            guard result.ending == .exited(0) else { return .failure(.resolver("program failed")) }
            guard result.output.contains(where: { $0 > 0x20 }) else { return .failure(.notFound) }
            return NameRecord.answer(Bytes(result.output), for: domain)
        } catch {
            switch error.number {
            case SystemError.timedOut: return .failure(.resolver("timeout"))
            case SystemError.tooLong: return .failure(.resolver("response too large"))
            default: return .failure(.resolver("program failed"))
            }
        }
    }

    /// The environment without what concerns the relay alone.
    private static var environment: [String: String] {
        ProcessEnvironment.variables().filter { name, _ in
            !name.hasPrefix("TACIT_") && !["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"].contains(name)
        }
    }
}

extension NameRecord {
    /// The largest size of a record in bytes, so that it fits into a block with all around it.
    private static let sizeLimit = 15_000

    /// Reads what a resolver says of a name. Fields may be missing; the name is that which was asked for.
    static func answer(_ bytes: Bytes, for domain: SimplexDomain) -> Result<NameRecord, NameError> {
        guard let record = try? NameRecord(decoding: bytes, of: domain.description) else {
            return .failure(.resolver("invalid response"))
        }
        guard record.encodedSize <= sizeLimit else { return .failure(.resolver("response too large")) }
        return .success(record)
    }
}
