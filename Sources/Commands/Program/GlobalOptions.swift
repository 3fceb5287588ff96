import CommandKit
import TerminalKit

/// The options that every command has.
enum GlobalOptions {
    static let json = Option<Bool>(flag: "json", "Print one JSON object a line", isCommon: true)
    static let plain = Option<Bool>(flag: "plain", "Print one record a line, fields separated by tabs")
    static let fields = Option<String?>(
        "fields", "Print plain records of these fields, in this order", .text("A,B", completing: .field),
        defaultText: "those of the command")
    static let nul = Option<Bool>(flag: "null", letter: "0", "Print plain records, each ended by a NUL byte")
    static let format = Option<Format>(
        "output", "How results are printed when neither --json nor --plain is given", .choice(), default: .text,
        variable: "TACIT_FORMAT")
    static let formatVersion = Option<Int>(
        "format-version", "The version of JSON and plain that the reader understands", .count(), default: 1,
        variable: "TACIT_FORMAT_VERSION")
    static let quiet = Option<Int>(
        counting: "quiet", letter: "q",
        "Print only errors, and what was asked for; twice: only errors that need a person", isCommon: true)
    static let verbose = Option<Int>(
        counting: "verbose", letter: "v", "Say on standard error what is done; twice: everything, and what says so")
    static let logFile = Option<String?>(
        "log-file", "Append what -v says to this file, with times", .path(), defaultText: "none", variable: "TACIT_LOG")
    static let scrubs = Option<Bool>(
        flag: "scrub", "Leave the names of people out of what -vv says", isNegatable: true, default: true)
    static let progress = Option<ProgressChoice>(
        "progress", "How far a long step has come: a line on a terminal, nothing, or objects on standard error",
        .choice(), default: .auto)
    static let color = Option<ColorChoice>("color", "When to use colour", .choice(), default: .auto)
    static let wide = Option<Bool>(flag: "wide", "Do not cut the columns of tables")
    static let utc = Option<Bool>(flag: "utc", "Show times in UTC")
    static let noInput = Option<Bool>(
        flag: "no-input", "Never ask; fail where a question would be needed", variable: "TACIT_NO_INPUT")
    static let profile = Option<String?>(
        "profile", "Act as this profile, without making it the active one", .text("NAME", completing: .profile),
        defaultText: "the active one", variable: "TACIT_PROFILE")
    static let offline = Option<Bool>(
        flag: "offline", "Connect to no relay; what would be sent stays in the outbox")
    static let lockTimeout = Option<Duration>(
        "lock-timeout", "How long to wait for another process that writes to the store", .duration(),
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
