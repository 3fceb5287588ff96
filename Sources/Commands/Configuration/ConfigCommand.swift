import CommandKit
import SystemIO
import TerminalKit

/// `tacit config`
enum ConfigCommand {
    static let command = Command(
        noun: "config", "Show and change settings", verbs: leaves.map(\.command), defaultVerb: "list",
        topics: ["environment"],
        discussion: """
            The sources of a value, strongest first: the command line, the environment, the configuration file of the user, \
            /etc/tacit/tacit.conf, the built-in default. Every option of every command can have a default there, and aliases \
            define new commands: see tacit.conf(5).
            """)

    static let leaves = [
        ConfigGetCommand.leaf, ConfigSetCommand.leaf, ConfigUnsetCommand.leaf, ConfigListCommand.leaf,
        ConfigPathCommand.leaf, ConfigEditCommand.leaf, ConfigCheckCommand.leaf,
    ]

    static let key = Positional<String>(
        "KEY", "Section and name of the setting, such as net.proxy", .text("KEY", completing: .setting))

    /// What a key means, which the user has typed.
    static func setting(_ key: String) throws(Failure) -> SettingDeclaration {
        let tree = CommandTree.tacit
        if let setting = tree.setting(named: key) { return setting }
        if let name = tree.aliasName(in: key) {
            throw Failure.invalidAlias(name)
        }
        throw Failure.unknownSetting(key, meant: tree.suggestions(for: key))
    }

    /// The file of the user, which may not be there.
    static func userFile(_ invocation: Invocation) throws(Failure) -> String {
        if let path = Configuration.userFile(invocation.environment) { return path }
        return "\(try invocation.directories().config)/tacit.conf"
    }
}
