import CommandKit

/// The options that say where the key of the store comes from. There is none for the key itself: other users see the words of
/// a command line.
enum KeyOptions {
    static let file = Option<String?>(
        "key-file", "Read the store key from this file", .path(), defaultText: "see tacit help keys"
    ).withoutSetting
    static let descriptor = Option<Int?>(
        "key-fd", "Read the store key from file descriptor FD", .count("FD", in: 0...65535)
    ).withoutSetting
    static let command = Option<String?>(
        "key-command", "Read the store key from the output of this shell command", .text("COMMAND")
    ).withoutSetting

    static let all: [any DeclaresOption] = [file, descriptor, command]
}
