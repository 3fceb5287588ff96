import Glibc

/// A process and those that it has started.
enum ProcessTree {
    /// Kills a process and its descendants. A process whose parent has ended belongs to nobody, and goes on.
    static func kill(_ root: Int32) {
        // Who stands still starts nothing meanwhile.
        Glibc.kill(root, SIGSTOP)
        for child in children(of: root) { kill(child) }
        Glibc.kill(root, SIGKILL)
    }

    /// The numbers of the processes that a process has started, as proc(5) knows them.
    private static func children(of parent: Int32) -> [Int32] {
        let all = ((try? Files.names(in: "/proc")) ?? []).compactMap { Int32($0) }
        return all.filter { pid in
            guard let bytes = try? Files.read("/proc/\(pid)/stat", limit: 4096),
                // The name stands in parentheses and may hold anything; behind it come the state and the parent.
                let end = bytes.lastIndex(of: UInt8(ascii: ")"))
            else { return false }
            let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
            return fields.count > 1 && String(decoding: fields[1], as: UTF8.self) == "\(parent)"
        }
    }
}
