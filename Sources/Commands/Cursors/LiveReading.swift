import ChatCore
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

    /// Receives until the time is up, and meanwhile deals with all that is behind the cursor, and with what comes.
    func run(
        _ cursor: CursorReading, _ program: MessageProgram?, timeout: Duration, _ session: StoreSession
    ) async throws {
        async let reading: Void = follow(cursor, program, session)
        _ = try await session.execute(.receive(timeout: timeout))
        arrival.finish()
        await reading
    }

    /// Ends the process when something goes wrong: the cursor stands where it should, and receiving would go on for ever.
    private func follow(_ cursor: CursorReading, _ program: MessageProgram?, _ session: StoreSession) async {
        do {
            var cursor = cursor
            try await read(&cursor, program)
            for await _ in news { try await read(&cursor, program) }
        } catch OutputError.closed {
            ProcessEnding.closedPipe()
        } catch {
            ProcessEnding.exit(session.invocation.report(Explained(error).failure(during: "watch")).rawValue)
        }
    }

    private func read(_ cursor: inout CursorReading, _ program: MessageProgram?) async throws {
        if let program {
            try await cursor.run(program, moves: true, marks: false)
        } else {
            try await cursor.print(moves: true, marks: false)
        }
    }
}
