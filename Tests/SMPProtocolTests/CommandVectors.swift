import ByteCoding
import SMPProtocol
import TestSupport
import Testing

/// `smp-commands.json`: every command and message in every version, both ways.
@Suite struct CommandVectors {
    @Test(arguments: VectorFile.cases("smp-commands", kind: "command"))
    func commands(vector: Vector) throws {
        let tag = vector["tag"].text
        let command = try #require(try vector["value"].clientCommand(tag))
        try forEachVersion(vector) { version, bytes in
            #expect(command.encoded(version: version) == bytes)
            let decoded = try ClientCommand(decoding: bytes, version: version)
            #expect(decoded.encoded(version: version) == bytes)
            #expect(decoded.tag.rawValue == tag)
        }
        for encoding in vector["encodings"].list {
            let version = UInt16(encoding["versions"].list[0].int)
            Damage.check(encoding["bytes"].bytes, ignoring: Self.ignored(command)) {
                try ClientCommand(decoding: $0, version: version)
            }
        }
    }

    @Test(arguments: VectorFile.cases("smp-commands", kind: "broker"))
    func messages(vector: Vector) throws {
        let tag = vector["tag"].text
        let message = try vector["value"].relayMessage(tag)
        try forEachVersion(vector) { version, bytes in
            if let message { #expect(message.encoded(version: version) == bytes) }
            let decoded = try RelayMessage(decoding: bytes, version: version)
            #expect(decoded.encoded(version: version) == bytes)
        }
        for encoding in vector["encodings"].list {
            let version = UInt16(encoding["versions"].list[0].int)
            Damage.survive(encoding["bytes"].bytes) { _ = try RelayMessage(decoding: $0, version: version) }
        }
    }

    /// Parses and encodes every recorded encoding; the recording says which are equal afterwards.
    private func forEachVersion(_ vector: Vector, _ check: (UInt16, Bytes) throws -> Void) throws {
        for encoding in vector["encodings"].list {
            #expect(encoding["parses"].bool)
            for version in encoding["versions"].list {
                try check(UInt16(version.int), encoding["bytes"].bytes)
            }
        }
    }

    /// The count of unused bits in the DER of a key, right behind the tag, is ignored when it is read.
    private static func ignored(_ command: ClientCommand) -> Set<Int> {
        let header = command.tag.rawValue.utf8.count + 1
        switch command {
        case .key, .skey, .lkey: return [header + 12]
        case .rkey(let keys):
            var position = header + 1
            return Set(
                keys.map { key in
                    defer { position += key.encoded.count }
                    return position + 12
                })
        case .nkey(let keys): return [header + 12, header + keys.authorizationKey.encoded.count + 12]
        case .pfwd: return [header + 2 + 12]
        case .new(let queue):
            // The keys of a notifier come last; how far from the start depends on everything before them.
            let encoded = command.encoded(version: 18)
            var positions: Set<Int> = [header + 12, header + queue.recipientKey.encoded.count + 12]
            if let notifier = queue.notifier {
                let start = encoded.count - notifier.encoded.count
                positions.formUnion([start + 12, start + notifier.authorizationKey.encoded.count + 12])
            }
            return positions
        case .send: return []
        default: return []
        }
    }

    @Test(arguments: VectorFile.cases("smp-commands", kind: "parse"))
    func parses(vector: Vector) {
        let bytes = vector["bytes"].bytes
        for result in vector["results"].list {
            for version in result["versions"].list.map({ UInt16($0.int) }) {
                let outcome: Result<Bytes, CommandError> = Result { () throws(CommandError) in
                    vector["as"].text == "command"
                        ? try ClientCommand(decoding: bytes, version: version).encoded(version: version)
                        : try RelayMessage(decoding: bytes, version: version).encoded(version: version)
                }
                switch outcome {
                case .success(let encoded): #expect(encoded == result.field("reencoded")?.bytes)
                case .failure(let error): #expect("CMD \(error.rawValue)" == result.field("error")?.text)
                }
            }
        }
    }

    @Test(arguments: VectorFile.cases("smp-commands", kind: "credentials"))
    func credentials(vector: Vector) throws {
        let tag = try #require(CommandTag(rawValue: vector["tag"].text))
        for result in vector["results"].list {
            let outcome = Result { () throws(CommandError) in
                try tag.checkCredentials(isAuthorized: result["authorized"].bool, hasEntity: result["entityId"].bool)
            }
            #expect(outcome.recorded == result["result"].text)
        }
    }

    @Test(arguments: VectorFile.cases("smp-commands", kind: "credentialsBroker"))
    func entities(vector: Vector) throws {
        let tag = try #require(MessageTag(rawValue: vector["tag"].text))
        for result in vector["results"].list {
            let outcome = Result { () throws(CommandError) in
                try tag.checkEntity(isPresent: result["entityId"].bool)
            }
            #expect(outcome.recorded == result["result"].text)
        }
    }

    @Test func everyTagIsRecorded() {
        let recorded = Set(VectorFile.cases("smp-commands", kind: "credentials").map { $0["tag"].text })
        #expect(recorded == Set(CommandTag.allCases.map(\.rawValue)))
    }
}

extension Result where Success == Void, Failure == CommandError {
    /// The words of the recording.
    fileprivate var recorded: String {
        switch self {
        case .success: "accepted"
        case .failure(let error): "CMD \(error.rawValue)"
        }
    }
}
