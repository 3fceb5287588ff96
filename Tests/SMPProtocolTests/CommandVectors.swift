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
            let bytes = encoding["bytes"].bytes
            Damage.check(bytes, ignoring: Damage.unusedBits(in: bytes)) {
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
            let bytes = encoding["bytes"].bytes
            Damage.check(bytes, ignoring: Damage.unusedBits(in: bytes)) {
                try RelayMessage(decoding: $0, version: version)
            }
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
        // The recording ends with version 18. `ServiceAndNameVectors` has the later commands.
        #expect(recorded == Set(CommandTag.allCases.map(\.rawValue)).subtracting(["RSLV"]))
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
