import ChatCore
import Navigation

/// What sessions keep in the encrypted store. What cannot be kept or found is no reason to stop.
struct SessionMemory: Sendable {
    let core: ChatCore

    /// How many commands come back into the history.
    private static let lineCount = 500

    private func execute(_ command: SessionCommand) async -> SessionResponse? {
        guard case .session(let response)? = try? await core.execute(.session(command)) else { return nil }
        return response
    }

    /// The stored form of the last place.
    func place() async -> String? {
        guard case .value(_, let text)? = await execute(.showValue(.place)) else { return nil }
        return text
    }

    func store(place: String) async {
        _ = await execute(.setValue(.place, place))
    }

    /// What the gate knows; an empty record if there is none.
    ///
    /// Throws if there is one that cannot be read: that must not open the gate.
    func gate() async throws -> GateRecord {
        guard case .session(.value(_, let text)) = try await core.execute(.session(.showValue(.gate))) else {
            throw UnexpectedAnswer()
        }
        return try text.map { try GateRecord(decoding: $0) } ?? GateRecord()
    }

    /// Whether the record of the gate is on disk.
    func store(gate: GateRecord) async -> Bool {
        (try? await core.execute(.session(.setValue(.gate, gate.encoded)))) != nil
    }

    /// What was typed in a conversation and not sent.
    func draft(of contact: ContactID) async -> String {
        guard case .draft(_, let draft)? = await execute(.showDraft(.reference(.contact(contact)))) else { return "" }
        return draft?.text ?? ""
    }

    func store(draft: String, of contact: ContactID) async {
        let kept = draft.isEmpty ? nil : Draft(text: draft)
        _ = await execute(.setDraft(.reference(.contact(contact)), kept))
    }

    /// The commands of former sessions, oldest first.
    func lines() async -> [String] {
        guard case .lines(let lines)? = await execute(.listLines(count: SessionMemory.lineCount)) else { return [] }
        return lines
    }

    func store(line: String) async {
        _ = await execute(.addLine(line))
    }
}
