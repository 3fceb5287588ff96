import ChatCore
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
        if let event = event as? NewItemsEvent, !event.visibleItems.isEmpty { arrival.yield() }
    }

    /// Receives until the time is up, and meanwhile deals with all that is behind the cursor, and with what comes. When
    /// something goes wrong the cursor stands where it should, and receiving ends.
    func run(
        _ cursor: CursorReading, _ program: MessageProgram?, timeout: Duration?, _ session: CommandSession
    ) async throws -> ExitCode {
        async let receiving: Void = receive(timeout, session)
        var cursor = cursor
        let end = end
        var codes = [try await cursor.read(program) { end.isReached }]
        for await _ in news { codes.append(try await cursor.read(program) { end.isReached }) }
        try await receiving
        return codes.contains(.partial) ? .partial : .ok
    }

    private func receive(_ timeout: Duration?, _ session: CommandSession) async throws {
        defer {
            end.reach()
            arrival.finish()
        }
        let files = session.invocation[AcceptedFiles.option]?.acceptance
        try await session.receive(timeout: timeout, files: files)
    }

    /// True when nothing is received any more.
    private final class End: Sendable {
        private let state = Mutex(false)

        var isReached: Bool { state.withLock { $0 } }

        func reach() { state.withLock { $0 = true } }
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
