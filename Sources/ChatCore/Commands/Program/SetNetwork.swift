import Agent
public import ByteCoding
public import JSONCoding
import SMPClient

/// Shows the network settings. (`/network`)
public struct ShowNetwork: ChatCommand {
    public init() {}

    public static let access = Access.write
    public static let syntax = Syntax(Form("/network", make: Self.init), Form("/net", make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> NetworkConfiguration {
        NetworkConfiguration(core.context.environment.network)
    }
}

/// Asks for network settings. (`/_network {...}`)
///
/// They belong to the user, who has set them for this program: what is asked for is compared with them, and refused unless they
/// protect at least as well.
public struct SetNetwork: ChatCommand {
    public var configuration: NetworkConfiguration

    public init(_ configuration: NetworkConfiguration) {
        self.configuration = configuration
    }

    public static let access = Access.write
    public static let syntax = Syntax(
        Form("/_network", .json(\.configuration), make: Self.init), Form("/network", words, make: Self.init))

    /// `socks=on smp-proxy=always`. The first form prints all settings.
    private static let words = Argument<Self, NetworkConfiguration>(
        read: { reader throws(DecodeError) in
            var object = JSONObject()
            guard !reader.isAtEnd else { throw .truncated }
            while !reader.isAtEnd {
                let parts = reader.word().split(separator: "=", maxSplits: 1).map(String.init)
                switch (parts.first, parts.count == 2 ? parts[1] : nil) {
                case ("socks", "on"): object.set("socksProxy", ":9050")
                case ("socks", "off"): break
                case ("socks", let proxy?): object.set("socksProxy", proxy)
                case ("socks-mode", let mode?): object.set("socksMode", mode)
                case ("host-mode", let mode?): object.set("hostMode", mode)
                case ("required-host-mode", nil): object.set("requiredHostMode", true)
                case ("smp-proxy", let mode?): object.set("smpProxyMode", mode)
                case ("smp-proxy-fallback", let fallback?): object.set("smpProxyFallback", fallback)
                case ("smp-web", _?), ("timeout", _?), ("log", _?): break
                default: throw .invalid("network")
                }
            }
            return NetworkConfiguration(object)
        }, write: { _ in nil })

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        // SECURITY: a program that asks for more protection must not believe that it has it.
        guard NetworkConfiguration(core.context.environment.network).protects(asMuchAs: configuration) else {
            throw ChatError.commandNotSupported
        }
        return CommandOK()
    }
}

/// Tells that the network of the machine is there, or has changed. (`/_network info {...}`)
public struct NoteNetwork: ChatCommand {
    public var information: OpaqueObject

    public init(_ information: OpaqueObject) {
        self.information = information
    }

    public static let access = Access.write
    public static let syntax = Syntax(Form("/_network info", .json(\.information), make: Self.init))

    public func perform(on core: isolated LocalCore) async throws -> CommandOK {
        try core.exchange.resubscribe()
        return CommandOK()
    }
}

/// An object that this program keeps as it is.
public struct OpaqueObject: Hashable, Sendable, JSONObjectCodable {
    public let fields: JSONObject

    public init(_ fields: JSONObject) {
        self.fields = fields
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        self.fields = fields.rest
    }
}

/// `NetworkConfig` of the API. Fields that are not named here are kept as they came.
public struct NetworkConfiguration: SimpleResponse {
    /// The fields of the object.
    public let configuration: JSONObject

    public static let type = "networkConfig"

    init(_ network: NetworkSettings) {
        let texts = network.texts
        let onion = network.route.onion
        var object = JSONObject()
        object.set("socksProxy", texts[.proxy].map { String($0.utf8.dropFirst("socks5h://".utf8.count)) ?? "" })
        object.set("socksMode", "always")
        object.set("hostMode", onion == .never ? "public" : onion == .require ? "onion" : "onionViaSocks")
        object.set("requiredHostMode", onion == .require)
        object.set("sessionMode", "user")
        object.set("smpProxyMode", network.proxyMode.rawValue)
        object.set("smpProxyFallback", NetworkConfiguration.fallbacks[network.proxyFallback])
        object.set("smpWebPortServers", "preset")
        let timeout: JSONObject = ["backgroundTimeout": 30_000_000, "interactiveTimeout": 30_000_000]
        object["tcpConnectTimeout"] = .object(timeout)
        object["tcpTimeout"] = .object(timeout)
        object.set("tcpTimeoutPerKb", 0)
        object.set("rcvConcurrency", 8)
        object["tcpKeepAlive"] = .object(["keepIdle": 30, "keepIntvl": 15, "keepCnt": 4])
        object.set("smpPingInterval", 1_200_000_000)
        object.set("smpPingCount", 3)
        object.set("logTLSErrors", false)
        configuration = object
    }

    init(_ configuration: JSONObject) {
        self.configuration = configuration
    }

    private static let fallbacks: [NetworkSettings.ProxyFallback: String] = [
        .allow: "allow", .allowProtected: "allowProtected", .prohibit: "prohibit",
    ]

    public init(from fields: inout JSONFields) throws(DecodeError) {
        // The answer has the object in a field, the command has it alone.
        if let inner = fields.value("networkConfig") {
            guard let object = inner.object else { throw .invalid("networkConfig") }
            configuration = object
        } else {
            configuration = fields.rest
        }
    }

    public var fields: JSONObject { ["networkConfig": .object(configuration)] }

    /// Whether these settings protect the user as well as other settings do, or better.
    func protects(asMuchAs other: NetworkConfiguration) -> Bool {
        func level(_ name: String, _ words: [String], byDefault: String) -> (Int, Int) {
            let own = words.firstIndex(of: configuration[name]?.string ?? byDefault) ?? 0
            let asked = other.configuration[name]?.string.map { words.firstIndex(of: $0) ?? Int.max }
            return (own, asked ?? 0)
        }
        let mode = level("smpProxyMode", ["never", "unprotected", "unknown", "always"], byDefault: "unknown")
        let fallback = level("smpProxyFallback", ["allow", "allowProtected", "prohibit"], byDefault: "allow")
        if let proxy = other.configuration["socksProxy"]?.string, proxy != configuration["socksProxy"]?.string {
            return false
        }
        let needsHostMode = other.configuration["requiredHostMode"]?.bool ?? false
        guard !needsHostMode || configuration["requiredHostMode"]?.bool == true else { return false }
        return mode.0 >= mode.1 && fallback.0 >= fallback.1
    }
}

extension NetworkConfiguration: JSONObjectCodable {}
