import Glibc
import SystemIO
import TestSupport

/// A terminal without a screen: what a person would type is written to one end, the program has the other.
final class PseudoTerminal: Sendable {
    private let person: Int32
    /// The program's end.
    let user: Int32
    let path: String

    init(columns: UInt16 = 80) throws {
        var person: Int32 = 0, user: Int32 = 0
        var name = [CChar](repeating: 0, count: 128)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try systemCall("open a terminal") { unsafe openpty(&person, &user, &name, nil, &size) }
        for end in [person, user] { try systemCall("open a terminal") { fcntl(end, F_SETFD, FD_CLOEXEC) } }
        try systemCall("open a terminal") { fcntl(person, F_SETFL, O_NONBLOCK) }
        self.person = person
        self.user = user
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        close(user)
        close(person)
    }

    /// Types text.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe write(person, bytes, bytes.count)
    }

    /// What has appeared on the screen since the last look.
    func look() -> String {
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = unsafe read(person, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    /// The mode of the terminal.
    var mode: tcflag_t {
        var mode = termios()
        _ = unsafe tcgetattr(user, &mode)
        return mode.c_lflag
    }

    /// Whether what is typed appears on the screen.
    var showsTyping: Bool { mode & tcflag_t(ECHO) != 0 }

    /// Waits until a condition holds, at most ten seconds.
    static func wait(until condition: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while !condition() {
            guard ContinuousClock.now < deadline else { return false }
            usleep(500)
        }
        return true
    }
}
