import Glibc
import SystemIO

/// What the system tells of another process: proc(5).
struct ObservedProcess {
    let id: Int

    /// The processor time that it has used, in seconds.
    var processorSeconds: Double {
        guard let stat = text("stat"), let end = stat.lastIndex(of: ")") else { return 0 }
        // Behind the name: state is the third field, user and system time the 14th and 15th.
        let fields = stat[end...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The memory that it has in use, in MiB.
    var memory: Double {
        guard let status = text("status"),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        else { return 0 }
        return kilobytes / 1024
    }

    private func text(_ name: String) -> String? {
        (try? Files.read("/proc/\(id)/\(name)", limit: 65536)).map { String(decoding: $0, as: UTF8.self) }
    }
}
