import AgentProtocol
import ByteCoding
import CommandKit
import JSONCoding
import SystemIO
import TerminalKit
import TestSupport
import Testing

@testable import ChatCore
@testable import Commands

/// What follows from each event: its JSON, the report, the hooks, the line of the log and what a session does.
///
/// `Tests/Fixtures/Events.jsonl` has a line for each sample; `TACIT_RECORD=1` writes it.
@Suite struct EventTests {
    private static let path = VectorFile.repositoryPath("Tests/Fixtures/Events.jsonl")

    @Test func consequences_are_those_recorded() throws {
        let found = EventSamples.all.map { Self.record($0.name, $0.event) }
        if ProcessEnvironment.variables()["TACIT_RECORD"] == "1" {
            try? Files.remove(Self.path)
            try Files.create(Self.path, Array(found.map { $0.line + "\n" }.joined().utf8))
        }
        let text = String(decoding: try Files.read(Self.path, limit: 1 << 22), as: UTF8.self)
        let recorded = try text.split(separator: "\n").map { try JSONValue(decoding: Bytes($0.utf8)) }
        #expect(recorded.count == found.count)
        for (found, recorded) in zip(found, recorded) {
            for (name, value) in zip(found.names, recorded.object?.names ?? []) { #expect(name == value) }
            for name in recorded.object?.names ?? [] {
                let was = recorded.object?[name], now = found[name]
                // Fields may be added to the API.
                let isSame = name == "json" ? Self.contains(now, was) : now == was
                #expect(isSame, "\(found["sample"]?.string ?? "") \(name): \(now?.line ?? "-") was \(was?.line ?? "-")")
            }
        }
    }

    private static func record(_ name: String, _ event: any ChatEvent) -> JSONObject {
        let report = EventReport(event)
        var record: JSONObject = ["sample": .string(name), "json": .object(event.json)]
        record.set("profile", event.owner?.id.number)
        record["report"] = report.map { .object($0.json) } ?? .null
        record.set("line", report?.sentenceWithSubject.text)
        record.set("advice", report?.advice)
        record["hooks"] = .array(
            event.hookCalls.map { call in
                [
                    .string(call.hook), .string(call.hook), .integer(call.profileID.number), .string(call.event),
                    .string(call.objectID ?? "-"), .string(call.chatID ?? "-"),
                ]
            }.map { .array($0) })
        record.set("trace", event.trace.logged(scrubs: false))
        record.set("scrubbed", event.trace.logged(scrubs: true))
        record.set("session", event.effect.map(words))
        return record
    }

    @Test func every_event_has_samples_with_all_its_words() {
        for type in ChatEvents.all {
            let samples = EventSamples.all.map(\.event).filter { Swift.type(of: $0) == type }
            #expect(!samples.isEmpty, "\(type)")
            #expect(Set(samples.compactMap { $0.notice?.slug }) == Set(type.slugs), "\(type)")
        }
        #expect(Set(ChatEvents.all.map { $0.type }).count == ChatEvents.all.count)
        for (name, event) in EventSamples.all {
            let isKnown = ChatEvents.all.contains { Swift.type(of: event) == $0 }
            #expect(isKnown, "\(name)")
        }
    }

    // MARK: - JSON

    @Test func events_are_read_as_they_were_written() throws {
        func isSame<Event: ChatEvent>(_ event: Event, _ other: any ChatEvent) -> Bool { other as? Event == event }
        for (name, event) in EventSamples.all {
            let json = try #require(try JSONValue(decoding: event.json.encoded).object)
            guard case .known(let read) = try ChatEvents.decode(json) else {
                Issue.record("\(name) is not known")
                continue
            }
            let isRead = isSame(event, read)
            #expect(isRead, "\(name): \(read.json.line)")
            #expect(PublishedTypes.official.problem(with: event.json) == nil, "\(name)")
        }
    }

    @Test func unknown_and_invalid_events_are_told_apart() throws {
        guard case .unknown("later") = try ChatEvents.decode(["type": "later", "user": 7]) else {
            Issue.record("a later event")
            return
        }
        for json: JSONObject in [[:], ["type": 7], ["type": "homeChanged"], ["type": "homeChanged", "user": []]] {
            #expect(throws: DecodeError.self) { try ChatEvents.decode(json) }
        }
    }

    /// The first sample of each type, with each of its values replaced.
    @Test func damaged_events_do_not_trap() throws {
        for type in ChatEvents.all {
            guard let event = EventSamples.all.map(\.event).first(where: { Swift.type(of: $0) == type }) else {
                continue
            }
            for damaged in Self.damaged(.object(event.json)) {
                _ = try? damaged.object.map(ChatEvents.decode)
            }
        }
        for event in EventSamples.all.map(\.event) where event.json.encoded.count < 1000 {
            Damage.survive(event.json.encoded) { bytes in
                _ = try JSONValue(decoding: bytes).object.map(ChatEvents.decode)
            }
        }
    }

    /// The value with one of its inner values replaced, down to a depth: what is deeper belongs to values with tests of their own.
    private static func damaged(_ value: JSONValue, depth: Int = 3) -> [JSONValue] {
        let others: [JSONValue] = [.null, "\u{0}é", .integer(.min), .object([:])]
        switch value {
        case .object(let fields) where depth > 0:
            return others
                + fields.names.flatMap { name in
                    damaged(fields[name] ?? .null, depth: depth - 1).map { inner in
                        var fields = fields
                        fields[name] = inner
                        return .object(fields)
                    }
                }
        case .array(let values) where depth > 0:
            return others
                + values.indices.flatMap { index in
                    damaged(values[index], depth: depth - 1).map { inner in
                        var values = values
                        values[index] = inner
                        return .array(values)
                    }
                }
        default: return others
        }
    }

    // MARK: - Words

    /// What a session is told.
    private static func words(_ effect: SessionEffect) -> String {
        func ids(_ items: [LocatedItem]) -> String { items.map { "\($0.item.id.number)" }.joined(separator: " ") }
        return switch effect {
        case .newItems(let items): "new \(ids(items))"
        case .itemsUpdated(let items): "updated \(ids(items))"
        case .itemChanged(let item): "changed \(ids([item]))"
        case .itemsDeleted(let entries): "deleted \(entries.map { "\($0.chat.number)/\($0.item.number)" })"
        case .chatDeleted(let chat): "chat deleted \(chat.number)"
        case .profileGone(let id): "profile gone \(id.number)"
        case .listsChanged: "lists"
        case .gateChanged: "gate"
        case .callBegan(let item): "call began \(ids([item]))"
        case .callEnded(let item): "call ended \(ids([item]))"
        case .homeChanged: "home"
        case .relayLost(let server, let problem): "lost \(server.place): \(problem.sentence)"
        case .relayReached(let server): "reached \(server.place)"
        case .requestReceived, .notice: effect.sentence.map { "\($0.subject)|\($0.text)" } ?? ""
        }
    }

    /// True if one value has all that another has, and perhaps more fields.
    private static func contains(_ value: JSONValue?, _ part: JSONValue?) -> Bool {
        switch (value, part) {
        case (.object(let fields)?, .object(let expected)?):
            expected.names.allSatisfy { contains(fields[$0], expected[$0]) }
        case (.array(let values)?, .array(let expected)?):
            values.count == expected.count && zip(values, expected).allSatisfy { contains($0, $1) }
        default: value == part
        }
    }
}
