public import ByteCoding
internal import CNghttp2

/// One side of an HTTP/2 connection (RFC 9113) as an engine over bytes, without a socket, a clock or a thread.
///
/// ```swift
/// try session.receive(bytes)                       // of the transport
/// for event in session.takeEvents() { … }
/// while true {                                     // as long as the transport accepts bytes
///     let bytes = try session.output(limit: 32768)
///     if bytes.isEmpty { break }
///     transport.send(bytes)
/// }
/// if session.isFinished { transport.close() }
/// ```
///
/// Call ``output(limit:)`` after each other method: it also sends settings and windows. A session is used by one thread at
/// a time. After an error of ``receive(_:)`` or ``output(limit:)`` it is over, and the transport is to be closed.
///
/// SECURITY: the peer cannot make the session keep more, or handle more frames without content, than ``HTTP2Limits`` say.
/// Server push, trailers and interim responses are ignored.
@safe
public final class HTTP2Session {
    /// The side of a session.
    public enum Side: Sendable {
        /// The side that sends requests.
        case client
        /// The side that sends responses.
        case server
    }

    private struct Stream {
        /// The headers of the block that is arriving.
        var headers: [HTTP2Header] = []
        var headerBytes = 0
        /// True after ``HTTP2Event/head(_:_:)``.
        var hasHead = false
        /// True if its request or response was submitted.
        var isAnswered = false
        var hasEnded = false
        /// The received body bytes that were not consumed.
        var unconsumed = 0
        var body: HTTP2Body?
        /// The produced bytes that were not sent.
        var waiting: ArraySlice<UInt8> = []
        var isLast = false
    }

    private let side: Side
    private let limits: HTTP2Limits
    private var session: OpaquePointer?
    private var streams: [Int32: Stream] = [:]
    private var events: [HTTP2Event] = []
    private var failure: HTTP2Error?
    /// True while the library runs, and with it possibly the producer of a body.
    private var isRunning = false
    private var budget: FrameBudget
    private var resets = 0
    private var completed = 0

    /// Creates a session, whose first output is its preface.
    ///
    /// - Throws: ``HTTP2Error/library``.
    public init(_ side: Side, limits: HTTP2Limits = HTTP2Limits()) throws(HTTP2Error) {
        self.side = side
        self.limits = limits
        budget = FrameBudget(limits, ofClient: side == .server)
        unsafe try open()
        var settings = [
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: UInt32(clamping: streamWindow)
            ),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
                value: UInt32(clamping: limits.headerBytes)),
        ]
        switch side {
        case .client:
            settings.append(
                nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0))
        case .server:
            settings.append(
                nghttp2_settings_entry(
                    settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
                    value: UInt32(clamping: limits.streams)))
        }
        let window = Int32(clamping: max(65535, limits.connectionWindow))
        guard unsafe nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count) == 0,
            unsafe nghttp2_session_set_local_window_size(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, window) == 0
        else { throw .library }
    }

    deinit {
        unsafe nghttp2_session_del(session)
    }

    private var streamWindow: Int { min(max(1, limits.streamWindow), Int(Int32.max)) }

    @unsafe
    private func open() throws(HTTP2Error) {
        var callbacks: OpaquePointer?
        var option: OpaquePointer?
        guard unsafe nghttp2_session_callbacks_new(&callbacks) == 0 else { throw .library }
        defer { unsafe nghttp2_session_callbacks_del(callbacks) }
        guard unsafe nghttp2_option_new(&option) == 0 else { throw .library }
        defer { unsafe nghttp2_option_del(option) }
        unsafe nghttp2_option_set_no_auto_window_update(option, 1)
        unsafe nghttp2_option_set_no_closed_streams(option, 1)
        unsafe nghttp2_option_set_max_outbound_ack(option, limits.acknowledgements)
        unsafe nghttp2_option_set_max_settings(option, 32)
        unsafe nghttp2_option_set_max_reserved_remote_streams(option, 0)

        unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
            guard let session = unsafe HTTP2Session.of(user), let frame = unsafe frame?.pointee else { return 0 }
            return unsafe session.headersBegin(frame)
        }
        unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, frame, name, nameCount, value, valueCount, _, user in
            guard let session = unsafe HTTP2Session.of(user), let frame = unsafe frame?.pointee else { return 0 }
            return unsafe session.header(
                frame.hd.stream_id, UnsafeBufferPointer(start: name, count: nameCount),
                UnsafeBufferPointer(start: value, count: valueCount))
        }
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
            guard let session = unsafe HTTP2Session.of(user), let frame = unsafe frame?.pointee else { return 0 }
            return unsafe session.received(frame)
        }
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, number, data, count, user in
            guard let session = unsafe HTTP2Session.of(user) else { return 0 }
            unsafe session.received(UnsafeBufferPointer(start: data, count: count), of: number)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, number, code, user in
            unsafe HTTP2Session.of(user)?.streamCloses(number, HTTP2Reason(rawValue: code))
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) { _, frame, _, user in
            guard let session = unsafe HTTP2Session.of(user), let frame = unsafe frame?.pointee else { return 0 }
            unsafe session.isNotSent(frame)
            return 0
        }
        let user = unsafe Unmanaged.passUnretained(self).toOpaque()
        let status =
            side == .client
            ? unsafe nghttp2_session_client_new2(&session, callbacks, user, option)
            : unsafe nghttp2_session_server_new2(&session, callbacks, user, option)
        guard status == 0 else { throw .library }
    }

    @unsafe
    fileprivate static func of(_ user: UnsafeMutableRawPointer?) -> HTTP2Session? {
        unsafe user.map { unsafe Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: - Bytes

    /// Takes bytes of the peer, in pieces of any size.
    ///
    /// An error that HTTP/2 can report to the peer does not throw: the next output contains the report, and then the
    /// session is finished.
    ///
    /// - Parameter time: The time of arrival, by which the number of frames without content is limited.
    /// - Throws: ``HTTP2Error/invalid``, ``HTTP2Error/flooded``, or ``HTTP2Error/library``; later calls throw it again.
    public func receive(_ bytes: Bytes, at time: ContinuousClock.Instant = .now) throws(HTTP2Error) {
        try check()
        guard budget.take(bytes, at: time) else {
            failure = .flooded
            throw fail(0)
        }
        isRunning = true
        let taken = unsafe nghttp2_session_mem_recv(session, bytes, bytes.count)
        isRunning = false
        guard taken >= 0 else { throw fail(taken) }
    }

    /// Returns the next bytes for the peer, or none if there are none now.
    ///
    /// - Parameter limit: The number of bytes after which no further frame of at most 16 KiB is added.
    /// - Throws: ``HTTP2Error``; later calls throw it again.
    public func output(limit: Int = 32768) throws(HTTP2Error) -> Bytes {
        try check()
        isRunning = true
        defer { isRunning = false }
        var output: Bytes = []
        while output.count < limit {
            var frame: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(session, &frame)
            guard count >= 0 else { throw fail(count) }
            guard count > 0 else { break }
            unsafe output.append(contentsOf: UnsafeBufferPointer(start: frame, count: count))
        }
        budget.sent(output.count)
        return output
    }

    /// Returns the events since the last call, in their order.
    public func takeEvents() -> [HTTP2Event] {
        defer { events = [] }
        return events
    }

    /// True if there is no further input or output.
    public var isFinished: Bool {
        unsafe failure != nil || (nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0)
    }

    /// The number of open streams, including those whose headers are arriving.
    public var streamCount: Int { streams.count }

    // MARK: - Messages

    /// Sends a request. It waits if the server allows no further stream at the moment.
    ///
    /// - Parameter body: The producer of the body; nil for none.
    /// - Throws: ``HTTP2Error/closed`` if the session accepts no further streams.
    public func request(_ headers: [HTTP2Header], body: HTTP2Body? = nil) throws(HTTP2Error) -> HTTP2StreamID {
        try check()
        let number = unsafe submit(headers, body: body) { nva, count, provider in
            unsafe nghttp2_submit_request(session, nil, nva, count, provider, nil)
        }
        guard number > 0 else { throw HTTP2Error(status: Int(number)) }
        streams[number] = Stream(isAnswered: true, body: body)
        return HTTP2StreamID(number)
    }

    /// Sends the response of a stream, before or after the end of its request.
    ///
    /// - Parameter body: The producer of the body; nil for none.
    /// - Throws: ``HTTP2Error/unknownStream`` if the stream is over, which can happen at any time.
    public func respond(
        to stream: HTTP2StreamID, _ headers: [HTTP2Header], body: HTTP2Body? = nil
    ) throws(HTTP2Error) {
        try check()
        guard let record = streams[stream.number], record.hasHead, !record.isAnswered else { throw .unknownStream }
        let status = unsafe submit(headers, body: body) { nva, count, provider in
            unsafe nghttp2_submit_response(session, stream.number, nva, count, provider)
        }
        guard status == 0 else { throw HTTP2Error(status: Int(status)) }
        streams[stream.number]?.isAnswered = true
        streams[stream.number]?.body = body
    }

    /// Calls the producer of a body again after ``HTTP2Piece/wait``.
    public func resume(_ stream: HTTP2StreamID) throws(HTTP2Error) {
        try check()
        // It fails for a stream that does not wait, or is over.
        unsafe nghttp2_session_resume_data(session, stream.number)
    }

    /// Allows the peer to send as many bytes again. To be called when bytes of ``HTTP2Event/body(_:_:)`` were processed.
    ///
    /// - Parameter count: The number of bytes, at most those of the events.
    public func consume(_ count: Int, of stream: HTTP2StreamID) throws(HTTP2Error) {
        try check()
        // The rest of a stream was consumed at its end.
        guard count > 0, let record = streams[stream.number] else { return }
        let size = min(count, record.unconsumed)
        streams[stream.number]?.unconsumed -= size
        guard unsafe nghttp2_session_consume(session, stream.number, size) == 0 else { throw .library }
    }

    /// Ends a stream in both directions; ``HTTP2Event/closed(_:_:)`` follows with the output.
    public func reset(_ stream: HTTP2StreamID, _ reason: HTTP2Reason = .cancelled) throws(HTTP2Error) {
        try check()
        guard streams[stream.number] != nil else { return }
        let status = unsafe nghttp2_submit_rst_stream(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.number, reason.rawValue)
        guard status == 0 else { throw .library }
    }

    /// Ends the session: after the remaining output it is finished.
    public func close(_ reason: HTTP2Reason = .done) throws(HTTP2Error) {
        try check()
        guard unsafe nghttp2_session_terminate_session(session, reason.rawValue) == 0 else { throw .library }
    }

    private func check() throws(HTTP2Error) {
        if let failure { throw failure }
        if isRunning { throw .reentered }
    }

    private func fail(_ status: Int) -> HTTP2Error {
        let error = failure ?? HTTP2Error(status: status)
        failure = error
        // The producers of bodies may hold files.
        streams = [:]
        return error
    }

    /// Calls `submit` with headers and the provider of a body, both of which the library copies.
    @unsafe
    private func submit(
        _ headers: [HTTP2Header], body: HTTP2Body?,
        _ submit: (UnsafePointer<nghttp2_nv>?, Int, UnsafePointer<nghttp2_data_provider>?) -> Int32
    ) -> Int32 {
        var text: Bytes = []
        for header in headers {
            text += header.name.utf8
            text += header.value.utf8
        }
        // The library does not write to them.
        return unsafe text.withUnsafeMutableBufferPointer { text in
            var fields = unsafe [nghttp2_nv]()
            var start = text.baseAddress
            for header in headers {
                let name = header.name.utf8.count, value = header.value.utf8.count
                unsafe fields.append(
                    nghttp2_nv(
                        name: start, value: start?.advanced(by: name), namelen: name, valuelen: value,
                        flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)))
                unsafe start = start?.advanced(by: name + value)
            }
            guard body != nil else { return unsafe submit(fields, fields.count, nil) }
            var provider = unsafe nghttp2_data_provider(
                source: nghttp2_data_source(fd: 0),
                read_callback: { _, number, buffer, count, flags, _, user in
                    guard let session = unsafe HTTP2Session.of(user), let flags = unsafe flags else {
                        return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
                    }
                    return unsafe session.produce(
                        number, UnsafeMutableBufferPointer(start: buffer, count: count), &flags.pointee)
                })
            return unsafe submit(fields, fields.count, &provider)
        }
    }

    // MARK: - Called by the library

    @unsafe
    private func headersBegin(_ frame: nghttp2_frame) -> Int32 {
        let number = unsafe frame.hd.stream_id
        guard unsafe frame.hd.type == UInt8(NGHTTP2_HEADERS.rawValue) else { return 0 }
        if side == .server, streams[number] == nil { streams[number] = Stream() }
        streams[number]?.headers = []
        streams[number]?.headerBytes = 0
        return 0
    }

    @unsafe
    private func header(_ number: Int32, _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>)
        -> Int32
    {
        guard var stream = streams.removeValue(forKey: number) else { return 0 }
        stream.headerBytes += name.count + value.count + 32
        let fits = stream.headerBytes <= limits.headerBytes
        if fits {
            stream.headers.append(
                unsafe HTTP2Header(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
        } else {
            stream.headers = []
        }
        streams[number] = stream
        // The library resets the stream then, and reads the rest of the headers to keep its table.
        return fits ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }

    @unsafe
    private func received(_ frame: nghttp2_frame) -> Int32 {
        let head = unsafe frame.hd
        switch UInt32(head.type) {
        case NGHTTP2_HEADERS.rawValue:
            headersEnd(head.stream_id)
            if isLast(head) { messageEnds(head.stream_id) }
        case NGHTTP2_DATA.rawValue:
            if isLast(head) { messageEnds(head.stream_id) }
        case NGHTTP2_GOAWAY.rawValue:
            events.append(.goAway)
        case NGHTTP2_RST_STREAM.rawValue where side == .server:
            resets += 1
            guard resets <= completed + limits.resets else {
                failure = .flooded
                return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
            }
        default: break
        }
        return 0
    }

    private func isLast(_ head: nghttp2_frame_hd) -> Bool {
        UInt32(head.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
    }

    private func headersEnd(_ number: Int32) {
        guard var stream = streams.removeValue(forKey: number) else { return }
        let headers = stream.headers
        stream.headers = []
        // Later headers are trailers, and those of a status below 200 are followed by the final ones.
        if !stream.hasHead, side == .server || headers[":status"]?.hasPrefix("1") == false {
            stream.hasHead = true
            events.append(.head(HTTP2StreamID(number), headers))
        }
        streams[number] = stream
    }

    private func messageEnds(_ number: Int32) {
        guard let stream = streams[number], stream.hasHead, !stream.hasEnded else { return }
        streams[number]?.hasEnded = true
        events.append(.end(HTTP2StreamID(number)))
    }

    @unsafe
    private func received(_ data: UnsafeBufferPointer<UInt8>, of number: Int32) {
        if let stream = streams[number], stream.hasHead {
            streams[number]?.unconsumed += data.count
            unsafe events.append(.body(HTTP2StreamID(number), Bytes(data)))
        } else {
            unsafe nghttp2_session_consume(session, number, data.count)
        }
    }

    private func streamCloses(_ number: Int32, _ reason: HTTP2Reason) {
        guard let stream = streams.removeValue(forKey: number) else { return }
        // Unconsumed bytes would keep the window of the connection small.
        if stream.unconsumed > 0 { unsafe nghttp2_session_consume_connection(session, stream.unconsumed) }
        if reason == .done { completed += 1 }
        if side == .client || stream.hasHead { events.append(.closed(HTTP2StreamID(number), reason)) }
    }

    @unsafe
    private func isNotSent(_ frame: nghttp2_frame) {
        guard unsafe frame.hd.type == UInt8(NGHTTP2_HEADERS.rawValue), side == .client else { return }
        streamCloses(unsafe frame.hd.stream_id, .refused)
    }

    @unsafe
    private func produce(_ number: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>, _ flags: inout UInt32) -> Int {
        guard let stream = streams[number], let body = stream.body else {
            return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        var (waiting, isLast) = (stream.waiting, stream.isLast)
        streams[number]?.waiting = []
        if waiting.isEmpty, !isLast {
            switch body(buffer.count) {
            case .bytes(let bytes): waiting = bytes[...]
            case .last(let bytes): (waiting, isLast) = (bytes[...], true)
            case .wait: break
            case .failed: return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
            }
        }
        guard !waiting.isEmpty || isLast else { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
        let part = waiting.prefix(buffer.count)
        unsafe _ = buffer.update(fromContentsOf: part)
        let rest = waiting.dropFirst(part.count)
        streams[number]?.waiting = rest
        streams[number]?.isLast = isLast
        if isLast, rest.isEmpty {
            flags |= NGHTTP2_DATA_FLAG_EOF.rawValue
            // A producer may hold a file.
            streams[number]?.body = nil
        }
        return part.count
    }
}
