import ByteCoding
import ChatCore
import ChatSamples
import JSONCoding
import TestSupport
import Testing

/// Errors cross processes as JSON: what is written is what is read.
@Suite struct ErrorJSONTests {
    @Test func every_error_is_read_as_it_was_written() throws {
        #expect(ChatErrorSamples.all.count > 150)
        #expect(Set(ChatErrorSamples.all).count == ChatErrorSamples.all.count)
        for error in ChatErrorSamples.all {
            #expect(try ChatError(decoding: error.encoded) == error, "\(error.json.line)")
        }
    }

    @Test func damaged_errors_never_trap() {
        for error in ChatErrorSamples.cases.compactMap(\.first) {
            Damage.survive(error.encoded) { _ = try ChatError(decoding: $0) }
        }
    }

    @Test(arguments: [
        #"{}"#, #"{"type":"errorOfTomorrow"}"#, #"{"type":"error","errorType":{"type":"fromTheFuture"}}"#,
        #"{"type":"error","errorType":{"type":"commandError","message":"of another kind"}}"#,
        #"{"type":"error","errorType":"noActiveUser"}"#,
        #"{"type":"errorStore","storeError":{"type":"groupNotFound"}}"#,
        #"{"type":"errorStore","storeError":{"type":"dBException","message":"a new problem"}}"#,
        #"{"type":"errorAgent","agentError":{"type":"INACTIVE"},"agentConnId":""}"#,
        #"{"type":"errorAgent","agentError":{"type":"SMP","serverAddress":"","smpErr":{"type":"AUTH"}}}"#,
    ])
    func an_error_of_a_newer_version_is_refused(json: String) {
        #expect(throws: DecodeError.self) { try ChatError(decoding: Bytes(json.utf8)) }
    }

    /// As `bots/api/TYPES.md` of the reference has them, without fields of ours.
    @Test func errors_of_the_official_core_are_read() throws {
        let expected: [(String, ChatError)] = [
            (#"{"type":"error","errorType":{"type":"noActiveUser"}}"#, .noActiveProfile),
            (#"{"type":"error","errorType":{"type":"internalError","message":"a bug"}}"#, .internal),
            (#"{"type":"errorStore","storeError":{"type":"dBBusyError","message":"locked"}}"#, .database(.busy)),
        ]
        for (json, error) in expected { #expect(try ChatError(decoding: Bytes(json.utf8)) == error, "\(json)") }
    }
}
