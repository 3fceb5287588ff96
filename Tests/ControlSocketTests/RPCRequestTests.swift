import ByteCoding
import ControlSocket
import JSONCoding
import TestSupport
import Testing

@Suite struct RPCRequestTests {
    private static let line = #"{"jsonrpc":"2.0","id":"a","method":"send","params":{"target":"@b"},"face":{"x":1}}"#

    @Test func readsWhatItWrites() throws {
        let request = try RPCRequest(decoding: Bytes(RPCRequestTests.line.utf8))
        #expect(request.id == "a" && request.method == "send")
        #expect(request.params == .object(["target": "@b"]))
        #expect(request.extensions == ["face": .object(["x": 1])])
        #expect(try RPCRequest(decoding: request.json.encoded) == request)
    }

    @Test(arguments: [0, 1, 2, 3]) func long_output_is_divided_between_characters(shift: Int) {
        let text = String(repeating: "x", count: shift) + String(repeating: "\u{1F600}", count: 400_000)
        let pieces = RPCReply.pieces(of: Bytes(text.utf8))
        #expect(pieces.count == 4 && pieces.joined() == text)
        // Every character may be escaped.
        let signs = RPCReply.pieces(of: Bytes(repeating: 1, count: 5 << 20))
        for piece in signs {
            #expect(RPCReply.notification("m", ["text": .string(piece)]).encoded.count < LineSplitter.limit)
        }
        #expect(signs.joined().utf8.count == 5 << 20)
        #expect(RPCReply.pieces(of: []) == [])
        #expect(RPCReply.pieces(of: Bytes(repeating: 0x80, count: 1 << 20)).count == 2)
    }

    /// A notification has no id; null is one.
    @Test func tellsNotificationsFromRequests() throws {
        #expect(try RPCRequest(decoding: Bytes(#"{"jsonrpc":"2.0","method":"m"}"#.utf8)).id == nil)
        #expect(try RPCRequest(decoding: Bytes(#"{"jsonrpc":"2.0","id":null,"method":"m"}"#.utf8)).id == .null)
    }

    @Test(arguments: [
        ("", RPCProblem.parse), ("{", .parse), ("null", .request), ("[]", .request), ("{}", .request),
        (#"{"jsonrpc":"2.0"}"#, .request), (#"{"jsonrpc":2.0,"method":"m"}"#, .request),
        (#"{"jsonrpc":"2.0","method":1}"#, .request), (#"{"jsonrpc":"2.0","method":"m","id":true}"#, .request),
        (#"{"jsonrpc":"2.0","method":"m","id":{}}"#, .request),
        (#"{"jsonrpc":"2.0","method":"m","params":"x"}"#, .request),
    ])
    func refuses(_ line: String, _ problem: RPCProblem) {
        #expect(throws: problem) { try RPCRequest(decoding: Bytes(line.utf8)) }
    }

    /// Whatever a line was changed into, reading it ends with a request or an error.
    @Test func survivesDamage() {
        let bytes = Bytes(RPCRequestTests.line.utf8)
        for count in 0..<bytes.count {
            #expect(throws: RPCProblem.self) { try RPCRequest(decoding: Bytes(bytes[..<count])) }
        }
        for index in bytes.indices {
            for change: UInt8 in [0, 1, 0x20, 0x22, 0x5C, 0x7B, 0x7D, 0x80, 0xFF] {
                var damaged = bytes
                damaged[index] ^= change
                guard let request = try? RPCRequest(decoding: damaged) else { continue }
                #expect((try? RPCRequest(decoding: request.json.encoded)) == request)
            }
        }
    }
}

@Suite struct RPCMessageTests {
    @Test func readsWhatServersSend() {
        let result = RPCReply.result(.object(["exit": 0]), to: 1)
        #expect(RPCMessage(decoding: result.encoded) == .result(.object(["exit": 0]), id: 1))
        let error = RPCReply.error(75, "later", data: .array([]), to: "a")
        #expect(RPCMessage(decoding: error.encoded) == .error(code: 75, message: "later", data: .array([]), id: "a"))
        let problem = RPCReply.problem(.parse, to: nil)
        #expect(
            RPCMessage(decoding: problem.encoded) == .error(code: -32700, message: "Parse error", data: nil, id: .null))
        let note = RPCReply.notification("output", ["text": "x"])
        #expect(RPCMessage(decoding: note.encoded) == .notification(method: "output", ["text": "x"]))
        #expect(RPCMessage(decoding: Bytes("{}".utf8)) == nil)
        #expect(RPCMessage(decoding: Bytes("no".utf8)) == nil)
    }
}
