import ChatCore
import Navigation

/// The values that sessions keep in the encrypted store. A value that cannot be kept or read is reported, and the session goes on.
struct SessionMemory {
    let core: any Core
    let reads: StoreFailures
    /// Apart from those of reads, which may succeed while no write does.
    let writes: StoreFailures

    /// The number of commands that come back into the history.
    private static let lineCount = 500

    /// Returns true if the change is on disk.
    @discardableResult
    private func change(_ command: some ChatCommand) async -> Bool {
        await writes.value { _ = try await core.execute(command) } != nil
    }

    private func value(_ key: SessionKey) async -> String? {
        await reads.value { try await core.execute(ShowSessionValue(key)) }?.value
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

    /// The record of the passcode gate; an empty one if there is none.
    ///
    /// - Throws: `DecodeError` for a record that cannot be read: that must not open the gate.
    func gate() async throws -> GateRecord {
        try await core.execute(ShowSessionValue(.gate)).value.map { try GateRecord(decoding: $0) } ?? GateRecord()
    }

    /// Returns true if the record of the gate is on disk.
    func store(gate: GateRecord) async -> Bool {
        await change(SetSessionValue(.gate, gate.encoded))
    }

    /// The text that was typed in a conversation and not sent.
    func draft(of chat: ChatReference) async -> String {
        await reads.value { try await core.execute(ShowDraft(.reference(chat))) }?.draft?.text ?? ""
    }

    func store(draft: String, of chat: ChatReference) async {
        let kept = draft.isEmpty ? nil : Draft(text: draft)
        await change(SetDraft(.reference(chat), kept))
    }

    /// The commands of earlier sessions, oldest first.
    func lines() async -> [String] {
        await reads.value { try await core.execute(ListLines(count: SessionMemory.lineCount)) }?.lines ?? []
    }

    func store(line: String) async {
        await change(AddLine(line))
    }
}
