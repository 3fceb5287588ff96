import ByteCoding
import ChatCore
import JSONCoding
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import Host

/// A core that answers a command when a test says so.
private final class PausedCore: Core {
    private struct State {
        var begun: [String] = []
        var waiting: [String: CheckedContinuation<Void, Never>] = [:]
        var released: Set<String> = []
        var cancelled: [String] = []
    }

    private let state = Mutex(State())

    var begun: [String] { state.withLock { $0.begun } }
    var cancelled: [String] { state.withLock { $0.cancelled } }

    /// Has a command end, now or when it begins.
    func release(_ text: String) {
        let waiting = state.withLock { state in
            state.released.insert(text)
            return state.waiting.removeValue(forKey: text)
        }
        waiting?.resume()
    }

    func execute<Command: ChatCommand>(_ command: Command) async throws(ChatError) -> Command.Response {
        let text = command.text
        state.withLock { $0.begun.append(text) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReleased = state.withLock { state in
                    if state.released.contains(text) { return true }
                    state.waiting[text] = continuation
                    return false
                }
                if isReleased { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.cancelled.append(text) }
        }
        throw .cursorNotFound(text)
    }
}

/// The commands of one caller: order, cancellation and the end.
@Suite(.timeLimit(.minutes(60))) struct APISessionTests {
    private static let place = "/_session show place", gate = "/_session show gate"

    /// A session over a paused core, with the answers that arrived.
    private final class Bench: @unchecked Sendable {
        // Safe because it is only touched on the loop's thread.

        let core = PausedCore()
        let loop: EventLoop
        let session: APISession
        private(set) var answers: [String] = []

        init(_ order: APISession.Order) throws {
            let folder = try TemporaryFolder()
            loop = try EventLoop()
            session = APISession(OpenStore(core, StoreFolder(folder.path), loop, command: "test"), order: order)
        }

        func start(_ text: String) -> APISession.ID? {
            session.start(text) { answer in
                let word =
                    switch answer {
                    case .result: "result"
                    case .error(.cursorNotFound): "error"
                    case .error: "refused"
                    case .ended: "ended"
                    }
                self.answers.append("\(text.split(separator: " ").last ?? ""): \(word)")
            }
        }

        /// Runs the loop until something is true. False if it is not within a few seconds.
        func run(_ isDone: @escaping () -> Bool) -> Bool {
            var isLate = false
            let timer = loop.after(.seconds(20)) { isLate = true }
            loop.run { isLate || isDone() }
            timer.cancel()
            return isDone()
        }

        /// Has the session settle, and says when it has.
        func settle(within timeout: Duration, then finish: @escaping @Sendable () -> Void) {
            let session = session
            Task(executorPreference: loop) {
                await session.settle(within: timeout)
                finish()
            }
        }

        /// Runs the loop for as long as other tasks may need to begin.
        func settle() {
            var isOver = false
            loop.after(.milliseconds(20)) { isOver = true }
            loop.run { isOver }
        }
    }

    @Test func commands_of_a_parallel_session_begin_at_once() throws {
        let bench = try Bench(.parallel)
        _ = bench.start(Self.place)
        _ = bench.start(Self.gate)
        #expect(bench.run { bench.core.begun.count == 2 })
        #expect(bench.session.waitingCount == 0 && bench.session.isBusy)
        bench.core.release(Self.gate)
        #expect(bench.run { bench.answers == ["gate: error"] })
        bench.core.release(Self.place)
        #expect(bench.run { bench.answers == ["gate: error", "place: error"] })
        #expect(!bench.session.isBusy)
    }

    @Test func commands_of_a_sequential_session_wait_for_each_other() throws {
        let bench = try Bench(.sequential)
        _ = bench.start(Self.place)
        _ = bench.start(Self.gate)
        #expect(bench.run { bench.core.begun == [Self.place] })
        bench.settle()
        #expect(bench.core.begun == [Self.place])
        #expect(bench.session.waitingCount == 1 && bench.session.waitingSize == Self.gate.utf8.count)
        bench.core.release(Self.gate)
        bench.core.release(Self.place)
        #expect(bench.run { bench.answers.count == 2 })
        #expect(bench.answers == ["place: error", "gate: error"])
        #expect(bench.session.waitingSize == 0 && bench.session.waitingCount == 0)
    }

    @Test(arguments: [APISession.Order.parallel, .sequential])
    func a_text_that_is_no_command_is_an_error(order: APISession.Order) throws {
        let bench = try Bench(order)
        _ = bench.start("/nothing")
        #expect(bench.run { bench.answers == ["/nothing: refused"] })
        #expect(bench.core.begun == [])
    }

    @Test func a_cancelled_command_is_answered_all_the_same() throws {
        let bench = try Bench(.parallel)
        let id = try #require(bench.start(Self.place))
        #expect(bench.run { bench.core.begun == [Self.place] })
        bench.session.cancel(id)
        #expect(bench.run { bench.core.cancelled == [Self.place] })
        #expect(bench.answers == [])
        bench.core.release(Self.place)
        #expect(bench.run { bench.answers == ["place: error"] })
        // A second time there is nothing to cancel.
        bench.session.cancel(id)
    }

    @Test func commands_that_have_not_begun_are_dropped() throws {
        let bench = try Bench(.sequential)
        _ = bench.start(Self.place)
        _ = bench.start(Self.gate)
        #expect(bench.run { bench.core.begun == [Self.place] })
        bench.session.cancelAll()
        #expect(bench.answers == ["gate: ended"])
        #expect(bench.session.waitingSize == 0)
        bench.core.release(Self.place)
        #expect(bench.run { bench.answers == ["gate: ended", "place: error"] })
        #expect(bench.core.begun == [Self.place])
        // The session goes on.
        bench.core.release(Self.gate)
        _ = bench.start(Self.gate)
        #expect(bench.run { bench.answers.last == "gate: error" })
    }

    @Test func the_end_answers_each_command_once() throws {
        let bench = try Bench(.parallel)
        _ = bench.start(Self.place)
        #expect(bench.run { bench.core.begun == [Self.place] })
        bench.session.end()
        #expect(bench.answers == ["place: ended"])
        bench.core.release(Self.place)
        bench.settle()
        #expect(bench.answers == ["place: ended"])
        #expect(bench.start(Self.gate) == nil)
        #expect(bench.answers == ["place: ended", "gate: ended"])
        #expect(bench.core.begun == [Self.place])
    }

    @Test func no_command_begins_while_the_session_settles() throws {
        let bench = try Bench(.parallel)
        _ = bench.start(Self.place)
        #expect(bench.run { bench.core.begun == [Self.place] })
        let settled = Atomic(false), isSettled = { settled.load(ordering: .relaxed) }
        bench.settle(within: .seconds(20)) { settled.store(true, ordering: .relaxed) }
        #expect(bench.run { bench.core.cancelled == [Self.place] })
        #expect(bench.start(Self.gate) == nil)
        #expect(!isSettled())
        bench.core.release(Self.place)
        #expect(bench.run { isSettled() })
        #expect(bench.answers == ["gate: ended", "place: error"])
    }

    @Test func a_session_that_does_not_settle_in_time_is_left() throws {
        let bench = try Bench(.parallel)
        _ = bench.start(Self.place)
        let settled = Atomic(false), isSettled = { settled.load(ordering: .relaxed) }
        bench.settle(within: .milliseconds(20)) { settled.store(true, ordering: .relaxed) }
        #expect(bench.run { isSettled() })
        #expect(bench.session.isBusy)
        bench.session.end()
        #expect(bench.answers == ["place: ended"])
        bench.core.release(Self.place)
    }

    @Test func a_thread_that_waits_gets_the_answer() throws {
        let bench = try Bench(.parallel)
        let answer = Mutex<String?>(nil)
        bench.core.release(Self.place)
        WorkerThread.start {
            guard case .error(.cursorNotFound(let text))? = try? bench.session.answer(Self.place) else { return }
            answer.withLock { $0 = text }
        }
        #expect(bench.run { answer.withLock { $0 } == Self.place })
    }
}
