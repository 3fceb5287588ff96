import Synchronization
import SystemIO
import TerminalKit

/// Standard input of `tacit rpc`, whatever it is: a pipe, a file, a terminal. It is read on a thread of its own, because not all of
/// these can be waited for on a loop.
final class RPCInput: Sendable {
    private let failure = Mutex<SystemError?>(nil)

    private static let chunk = 65536

    /// Copies all of it to a descriptor, and calls `finish` at its end. Whoever reads there may have gone.
    func copy(to number: Int32, then finish: @escaping @Sendable (Int32) -> Void = { _ in }) {
        WorkerThread.start { [self] in
            let input = FileDescriptor(owning: 0), output = FileDescriptor(owning: number)
            do throws(SystemError) {
                while true {
                    let bytes = try input.read(RPCInput.chunk)
                    guard !bytes.isEmpty else { break }
                    guard (try? output.write(bytes)) != nil else { return }
                }
            } catch {
                failure.withLock { $0 = error }
            }
            finish(output.number)
        }
    }

    /// What became of it, when all that came of it is answered.
    func end() throws -> ExitCode {
        guard let error = failure.withLock({ $0 }) else { return .ok }
        throw Reason.unreadableInput(error)
    }
}
