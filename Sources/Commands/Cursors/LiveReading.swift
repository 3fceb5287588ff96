import ChatCore
import ControlSocket
import JSONCoding
import Synchronization
import SystemIO
import TerminalKit

/// `tacit watch --cursor`: reads on behind a cursor whenever something came.
struct LiveReading {
    /// Says that something came. What came while nobody looked is one piece of news.
    let news: AsyncStream<Void>
    private let end = End()
    private let arrival: AsyncStream<Void>.Continuation

    init() {
        (news, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func note(_ event: any ChatEvent) {
        if event is NewItemsEvent { arrival.yield() }
    }

    /// Receives until the time is up, and meanwhile deals with all that is behind the cursor, and with what comes. When
    /// something goes wrong the cursor stands where it should, and receiving ends.
    func run(
        _ cursor: CursorReading, _ program: MessageProgram?, timeout: Duration?, _ session: StoreSession
    ) async throws -> ExitCode {
        async let receiving: Void = receive(timeout, session)
        var cursor = cursor
        let end = end
        var codes = [try await cursor.read(program) { end.isReached }]
        for await _ in news { codes.append(try await cursor.read(program) { end.isReached }) }
        try await receiving
        return codes.contains(.partial) ? .partial : .ok
    }

    private func receive(_ timeout: Duration?, _ session: StoreSession) async throws {
        defer {
            end.reach()
            arrival.finish()
        }
        try await session.receive(timeout: timeout)
    }

    /// True when nothing is received any more.
    private final class End: Sendable {
        private let state = Mutex(false)

        var isReached: Bool { state.withLock { $0 } }

        func reach() { state.withLock { $0 = true } }
    }

    /// The same where another process receives: it says when something came.
    static func follow(
        at hosted: StoreIsHosted, timeout: Duration?, _ invocation: Invocation,
        _ read: (@escaping @Sendable () -> Bool) throws -> ExitCode
    ) throws -> ExitCode {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        let isOver: @Sendable () -> Bool = { deadline.map { ContinuousClock.now >= $0 } ?? false }
        var client = try Forwarding.reach(hosted, invocation)
        var params = JSONObject()
        params.set("timeout", timeout.map { "\(Int(($0 / .milliseconds(1)).rounded(.up)))ms" })
        try Forwarding.send(RPCRequest(id: 1, method: "watch", params: .object(params)), &client)
        var code = try read(isOver)
        while let message = try Forwarding.next(&client) {
            switch message {
            case .notification: if try read(isOver) == .partial { code = .partial }
            case .result: return code
            case .error: throw Reason.lostHolder
            }
        }
        throw Reason.lostHolder
    }
}

extension CursorReading {
    /// Deals with everything that is there, and moves on.
    mutating func read(_ program: MessageProgram?, isOver: @escaping @Sendable () -> Bool) async throws -> ExitCode {
        if let program { return try await run(program, moves: true, marks: false, isOver: isOver) }
        try await print(moves: true, marks: false)
        return .ok
    }
}
