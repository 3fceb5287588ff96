import ChatCore
import CommandKit
import TerminalKit

/// What the user decided about connections, in the environment and in configuration files.
enum NetworkVariables {
    /// All that is decided. An empty `TACIT_PROXY`, or `net.proxy`, is how to use none although there is an `ALL_PROXY`.
    ///
    /// - Throws: A ``Reason``. SECURITY: a proxy that cannot be used is an error, also where the variable is for all programs:
    ///   connections that the user believes to be hidden would not be.
    static func settings(_ invocation: Invocation) throws(Reason) -> NetworkSettings {
        if invocation[GlobalOptions.offline] { return .offline }
        var texts: [NetworkSettings.Setting: String] = [:]
        for (setting, declared) in ProgramSettings.network {
            texts[setting] = invocation.effective(declared).text
        }
        do throws(NetworkSettings.InvalidText) {
            let settings = try NetworkSettings(texts)
            invocation.trace("proxy \(settings.texts[.proxy] ?? "none")", .network, level: 2)
            return settings
        } catch {
            throw invalid(error.setting, origin(of: error.setting, invocation))
        }
    }

    /// Where a decision comes from.
    static func origin(of setting: NetworkSettings.Setting, _ invocation: Invocation) -> Parsed.Origin {
        let declared = ProgramSettings.network.first { $0.setting == setting }?.declared
        return declared.map { invocation.effective($0).origin } ?? .builtIn
    }

    private static func invalid(_ setting: NetworkSettings.Setting, _ origin: Parsed.Origin) -> Reason {
        var facts = ["expected \(setting.form)"]
        if case .setting(let place) = origin { facts.insert("the setting is in \(place.file):\(place.line)", at: 0) }
        return .invalidNetworkSetting(origin.name, facts)
    }
}

extension Parsed.Origin {
    /// The name of the variable or of the setting.
    var name: String {
        switch self {
        case .commandLine: "the option"
        case .variable(let name): name
        case .setting(let place): place.key
        case .builtIn: "the default"
        }
    }
}
