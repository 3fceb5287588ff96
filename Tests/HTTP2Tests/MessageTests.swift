import ByteCoding
import CryptoCore
import HTTP2
import TestSupport
import Testing

/// Messages of a client and a server.
@Suite(.timeLimit(.minutes(60))) struct MessageTests {
    @Test func a_request_without_a_body_gets_a_response_without_a_body() throws {
        let conversation = try Conversation()
        let stream = try conversation.client.request(post)
        conversation.serve = { event in
            if case .end(let stream) = event { try conversation.server.respond(to: stream, .status(204)) }
        }
        try conversation.run()
        #expect(conversation.serverEvents == [.head(stream, post), .end(stream), .closed(stream, .done)])
        #expect(conversation.clientEvents == [.head(stream, .status(204)), .end(stream), .closed(stream, .done)])
        #expect(conversation.client.streamCount == 0 && conversation.server.streamCount == 0)
        #expect(!conversation.client.isFinished && !conversation.server.isFinished)
    }

    @Test(arguments: [0, 1, 16383, 16384, 16385, 65536, 3_000_000], [1000, 16384, 100_000])
    func bodies_arrive_in_both_directions(size: Int, piece: Int) throws {
        let random = SeededRandom(seed: UInt64(size + piece))
        let (up, down) = (random.bytes(size), random.bytes(size))
        let conversation = try Conversation()
        conversation.serve = { event in
            if case .head(let stream, _) = event {
                try conversation.server.respond(to: stream, .status(200), body: pieces(of: down, size: piece))
            }
        }
        let stream = try conversation.client.request(post, body: pieces(of: up, size: piece))
        try conversation.run()
        #expect(conversation.serverEvents.body(stream) == up)
        #expect(conversation.clientEvents.body(stream) == down)
        #expect(conversation.serverEvents.withoutBodies == [.head(stream, post), .end(stream), .closed(stream, .done)])
        #expect(conversation.clientEvents.ends.map(\.reason) == [.done])
    }

    @Test func a_conversation_byte_by_byte_is_the_same() throws {
        let random = SeededRandom(seed: 5)
        let up = random.bytes(40_000)
        let conversation = try Conversation()
        conversation.pieces = { 1 }
        conversation.serve = { event in
            if case .end(let stream) = event {
                try conversation.server.respond(to: stream, .status(200), body: pieces(of: up))
            }
        }
        _ = try conversation.client.request(post, body: pieces(of: up))
        try conversation.run()
        #expect(conversation.serverEvents.body() == up && conversation.clientEvents.body() == up)
    }

    @Test func many_streams_share_a_connection() throws {
        var limits = HTTP2Limits()
        limits.streams = 5
        let random = SeededRandom(seed: 6)
        let conversation = try Conversation(server: limits)
        // The client learns the limit from the settings of the server.
        try conversation.run()
        conversation.pieces = { Int.random(in: 1...5000, using: &conversation.generator) }
        var received: [HTTP2StreamID: Bytes] = [:]
        conversation.serve = { event in
            switch event {
            case .body(let stream, let bytes): received[stream, default: []] += bytes
            case .end(let stream):
                // An echo.
                let body = received[stream] ?? []
                try conversation.server.respond(to: stream, .status(200), body: pieces(of: body, size: 3000))
            default: #expect(conversation.server.streamCount <= 6)
            }
        }
        var sent: [HTTP2StreamID: Bytes] = [:]
        for _ in 0..<40 {
            let bytes = random.bytes(Int.random(in: 0...60_000, using: &conversation.generator))
            sent[try conversation.client.request(post, body: pieces(of: bytes))] = bytes
        }
        try conversation.run()
        #expect(conversation.clientEvents.ends.map(\.reason) == Array(repeating: .done, count: 40))
        for (stream, bytes) in sent { #expect((conversation.clientEvents.body(stream) == bytes) == true) }
    }

    @Test func a_body_that_waits_continues() throws {
        let conversation = try Conversation()
        var ready: [HTTP2Piece] = [.bytes([1]), .wait, .bytes([2]), .bytes([]), .last([3])]
        let stream = try conversation.client.request(post) { _ in ready.removeFirst() }
        try conversation.run()
        #expect(conversation.serverEvents.body() == [1])
        try conversation.client.resume(stream)
        try conversation.run()
        #expect(conversation.serverEvents.body() == [1, 2])
        // Nothing waits, so nothing happens.
        try conversation.client.resume(stream)
        try conversation.run()
        #expect(conversation.serverEvents.body() == [1, 2, 3] && ready.isEmpty)
        try conversation.client.resume(stream)
        #expect(conversation.serverEvents.withoutBodies.last == .end(stream))
    }

    @Test func a_body_that_fails_resets_its_stream_only() throws {
        let conversation = try Conversation()
        var ready: [HTTP2Piece] = [.bytes([1]), .failed]
        let failing = try conversation.client.request(post) { _ in ready.removeFirst() }
        let other = try conversation.client.request(post, body: pieces(of: [7]))
        conversation.serve = { event in
            if case .end(let stream) = event { try conversation.server.respond(to: stream, .status(200)) }
        }
        try conversation.run()
        #expect(conversation.serverEvents.contains(.closed(failing, .internalError)))
        #expect(conversation.clientEvents.contains(.closed(failing, .internalError)))
        #expect(conversation.clientEvents.contains(.closed(other, .done)))
    }

    @Test func a_response_may_come_before_the_end_of_the_request() throws {
        let conversation = try Conversation()
        let bytes = SeededRandom(seed: 8).bytes(500_000)
        let stream = try conversation.client.request(post, body: pieces(of: bytes))
        conversation.serve = { event in
            if case .head(let stream, _) = event { try conversation.server.respond(to: stream, .status(200)) }
        }
        try conversation.run()
        #expect(conversation.serverEvents.body(stream) == bytes)
        #expect(conversation.clientEvents == [.head(stream, .status(200)), .end(stream), .closed(stream, .done)])
    }

    @Test(arguments: [true, false]) func both_sides_can_reset_a_stream(isClient: Bool) throws {
        let conversation = try Conversation()
        let stream = try conversation.client.request(post) { _ in .wait }
        try conversation.run()
        try (isClient ? conversation.client : conversation.server).reset(stream, .excess)
        try conversation.run()
        #expect(conversation.clientEvents.ends.map(\.reason) == [.excess])
        #expect(conversation.serverEvents.ends.map(\.reason) == [.excess])
        #expect(throws: HTTP2Error.unknownStream) { try conversation.server.respond(to: stream, .status(200)) }
        // Late calls about a stream that is over do nothing.
        try conversation.server.consume(1, of: stream)
        try conversation.server.resume(stream)
        try conversation.server.reset(stream)
        #expect(try conversation.server.output() == [])
    }

    @Test func a_second_response_is_an_error() throws {
        let conversation = try Conversation()
        let stream = try conversation.client.request(post) { _ in .wait }
        try conversation.run()
        try conversation.server.respond(to: stream, .status(200)) { _ in .wait }
        #expect(throws: HTTP2Error.unknownStream) { try conversation.server.respond(to: stream, .status(200)) }
        #expect(throws: HTTP2Error.unknownStream) { try conversation.client.respond(to: stream, .status(200)) }
    }

    @Test(arguments: [true, false]) func both_sides_can_end_the_session(isClient: Bool) throws {
        let conversation = try Conversation()
        let stream = try conversation.client.request(post) { _ in .wait }
        try conversation.run()
        try (isClient ? conversation.client : conversation.server).close()
        try conversation.run()
        let (side, other) =
            isClient ? (conversation.client, conversation.server) : (conversation.server, conversation.client)
        #expect(side.isFinished)
        #expect((isClient ? conversation.serverEvents : conversation.clientEvents).contains(.goAway))
        if !isClient {
            // The library tells that the request is not sent.
            let late = try? other.request(post)
            try conversation.run()
            #expect(late == nil || conversation.clientEvents.contains(.closed(late ?? stream, .refused)))
        }
    }

    @Test func a_producer_cannot_call_its_session() throws {
        let conversation = try Conversation()
        let client = conversation.client
        var errors: [HTTP2Error] = []
        _ = try client.request(post) { _ in
            do throws(HTTP2Error) { _ = try client.output() } catch { errors.append(error) }
            do throws(HTTP2Error) { try client.receive([1]) } catch { errors.append(error) }
            return .last([])
        }
        try conversation.run()
        #expect(errors == [.reentered, .reentered])
    }

    @Test func an_ended_stream_releases_the_producer() throws {
        final class File {}
        let conversation = try Conversation()
        weak var file: File?
        do {
            let held = File()
            file = held
            let stream = try conversation.client.request(post) { [held] _ in
                _ = held
                return .wait
            }
            try conversation.run()
            #expect(file != nil)
            try conversation.client.reset(stream)
        }
        try conversation.run()
        #expect(file == nil)
    }
}
