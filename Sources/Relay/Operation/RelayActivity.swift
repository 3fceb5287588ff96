public import ByteCoding
import SystemIO

/// The activity record of a relay for its operator, written once a minute and at the end. The counters continue from
/// run to run.
///
/// The text form has lines `name = value`; times are milliseconds since 1970.
public struct RelayActivity: Hashable, Sendable {
    /// The start of this run.
    public var started: Timestamp
    /// The time of the record.
    public var written: Timestamp
    /// The clock by which messages expire; nil in a record of a version without one.
    var expiry: ExpiryClock.State?
    /// The port, which the system may have chosen.
    public var port: UInt16
    /// The port for files; nil if the relay serves none.
    public var filePort: UInt16?
    /// The counters of this run.
    public var current: RelayStatistics
    /// The counters of earlier runs.
    public var earlier: RelayStatistics

    init(started: Timestamp, port: UInt16, earlier: RelayStatistics) {
        self.started = started
        self.port = port
        self.earlier = earlier
        written = started
        current = RelayStatistics()
    }

    /// The counters of all runs.
    public var total: RelayStatistics {
        var total = earlier
        for counter in RelayStatistics.counters { total[keyPath: counter.path] += current[keyPath: counter.path] }
        return total
    }

    // MARK: - Text

    private enum Name {
        static let started = "started", written = "written", port = "port", filePort = "xftp_port"
        static let earlier = "earlier_"
        static let expiry = "expiry_clock", doubt = "expiry_clock_doubt"
    }

    var text: String {
        var lines = [
            "\(Name.started) = \(started.milliseconds)", "\(Name.written) = \(written.milliseconds)",
            "\(Name.port) = \(port)",
        ]
        if let filePort { lines.append("\(Name.filePort) = \(filePort)") }
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

    /// Reads the text, or returns nil for one without time and port. Missing names count as 0, and unknown names are
    /// ignored.
    init?(_ text: String) {
        guard let entries = try? NamedValues(text).entries else { return nil }
        let values = Dictionary(entries.map { ($0.name, Int64($0.value) ?? 0) }) { first, _ in first }
        // Limited so that additions cannot overflow.
        func count(_ name: String) -> Int { Int(min(1 << 53, max(0, values[name] ?? 0))) }
        guard let started = values[Name.started], let written = values[Name.written],
            let port = values[Name.port].flatMap({ UInt16(exactly: $0) })
        else { return nil }
        self.init(started: Timestamp(milliseconds: started), port: port, earlier: RelayStatistics())
        self.written = Timestamp(milliseconds: written)
        filePort = values[Name.filePort].flatMap { UInt16(exactly: $0) }
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

    /// The largest accepted file in bytes.
    private static let fileLimit = 65536

    /// Reads the last record in a file.
    ///
    /// - Returns: Nil if the file does not exist or is malformed.
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
    /// - Parameter isLast: True to wait for the disk. A running relay does not.
    func write(to path: String, isLast: Bool) throws(SystemError) {
        try Files.replace(path, Bytes(text.utf8), durably: isLast)
    }
}
