public import Agent
import ByteCoding
import SMPClient
import SecureTransport

/// What the user decided about connections.
public typealias NetworkSettings = Agent::NetworkSettings

extension NetworkSettings {
    /// No connection can be made.
    public static let closed = NetworkSettings(route: RelayRoute(requiresProxy: true))

    /// The same because the user wants it so, for as long as it is said: what cannot go now goes later.
    public static var offline: NetworkSettings {
        var settings = NetworkSettings()
        settings.route.isOffline = true
        // There is no way in between, which would be missed first.
        settings.proxyMode = .never
        return settings
    }

    /// One of the settings, as a person gives it.
    public enum Setting: Hashable, Sendable, CaseIterable {
        case proxy
        case requiresProxy
        case onion
        case proxyMode
        case proxyFallback

        /// What can be written.
        public var form: String {
            guard let last = words.last else { return "tor or socks5h://[USER:PASSWORD@]HOST[:PORT]" }
            return words.dropLast().joined(separator: ", ") + " or " + last
        }

        /// Every word that can be written; none if they are not a closed list.
        public var words: [String] {
            switch self {
            case .proxy: []
            case .requiresProxy: ["yes", "no"]
            case .onion: RelayRoute.OnionPolicy.allCases.map(\.rawValue)
            case .proxyMode: ProxyMode.allCases.map(\.rawValue)
            case .proxyFallback: ProxyFallback.allCases.map(\.rawValue)
            }
        }
    }

    /// A text that says nothing about its setting. The text itself may hold a password.
    public struct InvalidText: Error, Hashable, Sendable {
        public let setting: Setting

        package init(setting: Setting) {
            self.setting = setting
        }
    }

    /// Reads texts; what none is given for, or an empty one, stays as it is by default.
    public init(_ texts: [Setting: String]) throws(InvalidText) {
        self.init()
        for (setting, text) in texts where !text.isEmpty {
            guard set(setting, text) else { throw InvalidText(setting: setting) }
        }
    }

    /// The settings as a person could give them, without the password of a proxy; no proxy has none.
    public var texts: [Setting: String] {
        var texts: [Setting: String] = [
            .requiresProxy: route.requiresProxy ? "yes" : "no", .onion: route.onion.rawValue,
            .proxyMode: proxyMode.rawValue, .proxyFallback: proxyFallback.rawValue,
        ]
        texts[.proxy] = route.proxy.map { "socks5h://\($0.host.contains(":") ? "[\($0.host)]" : $0.host):\($0.port)" }
        return texts
    }

    private mutating func set(_ setting: Setting, _ text: String) -> Bool {
        switch setting {
        case .proxy: NetworkSettings.assign(&route.proxy, try? SOCKSProxy(text: text))
        case .requiresProxy: NetworkSettings.assign(&route.requiresProxy, ["yes": true, "no": false][text])
        case .onion: NetworkSettings.assign(&route.onion, RelayRoute.OnionPolicy(rawValue: text))
        case .proxyMode: NetworkSettings.assign(&proxyMode, ProxyMode(rawValue: text))
        case .proxyFallback: NetworkSettings.assign(&proxyFallback, ProxyFallback(rawValue: text))
        }
    }

    private static func assign<Value>(_ setting: inout Value, _ value: Value?) -> Bool {
        guard let value else { return false }
        setting = value
        return true
    }
}
