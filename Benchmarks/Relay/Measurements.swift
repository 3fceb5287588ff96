/// What was measured, by name; what was measured several times counts with its median.
struct Measurements {
    private var names: [String] = []
    private var values: [String: [Double]] = [:]
    private var units: [String: (unit: String, digits: Int)] = [:]

    /// Takes note of a value.
    ///
    /// - Parameter digits: How many digits behind the point are printed.
    mutating func add(_ name: String, _ value: Double, _ unit: String, digits: Int) {
        if values[name] == nil { names.append(name) }
        values[name, default: []].append(value)
        units[name] = (unit, digits)
    }

    /// A line for each name, in the order in which they came: name, value, unit.
    var lines: [String] {
        names.compactMap { name in
            guard let all = values[name]?.sorted(), let (unit, digits) = units[name] else { return nil }
            // Of an even number the lower one of the two in the middle.
            let value = Measurements.text(all[(all.count - 1) / 2], digits)
            return Measurements.padded(name, 28) + " "
                + String(repeating: " ", count: max(0, 10 - value.count)) + value + "  " + unit
        }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// A number that is not negative, with so many digits behind the point.
    private static func text(_ value: Double, _ digits: Int) -> String {
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int((value * Double(scale)).rounded())
        guard digits > 0 else { return "\(scaled)" }
        let fraction = "\(scaled % scale)"
        return "\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}
