import Agent
public import AgentProtocol
public import ByteCoding
public import JSONCoding
public import SMPProtocol

/// Tests a server: creates a queue there, secures it and deletes it; or uploads, downloads and deletes a chunk of a file.
/// (`/_server test 1 smp://...`, `/smp test smp://...`, `/xftp test xftp://...`)
public struct TestServer: ChatCommand {
    public var profile: ProfileID?
    public var server: ConfiguredServer
    /// True for a file relay.
    public var isForFiles: Bool

    public init(_ profile: ProfileID?, _ server: ConfiguredServer, isForFiles: Bool = false) {
        self.profile = profile
        self.server = server
        self.isForFiles = isForFiles
    }

    public static let access = Access.network
    public static let syntax = Syntax(
        [
            Form(
                "/_server test", Argument<Self, ProfileID?>.profile(\.profile), .address(nil),
                make: { Self($0, $1.server, isForFiles: $1.isForFiles) })
        ]
            + [("/smp test", false), ("/xftp test", true)].map { words, isForFiles in
                Form(
                    words, .absent(\.profile), .address(isForFiles),
                    make: { Self($0, $1.server, isForFiles: $1.isForFiles) })
            })

    public func perform(on core: isolated LocalCore) async throws -> ServerTestResult {
        let profile = try core.lookup.profile(profile), environment = core.context.environment
        let failure: ServerTestFailure?
        if isForFiles {
            let folder = core.folder.path, loop = core.loop
            failure = try await FileServerTest.run(of: server, in: environment, loop: loop, folder: folder)
        } else {
            failure = await withCheckedContinuation { continuation in
                ServerTest.run(of: server, in: environment) { continuation.resume(returning: $0) }
            }
        }
        return ServerTestResult(profile: profile, server: server, isForFiles: isForFiles, failure: failure)
    }
}

/// The result of a test of a server.
public struct ServerTestResult: SimpleResponse {
    public let profile: OwnProfile
    public let server: ConfiguredServer
    /// True for a file relay.
    public let isForFiles: Bool
    /// Nil for a server that can be used.
    public let failure: ServerTestFailure?

    public static let type = "serverTestResult"

    public var fields: JSONObject {
        var fields: JSONObject = [
            "user": profile.json, "testServer": .string(server.text(scheme: isForFiles ? .xftp : .smp)),
        ]
        fields["testFailure"] = failure?.json(server.address)
        return fields
    }

    init(profile: OwnProfile, server: ConfiguredServer, isForFiles: Bool = false, failure: ServerTestFailure?) {
        self.profile = profile
        self.server = server
        self.isForFiles = isForFiles
        self.failure = failure
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        let profile: OwnProfile = try fields.required("user")
        let text = try fields.text("testServer"), isForFiles = text.hasPrefix("xftp:")
        let server = try ConfiguredServer(text: text, scheme: isForFiles ? .xftp : .smp)
        var failure: ServerTestFailure?
        if var inner = try fields.optionalObject("testFailure") { failure = try ServerTestFailure(from: &inner) }
        self.init(profile: profile, server: server, isForFiles: isForFiles, failure: failure)
    }
}

/// A server and its kind.
private struct TestedServer {
    let server: ConfiguredServer
    let isForFiles: Bool
}

extension Argument where Command == TestServer, Value == TestedServer {
    /// `smp://...` or `xftp://...`.
    ///
    /// - Parameter isForFiles: The kind that the words of the command name; nil for both.
    fileprivate static func address(_ isForFiles: Bool?) -> Argument {
        Argument(
            read: { reader throws(DecodeError) in
                let text = reader.rest(), isFile = isForFiles ?? text.hasPrefix("xftp:")
                return TestedServer(
                    server: try ConfiguredServer(text: text, scheme: isFile ? .xftp : .smp), isForFiles: isFile)
            },
            write: { command in
                guard isForFiles == nil || isForFiles == command.isForFiles else { return nil }
                return command.server.text(scheme: command.isForFiles ? .xftp : .smp)
            })
    }
}
