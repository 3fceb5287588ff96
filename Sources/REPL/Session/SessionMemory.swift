import ChatCore
import Commands
import Navigation

/// What sessions keep in the encrypted store. What cannot be kept or found is no reason to stop.
struct SessionMemory: Sendable {
    let store: OpenSession

    /// How many commands come back into the history.
    private static let lineCount = 500

    /// True if it is on disk.
    @discardableResult
    private func change(_ command: some ChatCommand) async -> Bool {
        (try? await store.execute(command)) != nil
    }

    private func value(_ key: SessionKey) async -> String? {
        (try? await store.execute(ShowSessionValue(key)))?.value
    }

    /// The stored form of the last place.
    func place() async -> String? {
        await value(.place)
    }

    func store(place: String) async {
        await change(SetSessionValue(.place, place))
    }

    /// The version whose news were shown last; nil in a store that no session has seen.
    func seenVersion() async -> String? {
        await value(.seenVersion)
    }

    func store(seenVersion version: String) async {
        await change(SetSessionValue(.seenVersion, version))
    }

    /// What the gate knows; an empty record if there is none.
    ///
    /// Throws if there is one that cannot be read: that must not open the gate.
    func gate() async throws -> GateRecord {
        try await store.execute(ShowSessionValue(.gate)).value.map { try GateRecord(decoding: $0) } ?? GateRecord()
    }

    /// Whether the record of the gate is on disk.
    func store(gate: GateRecord) async -> Bool {
        await change(SetSessionValue(.gate, gate.encoded))
    }

    /// What was typed in a conversation and not sent.
    func draft(of contact: ContactID) async -> String {
        (try? await store.execute(ShowDraft(.reference(.direct(contact)))))?.draft?.text ?? ""
    }

    func store(draft: String, of contact: ContactID) async {
        let kept = draft.isEmpty ? nil : Draft(text: draft)
        await change(SetDraft(.reference(.direct(contact)), kept))
    }

    /// The commands of former sessions, oldest first.
    func lines() async -> [String] {
        (try? await store.execute(ListLines(count: SessionMemory.lineCount)))?.lines ?? []
    }

    func store(line: String) async {
        await change(AddLine(line))
    }
}
