public import ByteCoding
import SystemIO

/// What a relay writes down about itself, for its operator: once a minute, and when it ends. The counters go on from one
/// run to the next.
///
/// As text: lines of `name = value`; times are milliseconds since 1970.
public struct RelayActivity: Hashable, Sendable {
    /// When this run began.
    public var started: Timestamp
    /// When this was written.
    public var written: Timestamp
    /// The clock by which messages expire; nil if it was written by a version without one.
    var expiry: ExpiryClock.State?
    /// Where the relay listens; its settings may leave that to the system.
    public var port: UInt16
    /// Since this run began.
    public var current: RelayStatistics
    /// What earlier runs have counted.
    public var earlier: RelayStatistics

    init(started: Timestamp, port: UInt16, earlier: RelayStatistics) {
        self.started = started
        self.port = port
        self.earlier = earlier
        written = started
        current = RelayStatistics()
    }

    /// What all runs have counted.
    public var total: RelayStatistics {
        var total = earlier
        for counter in RelayStatistics.counters { total[keyPath: counter.path] += current[keyPath: counter.path] }
        return total
    }

    // MARK: - Text

    private enum Name {
        static let started = "started", written = "written", port = "port"
        static let earlier = "earlier_"
        static let expiry = "expiry_clock", doubt = "expiry_clock_doubt"
    }

    var text: String {
        var lines = [
            "\(Name.started) = \(started.milliseconds)", "\(Name.written) = \(written.milliseconds)",
            "\(Name.port) = \(port)",
        ]
        if let expiry {
            lines.append("\(Name.expiry) = \(expiry.time.milliseconds)")
            if let doubt = expiry.doubt { lines.append("\(Name.doubt) = \(Int64(doubt / .milliseconds(1)))") }
        }
        for (name, value) in current.gauges { lines.append("\(name) = \(value)") }
        for counter in RelayStatistics.counters {
            lines.append("\(counter.name) = \(current[keyPath: counter.path])")
            lines.append("\(Name.earlier)\(counter.name) = \(earlier[keyPath: counter.path])")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Reads the text; nil for one that does not say when and where. Names that are missing or unknown come from another
    /// version of the program, and count as 0 or for nothing.
    init?(_ text: String) {
        guard let entries = try? NamedValues(text).entries else { return nil }
        let values = Dictionary(entries.map { ($0.name, Int64($0.value) ?? 0) }) { first, _ in first }
        // So many that they can be added, whatever stands there.
        func count(_ name: String) -> Int { Int(min(1 << 53, max(0, values[name] ?? 0))) }
        guard let started = values[Name.started], let written = values[Name.written],
            let port = values[Name.port].flatMap({ UInt16(exactly: $0) })
        else { return nil }
        self.init(started: Timestamp(milliseconds: started), port: port, earlier: RelayStatistics())
        self.written = Timestamp(milliseconds: written)
        // Until the year 9999.
        if let time = values[Name.expiry], (0...253_402_300_799_999).contains(time) {
            expiry = ExpiryClock.State(
                time: Timestamp(milliseconds: time),
                doubt: values[Name.doubt].map { .milliseconds(min(max(0, $0), 315_360_000_000)) })
        }
        current.connections = count("connections")
        current.subscriptions = count("subscriptions")
        current.proxiedRelays = count("proxied_relays")
        for counter in RelayStatistics.counters {
            current[keyPath: counter.path] = count(counter.name)
            earlier[keyPath: counter.path] = count(Name.earlier + counter.name)
        }
    }

    // MARK: - File

    /// How large the file may be, in bytes.
    private static let fileLimit = 65536

    /// Reads what was written to a file last.
    ///
    /// - Returns: Nil if there is no such file, or if it holds something else.
    static func read(_ path: String) throws(SystemError) -> RelayActivity? {
        do throws(SystemError) {
            return RelayActivity(String(decoding: try Files.read(path, limit: fileLimit), as: UTF8.self))
        } catch {
            guard error.condition == .missing || error.number == SystemError.tooLong else { throw error }
            return nil
        }
    }

    /// Replaces the file.
    ///
    /// - Parameter isLast: True to wait for the disk. A relay at work does not.
    func write(to path: String, isLast: Bool) throws(SystemError) {
        try Files.replace(path, Bytes(text.utf8), durably: isLast)
    }
}
