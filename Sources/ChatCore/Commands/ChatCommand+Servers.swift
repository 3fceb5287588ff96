import AgentProtocol
import ByteCoding
import JSONCoding
import SMPProtocol

/// The texts of commands about servers.
extension CoreCommand {
    /// As ``text``, for a command about servers.
    var serverText: String {
        switch self {
        case .listServers(let id): id.map { "/_servers \($0.number)" } ?? "/smp"
        case .setServers(let id, let servers):
            "\(CoreCommand.named("servers", id)) \(servers.map(\.description).joined(separator: ";"))"
        case .updateServers(let id, let changes):
            "/_servers \(id.number) \(JSONValue.array([OperatorServers(nil, changes).json]).line)"
        case .testServer(let id, let server): "\(id.map { "/_server test \($0.number)" } ?? "/smp test") \(server)"
        case .listOperators: "/_operators"
        case .updateOperators(let operators): "/_operators \(JSONValue.array(operators.map(\.json)).line)"
        case .showConditions: "/_conditions"
        case .acceptConditions(let tags):
            "/_accept_conditions \(UsageConditions.current.number) "
                + tags.map { "\($0.number)" }.joined(separator: ",")
        default: ""
        }
    }

    /// What stands behind `/_servers 1`: nothing, addresses or JSON.
    static func servers(_ id: ProfileID, from reader: inout CommandReader) throws(DecodeError) -> CoreCommand {
        if reader.isAtEnd { return .listServers(id) }
        guard reader.next == UInt8(ascii: "[") else { return .setServers(id, try addresses(from: &reader)) }
        var changes: [ProfileServer] = []
        for var group in try objects(from: &reader) { changes += try ProfileServer.changes(in: &group) }
        return .updateServers(id, changes)
    }

    /// `smp://...;smp://...`
    static func addresses(from reader: inout CommandReader) throws(DecodeError) -> [ConfiguredServer] {
        var servers: [ConfiguredServer] = []
        for text in reader.rest().split(separator: ";") { servers.append(try ConfiguredServer(text: String(text))) }
        return servers
    }

    /// What stands behind `/_operators`.
    static func operators(from reader: inout CommandReader) throws(DecodeError) -> CoreCommand {
        if reader.isAtEnd { return .listOperators }
        var operators: [ServerOperator] = []
        for var fields in try objects(from: &reader) { operators.append(try ServerOperator(settings: &fields)) }
        return .updateOperators(operators)
    }

    /// `1 1,2`: only the conditions that this program knows can be accepted.
    static func acceptance(from reader: inout CommandReader) throws(DecodeError) -> CoreCommand {
        guard try reader.integer(Int64.self) == UsageConditions.current.number else { throw .invalid("conditions") }
        var tags: [ServerOperator.Tag] = []
        for word in reader.rest().split(separator: ",") {
            guard let tag = Int64(word).flatMap(ServerOperator.Tag.init(number:)) else { throw .invalid("operator") }
            tags.append(tag)
        }
        guard !tags.isEmpty else { throw .invalid("operator") }
        return .acceptConditions(tags)
    }

    private static func objects(from reader: inout CommandReader) throws(DecodeError) -> [JSONFields] {
        guard let values = try JSONValue(decoding: Bytes(reader.rest().utf8)).array else { throw .invalid("array") }
        return try values.map { value throws(DecodeError) in
            guard let object = value.object else { throw .invalid("object") }
            return JSONFields(object)
        }
    }
}
