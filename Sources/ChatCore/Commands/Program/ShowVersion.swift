public import ByteCoding
public import JSONCoding

/// Shows the versions of the program and of its protocols. (`/version`, `/v`)
public struct ShowVersion: ChatCommand {
    public init() {}

    public static let access = Access.read
    public static let syntax = Syntax(Form("/version", make: Self.init), Form("/v", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> VersionReport {
        .current
    }
}

/// The versions of a program and of its protocols.
public struct VersionReport: SimpleResponse {
    public let version: String
    /// The ranges that it speaks.
    public let chat: VersionRange
    public let agent: VersionRange
    public let smp: VersionRange
    public let ratchet: VersionRange

    public static let type = "versionInfo"

    init(version: String, chat: VersionRange, agent: VersionRange, smp: VersionRange, ratchet: VersionRange) {
        self.version = version
        self.chat = chat
        self.agent = agent
        self.smp = smp
        self.ratchet = ratchet
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        var info = try fields.object("versionInfo")
        version = try info.text("version")
        chat = try info.versions("chatVRange")
        agent = try info.versions("agentVRange")
        smp = try info.versions("smpVRange")
        ratchet = try info.versions("e2eVRange")
    }

    public var fields: JSONObject {
        [
            "versionInfo": .object([
                "version": .string(version), "simplexmqVersion": .string(version), "simplexmqCommit": "",
                "chatVRange": chat.json, "agentVRange": agent.json,
                "smpVRange": smp.json, "e2eVRange": ratchet.json,
            ]),
            // The schema of this program has steps of its own.
            "chatMigrations": [], "agentMigrations": [],
        ]
    }
}
