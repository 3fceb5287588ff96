import ChatCore
import TerminalKit

/// The environment variables about connections.
enum NetworkVariables {
    private static let names: [(setting: NetworkSettings.Setting, variable: String)] = [
        (.requiresProxy, "TACIT_REQUIRE_PROXY"), (.onion, "TACIT_ONION"), (.proxyMode, "TACIT_SMP_PROXY"),
        (.proxyFallback, "TACIT_SMP_PROXY_FALLBACK"),
    ]

    /// What the variables say. An empty `TACIT_PROXY` is how to use none although there is an `ALL_PROXY`.
    static func settings(_ environment: [String: String]) throws(Reason) -> NetworkSettings {
        // SECURITY: a proxy that cannot be used is an error, also where the variable is for all programs: connections
        // that the user believes to be hidden would not be.
        let proxy = environment["TACIT_PROXY"] == nil ? "ALL_PROXY" : "TACIT_PROXY"
        let variables = [(setting: .proxy, variable: proxy)] + names
        let texts = variables.compactMap { name in environment[name.variable].map { (name.setting, $0) } }
        do throws(NetworkSettings.InvalidText) {
            return try NetworkSettings(Dictionary(texts) { _, last in last })
        } catch {
            let variable = variables.first { $0.setting == error.setting }?.variable ?? proxy
            throw Reason(
                "config.network", .config, "the value of \(variable) is not understood",
                why: ["it can be \(error.setting.form)"])
        }
    }
}
