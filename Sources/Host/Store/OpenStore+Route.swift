public import ChatCore
import JSONCoding

extension NetworkSettings.Setting {
    /// The environment variable for the setting.
    public var variable: String {
        switch self {
        case .proxy: "TACIT_PROXY"
        case .requiresProxy: "TACIT_REQUIRE_PROXY"
        case .onion: "TACIT_ONION"
        case .proxyMode: "TACIT_SMP_PROXY"
        case .proxyFallback: "TACIT_SMP_PROXY_FALLBACK"
        }
    }
}

extension RemoteStore {
    /// Returns the name of a variable that wants another connection than the process has; nil if there is none.
    ///
    /// SECURITY: who names a proxy for a command believes that the command goes through it.
    ///
    /// - Parameter environment: The variables of the command.
    public func difference(from environment: [String: String]) async throws(ChatError) -> String? {
        var requested: [String: String] = [:]
        for setting in NetworkSettings.Setting.allCases { requested[setting.variable] = environment[setting.variable] }
        guard !requested.isEmpty else { return nil }
        return try await core.control(.route(requested))["differs"]?.string
    }
}

extension OpenStore {
    /// Returns the name of a variable that wants another connection than the store has; nil if there is none.
    func difference(from requested: [String: String]) -> String? {
        // Where nothing is connected there is no wrong way.
        guard network != .offline, network != .closed else { return nil }
        for setting in NetworkSettings.Setting.allCases {
            // An empty one counts where nothing is a value, as everywhere.
            guard let text = requested[setting.variable], !text.isEmpty || setting == .proxy else { continue }
            let value = try? NetworkSettings([setting: text]).texts[setting]
            if value != network.texts[setting] { return setting.variable }
        }
        return nil
    }
}
