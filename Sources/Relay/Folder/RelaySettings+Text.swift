package import ByteCoding
import CryptoCore
import SMPProtocol

extension RelaySettings {
    /// How long a line of a comment is at most.
    private static let width = 100

    /// The lines of the settings file, without the fingerprint.
    package var text: String {
        var lines = [
            "# Settings of this relay. 'tacit relay start' reads them, and again on SIGHUP. See tacit-relay(8)."
        ]
        for group in RelaySetting.groups {
            lines += ["", "## \(group.title)"]
            for setting in group.settings {
                lines += [""] + RelaySettings.comment("\(setting.meaning) [\(setting.values)]")
                // A setting without a value is shown as one that could be set.
                lines.append(setting.text(self).map { "\(setting.name) = \($0)" } ?? "# \(setting.name) =")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func comment(_ text: String) -> [String] {
        var lines = ["#"]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].utf8.count + word.utf8.count >= width { lines.append("#") }
            lines[lines.count - 1] += " \(word)"
        }
        return lines
    }

    /// Reads the settings file.
    ///
    /// - Returns: The settings, and the fingerprint that the file holds beside them.
    package static func read(_ text: String) throws(RelayError) -> (settings: RelaySettings, fingerprint: Bytes) {
        let entries = try SettingsText(text).entries
        guard entries.contains(where: { $0.name == "host" }) else {
            throw .settings(line: 0, reason: "the line 'host = NAME' is missing")
        }
        var settings = RelaySettings(hosts: [.domain("localhost")])
        var fingerprint: Bytes?
        for entry in entries {
            if entry.name == "fingerprint" {
                fingerprint = try? Base64URL.decode(entry.value)
                guard fingerprint?.count == SHA256.size else {
                    throw .settings(line: entry.line, reason: "'fingerprint' is not a fingerprint")
                }
                continue
            }
            guard let setting = RelaySetting.all.first(where: { $0.name == entry.name }) else {
                throw .settings(line: entry.line, reason: "there is no such setting")
            }
            guard setting.set(&settings, entry.value) else {
                throw .settings(line: entry.line, reason: "'\(setting.name)' takes \(setting.values)")
            }
        }
        guard let fingerprint else { throw .settings(line: 0, reason: "the line 'fingerprint = ...' is missing") }
        return (settings, fingerprint)
    }
}
