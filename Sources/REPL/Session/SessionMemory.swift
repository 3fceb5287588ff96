import ChatCore
import Commands
import Navigation

/// What sessions keep in the encrypted store. What cannot be kept or found is no reason to stop.
struct SessionMemory: Sendable {
    let store: OpenSession

    /// How many commands come back into the history.
    private static let lineCount = 500

    private func look(_ command: SessionCommand) async -> SessionResponse? {
        guard case .session(let response)? = try? await store.execute(.session(command)) else { return nil }
        return response
    }

    /// Whether it is on disk.
    @discardableResult
    private func change(_ command: SessionCommand) async -> Bool {
        (try? await store.change(.session(command))) != nil
    }

    /// The stored form of the last place.
    func place() async -> String? {
        guard case .value(_, let text)? = await look(.showValue(.place)) else { return nil }
        return text
    }

    func store(place: String) async {
        await change(.setValue(.place, place))
    }

    /// The version whose news were shown last; nil in a store that no session has seen.
    func seenVersion() async -> String? {
        guard case .value(_, let text)? = await look(.showValue(.seenVersion)) else { return nil }
        return text
    }

    func store(seenVersion version: String) async {
        await change(.setValue(.seenVersion, version))
    }

    /// What the gate knows; an empty record if there is none.
    ///
    /// Throws if there is one that cannot be read: that must not open the gate.
    func gate() async throws -> GateRecord {
        guard case .session(.value(_, let text)) = try await store.execute(.session(.showValue(.gate))) else {
            throw UnexpectedAnswer()
        }
        return try text.map { try GateRecord(decoding: $0) } ?? GateRecord()
    }

    /// Whether the record of the gate is on disk.
    func store(gate: GateRecord) async -> Bool {
        await change(.setValue(.gate, gate.encoded))
    }

    /// What was typed in a conversation and not sent.
    func draft(of contact: ContactID) async -> String {
        guard case .draft(_, let draft)? = await look(.showDraft(.reference(.contact(contact)))) else { return "" }
        return draft?.text ?? ""
    }

    func store(draft: String, of contact: ContactID) async {
        let kept = draft.isEmpty ? nil : Draft(text: draft)
        await change(.setDraft(.reference(.contact(contact)), kept))
    }

    /// The commands of former sessions, oldest first.
    func lines() async -> [String] {
        guard case .lines(let lines)? = await look(.listLines(count: SessionMemory.lineCount)) else { return [] }
        return lines
    }

    func store(line: String) async {
        await change(.addLine(line))
    }
}
