import ByteCoding
import CryptoCore
import HTTP2
import TestSupport
import Testing

/// Windows and limits.
@Suite(.timeLimit(.minutes(60))) struct FlowTests {
    @Test func a_receiver_that_does_not_consume_gets_one_window() throws {
        var limits = HTTP2Limits()
        limits.streamWindow = 100_000
        let conversation = try Conversation(server: limits)
        // The settings of the server are known from here on.
        try conversation.run()
        conversation.consumesAtServer = false
        let bytes = SeededRandom(seed: 1).bytes(1_000_000)
        let stream = try conversation.client.request(post, body: pieces(of: bytes))
        try conversation.run()
        #expect(conversation.serverEvents.body().count == 100_000)
        // A part of the window is not worth a frame, most of it is.
        try conversation.server.consume(90_000, of: stream)
        try conversation.run()
        #expect(conversation.serverEvents.body().count == 190_000)
        // More than was received counts as that.
        try conversation.server.consume(.max, of: stream)
        try conversation.run()
        #expect(conversation.serverEvents.body().count == 290_000)
        conversation.consumesAtServer = true
        try conversation.server.consume(100_000, of: stream)
        try conversation.run()
        #expect(conversation.serverEvents.body() == bytes)
    }

    @Test func all_streams_share_the_window_of_the_connection() throws {
        var limits = HTTP2Limits()
        limits.streamWindow = 100_000
        limits.connectionWindow = 250_000
        let conversation = try Conversation(server: limits)
        try conversation.run()
        conversation.consumesAtServer = false
        let bytes = Bytes(repeating: 1, count: 200_000)
        let streams = try (0..<5).map { _ in try conversation.client.request(post, body: pieces(of: bytes)) }
        try conversation.run()
        #expect(conversation.serverEvents.body().count == 250_000)
        // The bytes of streams that end without being consumed do not stay in the window.
        for stream in streams { try conversation.server.reset(stream) }
        try conversation.run()
        conversation.consumesAtServer = true
        let stream = try conversation.client.request(post, body: pieces(of: Bytes(repeating: 2, count: 1_000_000)))
        try conversation.run()
        #expect(conversation.serverEvents.body(stream).count == 1_000_000)
    }

    /// Thousands of DATA and WINDOW_UPDATE frames, at one moment.
    @Test func a_long_transfer_pays_for_its_frames() throws {
        var limits = HTTP2Limits()
        (limits.streamWindow, limits.connectionWindow, limits.frames) = (65535, 65535, 50)
        let conversation = try Conversation(client: limits, server: limits)
        conversation.serve = { event in
            guard case .end(let stream) = event else { return }
            try conversation.server.respond(
                to: stream, .status(200), body: pieces(of: Bytes(repeating: 4, count: 20 << 20)))
        }
        conversation.pieces = { 5000 }
        _ = try conversation.client.request(post, body: pieces(of: Bytes(repeating: 3, count: 20 << 20)))
        try conversation.run()
        #expect(conversation.serverEvents.body().count == 20 << 20)
        #expect(conversation.clientEvents.body().count == 20 << 20)
    }

    @Test func the_output_is_bounded() throws {
        let conversation = try Conversation()
        try conversation.run()
        var produced = 0
        _ = try conversation.client.request(post) { limit in
            produced += limit
            return .bytes(Bytes(repeating: 3, count: limit))
        }
        let bytes = try conversation.client.output(limit: 20_000)
        #expect(bytes.count <= 20_000 + 16384 + 9 && produced <= 40_000)
    }

    @Test(arguments: [8000, 8300]) func headers_are_limited(size: Int) throws {
        var limits = HTTP2Limits()
        limits.headerBytes = 8400
        let conversation = try Conversation(server: limits)
        let long = post + [HTTP2Header("x-filler", String(repeating: "a", count: size))]
        let stream = try conversation.client.request(long)
        let next = try conversation.client.request(post)
        try conversation.run()
        #expect(conversation.serverEvents.contains(.head(stream, long)) == (size == 8000))
        // The connection stays usable.
        #expect(conversation.serverEvents.contains(.head(next, post)))
        #expect(conversation.clientEvents.ends.map(\.reason) == (size == 8000 ? [] : [.internalError]))
    }

    @Test func a_client_that_resets_all_streams_is_stopped() throws {
        let conversation = try Conversation()
        #expect(throws: HTTP2Error.flooded) {
            for _ in 0..<200 {
                let stream = try conversation.client.request(post) { _ in .wait }
                try conversation.run()
                try conversation.client.reset(stream)
                try conversation.run()
            }
        }
        #expect(conversation.server.isFinished && conversation.server.streamCount == 0)
        #expect(throws: HTTP2Error.flooded) { try conversation.server.receive([1]) }
        #expect(throws: HTTP2Error.flooded) { try conversation.server.output() }
    }

    @Test func a_client_that_completes_streams_may_reset_others() throws {
        let conversation = try Conversation()
        conversation.serve = { event in
            if case .end(let stream) = event { try conversation.server.respond(to: stream, .status(200)) }
        }
        for _ in 0..<300 {
            _ = try conversation.client.request(post)
            let stream = try conversation.client.request(post) { _ in .wait }
            try conversation.run()
            try conversation.client.reset(stream)
            try conversation.run()
        }
        #expect(conversation.serverEvents.ends.count == 600)
    }
}
