import SystemIO

/// The user's own editor, for a longer text.
struct ExternalEditor: Sendable {
    /// A line for the shell.
    let command: String
    let environment: [String: String]

    private static let prefix = "tacit-edit-"
    /// Greater codes are those with which a shell repeats that a signal ended its child.
    private static let signalled: Int32 = 128
    /// More than any message holds, in bytes.
    private static let limit = 1 << 20

    /// Runs the editor, which has the terminal to itself, and returns the text without its last line
    /// break.
    func write(_ text: String, on loop: EventLoop) async -> Result<String, SystemError> {
        await withCheckedContinuation { continuation in
            loop.offload({ run(text) }, then: { continuation.resume(returning: $0) })
        }
    }

    /// SECURITY: a place for this user alone, in memory where the system has one.
    private static func place(_ environment: [String: String]) -> String {
        environment["XDG_RUNTIME_DIR"].flatMap { Files.isFolder($0) ? $0 : nil } ?? "/dev/shm"
    }

    /// SECURITY: removes texts of processes that were killed while the editor ran.
    static func removeLeftovers(_ environment: [String: String]) {
        let place = place(environment)
        for name in (try? Files.names(in: place)) ?? [] where name.hasPrefix(prefix) {
            let process = name.dropFirst(prefix.count).prefix { $0.isNumber }
            if !process.isEmpty, !Files.exists("/proc/\(process)") { try? Files.removeTree("\(place)/\(name)") }
        }
    }

    private func run(_ text: String) -> Result<String, SystemError> {
        do throws(SystemError) {
            ExternalEditor.removeLeftovers(environment)
            let folder = try Files.createTemporaryFolder(
                in: ExternalEditor.place(environment),
                prefix: "\(ExternalEditor.prefix)\(ProcessEnvironment.processID)-")
            defer { try? Files.removeTree(folder) }
            let path = folder + "/message.txt"
            try Files.create(path, Array(text.utf8))
            var variables = environment
            variables["TACIT_KEY"] = nil
            let ending = try Subprocess.runOnTerminal(
                "/bin/sh", ["sh", "-c", "\(command) \"$1\"", "sh", path], environment: variables)
            // An editor says by its code that the text is not wanted. One that was ended, as by a terminal that is closed, has
            // said nothing: what was saved until then counts.
            if case .exited(let code) = ending, code != 0, code <= ExternalEditor.signalled {
                throw SystemError("use the editor", number: 0)
            }
            var bytes = try Files.read(path, limit: ExternalEditor.limit)
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            return .success(String(decoding: bytes, as: UTF8.self))
        } catch {
            return .failure(error)
        }
    }
}
