import ChatCore

/// The failures of the store in operations that go on without their result. Each is reported once until an operation succeeds.
///
/// That a thing is not there is no failure of the store, nor is the end of another process that had it open: the session opens the
/// store again then.
final class StoreFailures {
    /// Shows a failure.
    var report: (ChatError) -> Void = { _ in }
    private var last: ChatError?

    /// Returns the result of an operation on the store, or nil if it has none.
    @discardableResult
    func value<Value>(_ body: () async throws -> Value) async -> Value? {
        do {
            let value = try await body()
            last = nil
            return value
        } catch {
            note(error)
            return nil
        }
    }

    private func note(_ error: any Error) {
        guard let error = error as? ChatError, error != last, StoreFailures.isFailure(error) else { return }
        last = error
        report(error)
    }

    /// Returns true for an error of the store itself.
    static func isFailure(_ error: any Error) -> Bool {
        switch error {
        case ChatError.holder(.ended): false
        case ChatError.database, ChatError.holder, ChatError.internal: true
        default: false
        }
    }
}
