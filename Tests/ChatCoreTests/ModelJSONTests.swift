import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import SMPClient
import SMPProtocol
import TestSupport
import Testing

@testable import ChatCore

/// What answers and events hold is read from its JSON as it was written.
@Suite struct ModelJSONTests {
    private static let rounds = 60

    /// Writes random values and reads them again, also with every byte damaged.
    private func check<Value: JSONObjectCodable & Equatable>(
        _ make: (inout Samples) -> Value, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try check(
            make, write: { $0.fields }, read: { fields throws(DecodeError) in try Value(from: &fields) },
            sourceLocation: sourceLocation)
    }

    private func check<Value: Equatable>(
        _ make: (inout Samples) -> Value, write: (Value) -> JSONObject,
        read: (inout JSONFields) throws(DecodeError) -> Value, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var smallest: Bytes?
        for round in 0..<ModelJSONTests.rounds {
            var samples = Samples(seed: UInt64(round))
            let value = make(&samples)
            let encoded = write(value).encoded
            var fields = try JSONFields(decoding: encoded)
            let decoded = try read(&fields)
            #expect(decoded == value, "seed \(round)", sourceLocation: sourceLocation)
            #expect(write(decoded).encoded == encoded, "seed \(round)", sourceLocation: sourceLocation)
            if encoded.count < smallest?.count ?? .max { smallest = encoded }
        }
        Damage.survive(try #require(smallest)) { damaged in
            var fields = try JSONFields(decoding: damaged)
            _ = try read(&fields)
        }
    }

    @Test func profiles_and_contacts_are_read_as_they_were_written() throws {
        try check { $0.ownProfile() }
        try check { $0.contact() }
        try check { $0.connection() }
        try check { LocatedContact(profile: $0.ownProfile(), contact: $0.contact()) }
    }

    @Test func chats_are_read_as_they_were_written() throws {
        try check { $0.chat() }
    }

    @Test func links_and_requests_are_read_as_they_were_written() throws {
        try check { $0.link() }
        try check { $0.address() }
        try check { $0.request() }
        try check { $0.plan() }
    }

    @Test func items_are_read_as_they_were_written() throws {
        try check { $0.located() }
        try check { $0.deleted() }
        try check { $0.preview() }
        try check { $0.purged() }
    }

    @Test func each_content_and_status_is_read_as_it_was_written() throws {
        var samples = Samples(seed: 1)
        let chat = samples.chat()
        var contents = Set<String>(), statuses = Set<String>()
        for _ in 0..<2000 {
            let item = samples.item(in: chat)
            var fields = try JSONFields(decoding: item.json.encoded)
            #expect(try ChatItem(in: item.chat, from: &fields) == item)
            contents.insert(item.content.kind)
            statuses.insert(item.status.text)
        }
        #expect(contents.count > 8)
        #expect(statuses.count == 7 + 1 + 2 * ChatItem.SendProblem.allCases.count)
    }

    @Test func lists_keep_chats_apart_from_pending_connections() throws {
        for seed in 0..<20 {
            var samples = Samples(seed: UInt64(seed))
            let chats = samples.several { $0.preview() }, pending = samples.several { $0.connection() }
            let requests = samples.several { $0.request() }
            let lists = chats.map(\.json) + requests.map(\.chatJSON) + pending.map(\.chatJSON)
            var fields = JSONFields(["chats": .array(lists)])
            let read = try ChatPreview.list("chats", from: &fields)
            #expect(read.chats == chats)
            #expect(read.requests == requests)
            #expect(read.pending == pending)
        }
    }

    @Test func an_added_reaction_is_read_as_it_was_written() throws {
        for seed in 0..<20 {
            var samples = Samples(seed: UInt64(seed))
            let item = samples.located(), reaction = samples.reaction(), isAdded = samples.bool(),
                time = samples.time()
            var fields = JSONFields(item.json(reaction, .received, isAdded: isAdded, at: time))
            let read = try LocatedItem.reaction(from: &fields)
            #expect(read.item == item)
            #expect(read.reaction == reaction)
            #expect(read.isAdded == isAdded && read.time == time)
        }
    }

    @Test func servers_are_read_as_they_were_written() throws {
        try check { $0.operatorServers() }
        try check { $0.profileServer() }
        try check { $0.serverOperator() }
        try check({ $0.several { $0.serverOperator() } }, write: { ServerOperator.conditionsJSON($0).object ?? [:] }) {
            fields throws(DecodeError) in try ServerOperator.conditions(from: &fields)
        }
        try check({ $0.several { $0.serverOperator() } }, write: { UsageConditions.current.fields($0) }) {
            fields throws(DecodeError) in
            let answer = try UsageConditions.answer(from: &fields)
            guard answer.conditions == .current else { throw .invalid("conditions") }
            return answer.operators
        }
    }

    @Test func each_problem_with_a_relay_is_read_as_it_was_written() throws {
        try check { $0.problem() }
        try check { $0.obstacle() }
        let server = try ServerAddress(text: "smp://AAAA@smp.example.org")
        try check(
            { ServerTestFailure($0.pick(ServerTestFailure.Step.allCases), $0.problem()) },
            write: { $0.json(server).object ?? [:] }
        ) { fields throws(DecodeError) in try ServerTestFailure(from: &fields) }
    }

    @Test func the_official_form_of_a_problem_stays() throws {
        let server = try ServerAddress(text: "smp://AAAA@smp.example.org")
        #expect(
            JSONValue.object(RelayObstacle(server: server, problem: .forwarder(.closed)).fields).line == """
                {"type":"BROKER","brokerAddress":"smp://AAAA@smp.example.org",\
                "brokerErr":{"type":"NETWORK","networkError":{"type":"failedError"}},\
                "problem":{"type":"forwarder","problem":{"type":"closed"}}}
                """)
        #expect(
            RelayProblem.full.json.line == """
                {"type":"SMP","serverAddress":"","smpErr":{"type":"QUOTA"},"problem":{"type":"full"}}
                """)
        let refused: [(String, String)] = [
            ("LARGE_MSG", #"{"type":"LARGE_MSG"}"#), ("CMD SYNTAX", #"{"type":"CMD","cmdErr":{"type":"SYNTAX"}}"#),
            ("STORE a b", #"{"type":"STORE","storeErr":"a b"}"#),
            ("NAME NO_RESOLVER", #"{"type":"NAME","nameErr":{"type":"NO_RESOLVER"}}"#),
            ("NAME NOT_FOUND", #"{"type":"NAME","nameErr":{"type":"NOT_FOUND"}}"#),
            ("NAME RESOLVER a b", #"{"type":"NAME","nameErr":{"type":"RESOLVER","resolverErr":"a b"}}"#),
            (
                "PROXY PROTOCOL NAME NOT_FOUND",
                #"{"type":"PROXY","proxyErr":{"type":"PROTOCOL","#
                    + #""protocolErr":{"type":"NAME","nameErr":{"type":"NOT_FOUND"}}}}"#
            ),
            ("SIZE", #"{"type":"SIZE"}"#),
        ]
        for (text, form) in refused {
            #expect(RelayProblem.refused(text).fields["smpErr"]?.line == form)
        }
        let answers: [(SessionError, String)] = [
            (.refused(.name(.notFound)), "NAME NOT_FOUND"),
            (.refused(.proxy(.relay(.name(.noResolver)))), "NAME NO_RESOLVER"),
            (.refused(.command(.syntax)), "CMD SYNTAX"),
        ]
        for (error, text) in answers { #expect(RelayProblem(error) == .refused(text)) }
        let refusal = RelayObstacle(
            server: server, problem: .addressesRefused(until: Timestamp(milliseconds: 1_790_500_443_000)))
        #expect(
            JSONValue.object(refusal.fields).line == """
                {"type":"NOTICE","server":"smp.example.org","preset":false,"expiresAt":"2026-09-27T09:14:03Z",\
                "serverAddress":"smp://AAAA@smp.example.org",\
                "problem":{"type":"addressesRefused","until":"2026-09-27T09:14:03.000Z"}}
                """)
    }

    /// A contact cannot say what this program thinks of its badge and its name.
    @Test func a_badge_is_of_an_unknown_issuer() throws {
        let info: JSONObject = ["badgeType": "legend", "badgeExpiry": "2027-01-02T03:04:05Z", "badgeExtra": ""]
        let claims: JSONObject = [
            "badge": .object(["badgeKeyIdx": .integer(7), "badgeInfo": .object(info)]),
            "localBadge": .object(["badge": .object(info), "status": "active"]), "contactDomainVerified": true,
        ]
        let fields = Profile(displayName: "bob", otherFields: claims).localFields(id: 3)
        #expect(
            fields["localBadge"]?.line == """
                {"badge":{"badgeType":"legend","badgeExpiry":"2027-01-02T03:04:05Z","badgeExtra":""},\
                "status":"unknownKey"}
                """)
        #expect(fields["contactDomainVerified"] == nil)
        var reader = JSONFields(fields)
        let other: JSONObject = ["badge": claims["badge"] ?? .null]
        #expect(try Profile(local: &reader).otherFields == other)
        for name in ["localBadge", "contactDomainVerified"] {
            let claim: JSONObject = [name: claims[name] ?? .null]
            #expect(Profile(displayName: "bob", otherFields: claim).localFields(id: 3)[name] == nil)
        }
        let unknown: JSONObject = ["badge": .object(["badgeInfo": .object(["badgeType": "new", "badgeExtra": ""])])]
        #expect(Profile(displayName: "bob", otherFields: unknown).localFields(id: 3)["localBadge"] == nil)
    }

    @Test func reports_are_read_as_they_were_written() throws {
        try check { $0.fetchReport() }
        try check { $0.statusReport() }
        try check { $0.versionReport() }
        try check { $0.unreadReport() }
        try check { $0.cursor() }
        try check { $0.draft() }
        try check { $0.condition() }
        try check { $0.mark() }
    }

    @Test func words_are_read_as_they_were_written() throws {
        for phase in SwitchPhase.allCases { #expect(SwitchPhase(word: phase.word) == phase) }
        for direction in QueueDirection.allCases { #expect(QueueDirection(word: direction.word) == direction) }
        for state in RatchetSynchronization.allCases { #expect(RatchetSynchronization(word: state.word) == state) }
        for problem in ConnectionProblem.allCases { #expect(ConnectionProblem(word: problem.word) == problem) }
        #expect(SwitchPhase(word: "") == nil)
    }

    @Test func a_security_code_is_digits() throws {
        let code = try SecurityCode(hash: Bytes(repeating: 0x5a, count: SecurityCode.hashSize))
        #expect(try SecurityCode(text: code.text) == code)
        #expect(try SecurityCode(text: "0").text == "0")
        for text in ["", " ", "1  2", "12345 ", "123456", "1234a", "１"] {
            #expect(throws: DecodeError.self) { try SecurityCode(text: text) }
        }
    }

    /// A contact can name its fields as this program names its own.
    @Test func a_profile_cannot_pose_as_another() throws {
        var samples = Samples(seed: 7)
        var profile = samples.profile()
        profile.otherFields = ["profileId": 99, "localAlias": "boss", "x": 1]
        let local = profile.localFields(id: 5)
        #expect(local["profileId"] == 5)
        #expect(local["localAlias"] == "")
        #expect(local["x"] == 1)
    }

    /// Only that there is a password is told.
    @Test func a_hidden_profile_is_told_without_its_password() throws {
        var samples = Samples(seed: 3)
        var profile = samples.ownProfile()
        profile.isHidden = true
        #expect(profile.fields["viewPwdHash"] == .object(["hash": "", "salt": ""]))
        #expect(!profile.fields.names.contains { $0.lowercased() == "password" })
    }

    @Test func wrong_fields_are_refused() throws {
        var samples = Samples(seed: 11)
        let valid = samples.contact()
        let changes: [(String, JSONValue?)] = [
            ("contactId", nil), ("contactId", "1"), ("unreadCount", -1), ("contactStatus", "gone"),
            ("createdAt", "yesterday"), ("profile", nil), ("chatSettings", []),
        ]
        for (name, value) in changes {
            var fields = valid.fields
            fields[name] = value
            #expect(throws: DecodeError.self, "\(name)") { try Contact(decoding: fields.encoded) }
        }
        for range in [#"{"minVersion":2,"maxVersion":1}"#, #"{"minVersion":0,"maxVersion":65536}"#, "1"] {
            #expect(throws: DecodeError.self) {
                var fields = try JSONFields(decoding: Bytes(#"{"range":\#(range)}"#.utf8))
                _ = try fields.versions("range")
            }
        }
    }
}
