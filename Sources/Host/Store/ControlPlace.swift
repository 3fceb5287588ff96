import SystemIO

/// Where a process that has a store open takes the commands of others.
enum ControlPlace {
    /// The paths in their order: one that another store uses is passed over.
    private static func candidates(_ directories: Directories) -> [String] {
        [directories.runtime, directories.state + "/run"].compactMap { $0.map { $0 + "/control.sock" } }
    }

    /// Listens at the first place that is free.
    static func listen(
        _ directories: Directories, _ loop: EventLoop, _ accept: @escaping (ControlConnection) -> Void
    ) throws -> ControlServer {
        var failure: SystemError?
        for path in candidates(directories) where !ControlConnection.isTaken(path) {
            do throws(SystemError) {
                // SECURITY: a folder of a mode of its own, as the socket is made before its mode is set.
                try Files.createFolder(String(path.dropLast("/control.sock".count)))
                return try ControlServer(at: path, loop: loop, accept: accept)
            } catch {
                failure = error
            }
        }
        throw failure ?? SystemError("listen at the socket", number: SystemError.exists)
    }
}
