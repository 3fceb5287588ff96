package import ByteCoding
package import CryptoCore
package import SMPProtocol
package import SecureTransport
package import SystemIO

/// Connecting to a relay, up to the TLS handshake: the hosts of the address are tried in order, until the owner accepts one.
///
/// The sessions of relays for messages and for files begin with it. All calls are on the loop's thread.
package final class RelayConnector {
    /// The parts of a connection that protocols choose.
    package struct Options {
        /// The ALPN name.
        package var alpn: String
        /// The port of an address without one.
        package var defaultPort: UInt16
        /// The size of blocks in bytes; nil for bytes as they arrive.
        package var blockSize: Int?
        /// The route to relays.
        package var route: RelayRoute
        /// The time limit of connecting to one host.
        package var connectDeadline: Duration
        /// The time limit of one TLS handshake.
        package var handshakeDeadline: Duration
        /// The time limit of a response.
        package var answerDeadline: Duration
        /// The time limit for all hosts.
        package var openingDeadline: Duration

        /// Creates options from their parts.
        package init(
            alpn: String, defaultPort: UInt16, blockSize: Int?, route: RelayRoute, connectDeadline: Duration,
            handshakeDeadline: Duration, answerDeadline: Duration, openingDeadline: Duration
        ) {
            self.alpn = alpn
            self.defaultPort = defaultPort
            self.blockSize = blockSize
            self.route = route
            self.connectDeadline = connectDeadline
            self.handshakeDeadline = handshakeDeadline
            self.answerDeadline = answerDeadline
            self.openingDeadline = openingDeadline
        }
    }

    /// An event of the attempts.
    package enum Event {
        /// The relay of the host has the right identity. The handshake of the protocol follows.
        case identified(TLSSession, CertificateKey, TransportHost)
        /// A block, or bytes, of the relay.
        case received(Bytes)
        /// An attempt failed, or all of them took too long. ``RelayConnector/tryNext()`` tries the next host.
        case failed(ConnectionError)
        /// The route allows no host of the relay.
        case noRoute(RouteError)
        /// All hosts together took too long; the last event.
        case late
    }

    private let server: ServerAddress
    private let options: Options
    private let loop: EventLoop
    private let random: any RandomSource
    private let admits: ((IPAddress) -> Bool)?
    private var handler: ((Event) -> Void)?
    private var hosts: ArraySlice<TransportHost> = []
    private var dialer: Dialer?
    /// The connection of the attempt, until the owner takes it.
    private var connection: TLSConnection?
    private var timer: Timer?
    /// The timer of the attempt with all hosts.
    private var openingTimer: Timer?

    /// Starts at the end of the turn of the loop. The handler is called on the loop's thread, and never after ``cancel()``.
    ///
    /// - Parameter admits: Decides on each address of the relay; nil admits all.
    package init(
        _ server: ServerAddress, options: Options, loop: EventLoop, random: any RandomSource,
        admits: ((IPAddress) -> Bool)? = nil, handler: @escaping (Event) -> Void
    ) {
        self.server = server
        self.options = options
        self.loop = loop
        self.random = random
        self.admits = admits
        self.handler = handler
        loop.atEndOfTurn { [weak self] in self?.start() }
    }

    deinit {
        cancel()
    }

    /// Ends all attempts. The connection that the owner took stays.
    package func cancel() {
        handler = nil
        openingTimer?.cancel()
        release()
    }

    /// The connection of the attempt, or nil. The caller owns it; the deadlines of the attempt go on.
    package func takeConnection() -> TLSConnection? {
        connection.take()
    }

    /// Sends bytes on the connection of the attempt.
    package func send(_ bytes: Bytes) {
        connection?.send(bytes)
    }

    private func start() {
        guard let handler else { return }
        do throws(RouteError) {
            hosts = try options.route.hosts(of: server)[...]
            // SECURITY: a contact may name many hosts that do not respond.
            openingTimer = loop.after(options.openingDeadline) { [weak self] in self?.handler?(.late) }
            if !tryNext() { handler(.failed(.unknownHost)) }
        } catch {
            handler(.noRoute(error))
        }
    }

    /// Ends the attempt with a host and starts that with the next one; false if there is none.
    package func tryNext() -> Bool {
        release()
        guard handler != nil, let host = hosts.popFirst() else { return false }
        dialer = Dialer(
            host: host.description, port: server.port ?? options.defaultPort, through: options.route.proxy,
            random: random, deadline: options.connectDeadline, loop: loop, admits: admits
        ) { [weak self] result in
            guard let self else { return }
            switch consume result {
            case .success(let socket): secure(socket, host)
            case .failure(let error): handler?(.failed(error))
            }
        }
        return true
    }

    private func secure(_ socket: consuming FileDescriptor, _ host: TransportHost) {
        guard let context = try? TLSContext(clientOf: options.alpn) else {
            handler?(.failed(.handshakeFailed))
            return
        }
        do throws(ConnectionError) {
            connection = try TLSConnection(
                socket, side: .client, context: context, loop: loop, blockSize: options.blockSize,
                handshakeDeadline: options.handshakeDeadline, writeDeadline: options.answerDeadline
            ) { [weak self] event in
                switch event {
                case .secured(let tls): self?.identify(tls, host)
                case .block(let bytes): self?.handler?(.received(bytes))
                case .closed(let error): self?.handler?(.failed(error))
                }
            }
            timer = loop.after(options.handshakeDeadline + options.answerDeadline) { [weak self] in
                self?.handler?(.failed(.timedOut(.handshake)))
            }
        } catch {
            handler?(.failed(error))
        }
    }

    private func identify(_ tls: TLSSession, _ host: TransportHost) {
        do throws(IdentityError) {
            let leaf = try tls.chain.verify(fingerprint: server.fingerprint)
            handler?(.identified(tls, leaf.certificateKey, host))
        } catch {
            handler?(.failed(.wrongIdentity(error)))
        }
    }

    private func release() {
        timer?.cancel()
        timer = nil
        dialer?.cancel()
        dialer = nil
        connection?.close()
        connection = nil
    }
}

extension CertificateChain.LeafKey {
    /// The same key in the type of the handshake.
    var certificateKey: CertificateKey {
        switch self {
        case .ed25519(let key): .ed25519(key)
        case .ed448(let key): .ed448(key)
        }
    }
}
