import SystemIO

/// The user's own editor, for a longer text.
struct ExternalEditor: Sendable {
    /// A line for the shell.
    let command: String
    let environment: [String: String]

    /// More than any message holds, in bytes.
    private static let limit = 1 << 20

    /// Lets the person write, on a terminal that nobody else uses meanwhile, and returns the text without its last line
    /// break.
    func write(_ text: String, on loop: EventLoop) async -> Result<String, SystemError> {
        await withCheckedContinuation { continuation in
            loop.offload({ run(text) }, then: { continuation.resume(returning: $0) })
        }
    }

    private func run(_ text: String) -> Result<String, SystemError> {
        do throws(SystemError) {
            // SECURITY: a folder for this user alone, in memory where the system has such a place.
            let runtime = environment["XDG_RUNTIME_DIR"].flatMap { Files.isFolder($0) ? $0 : nil }
            let folder = try Files.createTemporaryFolder(in: runtime ?? "/dev/shm", prefix: "tacit-")
            defer { try? Files.removeTree(folder) }
            let path = folder + "/message.txt"
            try Files.create(path, Array(text.utf8))
            var variables = environment
            variables["TACIT_KEY"] = nil
            let ending = try Subprocess.runOnTerminal(
                "/bin/sh", ["sh", "-c", "\(command) \"$1\"", "sh", path], environment: variables)
            guard ending == .exited(0) else { throw SystemError("use the editor", number: 0) }
            var bytes = try Files.read(path, limit: ExternalEditor.limit)
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            return .success(String(decoding: bytes, as: UTF8.self))
        } catch {
            return .failure(error)
        }
    }
}
