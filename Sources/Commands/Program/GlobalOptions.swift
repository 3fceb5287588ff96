import CommandKit
import TerminalKit

/// The options that every command has.
enum GlobalOptions {
    static let json = Option<Bool>(flag: "json", "Print one JSON object per line", isCommon: true)
    static let plain = Option<Bool>(flag: "plain", "Print one tab-separated record per line")
    static let fields = Option<String?>(
        "fields", "Fields of plain records, in order", .text("A,B", completing: .field),
        defaultText: "the command's columns")
    static let nul = Option<Bool>(flag: "null", letter: "0", "Print plain records, each ended by a NUL byte")
    static let format = Option<Format>(
        "output", "Output format without --json and --plain", .choice(), default: .text,
        variable: "TACIT_FORMAT")
    static let formatVersion = Option<Int>(
        "format-version", "Version of the JSON and plain formats", .count(), default: 1,
        variable: "TACIT_FORMAT_VERSION")
    static let quiet = Option<Int>(
        counting: "quiet", letter: "q",
        "Print errors and results only; -qq hides temporary errors", isCommon: true)
    static let verbose = Option<Int>(
        counting: "verbose", letter: "v", "Log progress to stderr; -vv adds debug output")
    static let logFile = Option<String?>(
        "log-file", "Append the log of -v to this file, with times", .path(), defaultText: "none", variable: "TACIT_LOG"
    )
    static let scrubs = Option<Bool>(
        flag: "scrub", "Redact names in log output", isNegatable: true, default: true)
    static let progress = Option<ProgressChoice>(
        "progress", "Report progress: a line on a terminal, or JSON on stderr",
        .choice(), default: .auto)
    static let color = Option<ColorChoice>("color", "Use colour", .choice(), default: .auto)
    static let wide = Option<Bool>(flag: "wide", "Do not truncate table columns")
    static let utc = Option<Bool>(flag: "utc", "Show times in UTC")
    static let noInput = Option<Bool>(
        flag: "no-input", "Never prompt; fail instead", variable: "TACIT_NO_INPUT")
    static let profile = Option<String?>(
        "profile", "Use this profile without making it active", .text("NAME", completing: .profile),
        defaultText: "the active profile", variable: "TACIT_PROFILE")
    static let offline = Option<Bool>(
        flag: "offline", "Do not use the network; keep messages in the outbox")
    static let lockTimeout = Option<Duration>(
        "lock-timeout", "Wait this long for another process to release the store", .duration(),
        default: .seconds(10))

    static let all: [any DeclaresOption] =
        [
            json, plain, fields, nul, format, formatVersion, quiet, verbose, logFile, scrubs, progress, color, wide,
            utc,
            noInput, profile, HiddenProfile.passwordDescriptor, lockTimeout, offline,
        ] + KeyOptions.all

    /// How a long step says how far it has come.
    enum ProgressChoice: String, CaseIterable, Sendable {
        case auto, never, json
    }

    /// The three promises about output.
    enum Format: String, CaseIterable, Sendable {
        case text, plain, json
    }
}
