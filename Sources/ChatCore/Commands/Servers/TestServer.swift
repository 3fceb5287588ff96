import Agent
public import AgentProtocol
public import ByteCoding
public import JSONCoding
public import SMPProtocol

/// Tests a server: creates a queue there, secures it and deletes it. (`/_server test 1 smp://...`, `/smp test smp://...`)
public struct TestServer: ChatCommand {
    public var profile: ProfileID?
    public var server: ConfiguredServer

    public init(_ profile: ProfileID?, _ server: ConfiguredServer) {
        self.profile = profile
        self.server = server
    }

    public static let access = Access.network
    public static let syntax = Syntax(
        Form.numbered("/_server test", named: "/smp test", \.profile, .address, make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> ServerTestResult {
        let profile = try core.lookup.profile(profile), environment = core.context.environment
        let failure: ServerTestFailure? = await withCheckedContinuation { continuation in
            ServerTest.run(of: server, in: environment) { continuation.resume(returning: $0) }
        }
        return ServerTestResult(profile: profile, server: server, failure: failure)
    }
}

/// The result of a test of a server.
public struct ServerTestResult: SimpleResponse {
    public let profile: OwnProfile
    public let server: ConfiguredServer
    /// Nil for a server that can be used.
    public let failure: ServerTestFailure?

    public static let type = "serverTestResult"

    public var fields: JSONObject {
        var fields: JSONObject = ["user": profile.json, "testServer": .string(server.description)]
        fields["testFailure"] = failure?.json(server.address)
        return fields
    }

    init(profile: OwnProfile, server: ConfiguredServer, failure: ServerTestFailure?) {
        self.profile = profile
        self.server = server
        self.failure = failure
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        let profile: OwnProfile = try fields.required("user")
        let server = try ConfiguredServer(text: try fields.text("testServer"))
        var failure: ServerTestFailure?
        if var inner = try fields.optionalObject("testFailure") { failure = try ServerTestFailure(from: &inner) }
        self.init(profile: profile, server: server, failure: failure)
    }
}

extension Argument where Command == TestServer, Value == ConfiguredServer {
    fileprivate static var address: Argument {
        Argument(
            read: { reader throws(DecodeError) in try ConfiguredServer(text: reader.rest()) },
            write: { $0.server.description })
    }
}
