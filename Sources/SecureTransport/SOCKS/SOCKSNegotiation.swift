package import ByteCoding
package import CryptoCore

/// The client's part of SOCKS5 (RFC 1928, with the login of RFC 1929) as a value: replies of the proxy in, requests
/// out.
///
/// The bytes after the last reply belong to the connection. ``missing`` limits each read, so that they stay in the
/// socket.
package struct SOCKSNegotiation: Sendable {
    /// The next action of the client.
    package enum Step: Hashable, Sendable {
        /// Wait for more bytes.
        case wait
        /// Send these bytes.
        case send(Bytes)
        /// The proxy has made the connection.
        case connected
    }

    private enum State {
        case choosingMethod
        case loggingIn
        case connecting
        case connected
    }

    private enum Method {
        static let anonymous: UInt8 = 0
        static let password: UInt8 = 2
        static let none: UInt8 = 0xff
    }

    private static let version: UInt8 = 5
    private static let loginVersion: UInt8 = 1
    private static let connect: UInt8 = 1

    private let target: SOCKSTarget
    private let login: (user: Bytes, password: Bytes)?
    private var state = State.choosingMethod
    private var received: Bytes = []

    /// Creates a negotiation, or returns nil for a host that does not fit into a request.
    ///
    /// - Parameter random: The source of random user names.
    package init?(through proxy: SOCKSProxy, to host: String, port: UInt16, random: any RandomSource) {
        guard let target = SOCKSTarget(host: host, port: port) else { return nil }
        self.target = target
        login =
            switch proxy.login {
            case .anonymous: nil
            case .password(let user, let password): (Bytes(user.utf8), Bytes(password.utf8))
            case .isolated: (SOCKSNegotiation.name(random), SOCKSNegotiation.name(random))
            }
    }

    private static func name(_ random: any RandomSource) -> Bytes {
        Bytes(Hex.encode(random.bytes(16)).utf8)
    }

    /// The first bytes to send.
    package var greeting: Bytes {
        let methods = login == nil ? [Method.anonymous] : [Method.password, Method.anonymous]
        return [SOCKSNegotiation.version, UInt8(methods.count)] + methods
    }

    /// The largest number of bytes to read before ``receive(_:)``.
    package var missing: Int {
        switch state {
        case .choosingMethod, .loggingIn: 2 - received.count
        case .connecting: replySize - received.count
        case .connected: 0
        }
    }

    /// The size of the reply, as far as it is known. The address in it may be a name.
    private var replySize: Int {
        guard received.count >= 5 else { return 5 }
        return switch received[3] {
        case 1: 4 + 4 + 2
        case 3: 4 + 1 + Int(received[4]) + 2
        default: 4 + 16 + 2
        }
    }

    /// Processes bytes of the proxy, at most ``missing``.
    ///
    /// - Throws: ``SOCKSError``.
    package mutating func receive(_ bytes: Bytes) throws(SOCKSError) -> Step {
        guard bytes.count <= missing else { throw .invalidAnswer }
        received += bytes
        try checkBeginning()
        guard missing == 0 else { return .wait }
        let answer = received
        received = []
        switch state {
        case .choosingMethod: return try choose(method: answer[1])
        case .loggingIn:
            guard answer[1] == 0 else { throw .wrongPassword }
            return request()
        case .connecting:
            state = .connected
            return .connected
        case .connected: return .connected
        }
    }

    /// Checks the start of a reply. An error ends the negotiation, even before the rest of the reply.
    private func checkBeginning() throws(SOCKSError) {
        guard let version = received.first else { return }
        let expected = if case .loggingIn = state { SOCKSNegotiation.loginVersion } else { SOCKSNegotiation.version }
        guard version == expected else { throw .invalidAnswer }
        guard case .connecting = state, received.count >= 2 else { return }
        guard received[1] == 0 else { throw .refused(SOCKSError.Refusal(rawValue: received[1]) ?? .generalFailure) }
        guard received.count >= 4 else { return }
        guard received[2] == 0, [1, 3, 4].contains(received[3]) else { throw .invalidAnswer }
    }

    private mutating func choose(method: UInt8) throws(SOCKSError) -> Step {
        switch method {
        case Method.anonymous: return request()
        case Method.password:
            guard let login else { throw .invalidAnswer }
            state = .loggingIn
            var writer = ByteWriter()
            writer.uint8(SOCKSNegotiation.loginVersion)
            writer.shortBytes(login.user)
            writer.shortBytes(login.password)
            return .send(writer.bytes)
        case Method.none: throw .noCommonMethod
        default: throw .invalidAnswer
        }
    }

    private mutating func request() -> Step {
        state = .connecting
        var writer = ByteWriter()
        writer.raw([SOCKSNegotiation.version, SOCKSNegotiation.connect, 0])
        target.encode(into: &writer)
        return .send(writer.bytes)
    }
}
