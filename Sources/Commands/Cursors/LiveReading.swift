import ChatCore
import ControlSocket
import JSONCoding
import SystemIO
import TerminalKit

/// `tacit watch --cursor`: reads on behind a cursor whenever something came.
struct LiveReading {
    /// Says that something came. What came while nobody looked is one piece of news.
    let news: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    init() {
        (news, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func note(_ event: ChatEvent) {
        if case .newItems = event { arrival.yield() }
    }

    /// Receives until the time is up, and meanwhile deals with all that is behind the cursor, and with what comes. When
    /// something goes wrong the cursor stands where it should, and receiving ends.
    func run(
        _ cursor: CursorReading, _ program: MessageProgram?, timeout: Duration?, _ session: StoreSession
    ) async throws {
        async let receiving: Void = receive(timeout, session)
        var cursor = cursor
        try await cursor.read(program)
        for await _ in news { try await cursor.read(program) }
        try await receiving
    }

    private func receive(_ timeout: Duration?, _ session: StoreSession) async throws {
        defer { arrival.finish() }
        try await session.receive(timeout: timeout)
    }

    /// The same where another process receives: it says when something came.
    static func follow(
        at hosted: StoreIsHosted, timeout: Duration?, _ invocation: Invocation, _ read: () throws -> Void
    ) throws {
        var client = try Forwarding.reach(hosted, invocation)
        var params = JSONObject()
        params.set("timeout", timeout.map { "\(Int(($0 / .milliseconds(1)).rounded(.up)))ms" })
        try Forwarding.send(RPCRequest(id: 1, method: "watch", params: .object(params)), &client)
        try read()
        while let message = try Forwarding.next(&client) {
            switch message {
            case .notification: try read()
            case .result: return
            case .error: throw Reason.lostHolder
            }
        }
        throw Reason.lostHolder
    }
}

extension CursorReading {
    /// Deals with everything that is there, and moves on.
    mutating func read(_ program: MessageProgram?) async throws {
        if let program {
            try await run(program, moves: true, marks: false)
        } else {
            try await print(moves: true, marks: false)
        }
    }
}
