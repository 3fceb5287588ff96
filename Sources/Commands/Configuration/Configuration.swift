import CommandKit
import SystemIO
import TerminalKit

/// The configuration files of one run.
///
/// Reading them is one attempt to open each. Nothing is read from the working directory.
struct Configuration: Sendable {
    /// What they say.
    let settings: Settings
    /// Why they cannot be used.
    let mistakes: [SettingsMistake]
    /// What is wrong with them, and does not matter.
    let warnings: [SettingsMistake]
    /// Whether a key that means nothing is a mistake.
    let isStrict: Bool

    /// For all users of the machine.
    static let systemFile = "/etc/tacit/tacit.conf"

    /// The file of the user: the one that `TACIT_CONFIG` names, or `tacit.conf` in the folder of the configuration. Nil if
    /// nothing tells where that is.
    static func userFile(_ environment: [String: String]) -> String? {
        if let path = named(environment) { return path }
        return Directories(environment: environment).map { "\($0.config)/tacit.conf" }
    }

    private static func named(_ environment: [String: String]) -> String? {
        environment["TACIT_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Reads the files that there are.
    init(_ environment: [String: String], tree: CommandTree = .tacit) {
        let user = Configuration.userFile(environment)
        self.init(
            [user, Configuration.systemFile].compactMap(\.self), named: Configuration.named(environment),
            environment: environment, tree: tree)
    }

    /// - Parameters:
    ///   - paths: The files, the strongest first.
    ///   - named: The one that must be there.
    init(_ paths: [String], named: String? = nil, environment: [String: String], tree: CommandTree) {
        var texts: [(path: String, text: SettingsText)] = [], mistakes: [SettingsMistake] = []
        for path in paths {
            do throws(SettingsMistake) {
                guard let text = try Configuration.text(of: path, mustExist: path == named) else { continue }
                texts.append((path, text))
                mistakes += tree.mistakes(in: text, at: path, checksValues: false)
            } catch {
                mistakes.append(error)
            }
        }
        settings = Settings(texts)
        let isStrict = (try? settings.value(of: ProgramSettings.isStrict, environment: environment)) ?? true
        self.isStrict = isStrict
        self.mistakes = mistakes.filter { isStrict || !$0.mayBeNewer }
        warnings = isStrict ? [] : mistakes.filter(\.mayBeNewer)
    }

    /// What another process has read: its mistakes were told there.
    init(_ settings: Settings) {
        self.settings = settings
        (mistakes, warnings, isStrict) = ([], [], true)
    }

    /// The text of a file; nil if it is not there.
    static func text(of path: String, mustExist: Bool = false) throws(SettingsMistake) -> SettingsText? {
        let isOpenToOthers: Bool, bytes: [UInt8]
        do throws(SystemError) {
            let file = try FileDescriptor(readingAtOnce: path), status = try file.status()
            // TACIT_CONFIG=/dev/null means no settings at all.
            if status.isNullDevice { return SettingsText([]) }
            // Nobody knows when a pipe or a device ends.
            guard status.isRegular else { throw SystemError("read the file", number: SystemError.notAFile) }
            // SECURITY: a file may name a command to run, or switch a proxy off.
            isOpenToOthers = !(status.isOwn || status.isOwnedByRoot) || status.isWritableByOthers
            bytes = isOpenToOthers ? [] : try file.readAll(limit: SettingsText.limit)
        } catch {
            if error.condition == .missing, !mustExist { return nil }
            let reason = error.number == SystemError.notAFile ? "it is no regular file" : error.reason
            throw SettingsMistake(file: path, line: 0, .unusable(reason))
        }
        guard !isOpenToOthers else { throw SettingsMistake(file: path, line: 0, .openToOthers) }
        return SettingsText(bytes)
    }

    /// Whether a command does its work without the files, or helps to mend them.
    static func isNeeded(by command: Command) -> Bool {
        !["config", "doctor", "help", "version", "schema", "completion", "__complete"].contains(command.path.first)
    }
}
