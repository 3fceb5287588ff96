import CommandKit
import SystemIO
import TerminalKit

/// `tacit config`
enum ConfigCommand {
    static let command = Command(
        noun: "config", "See and change the configuration", verbs: leaves.map(\.command), defaultVerb: "list",
        topics: ["environment"],
        discussion: """
            A value comes from an option, else from the environment, else from the configuration file of the user, else from \
            /etc/tacit/tacit.conf, else it is built in. Every option of every command can be given a default, and other words can \
            be made commands: see tacit.conf(5).
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
            throw Failure(
                "usage.alias", .usage, "an alias cannot be called \(UntrustedText(name).quoted)",
                why: ["its name has letters from a to z, digits, - and _, and begins with a letter or a digit"])
        }
        throw Failure(
            "usage.setting", .usage, "there is no setting \(UntrustedText(key).quoted)",
            tries: tree.suggestions(for: key).map { .init($0, "did you mean this?") }
                + [.init("tacit config list --all", "all that there are")])
    }

    /// The file of the user, which may not be there.
    static func userFile(_ invocation: Invocation) throws(Failure) -> String {
        if let path = Configuration.userFile(invocation.environment) { return path }
        return "\(try invocation.directories().config)/tacit.conf"
    }
}
