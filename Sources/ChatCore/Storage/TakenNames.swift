import AgentProtocol

/// The names that are taken in each profile, in memory, so that a new name takes the same time in a profile with many.
///
/// It may have names too many after a transaction that was undone: they stay unused until the next start. It may lack names only
/// where ``ChatStore/freeName(_:in:)`` notices it.
///
/// SECURITY: equal are names of the same characters, whatever bytes those are made of, because people cannot tell them apart.
final class TakenNames {
    private var names: [ProfileID: Set<String>] = [:]

    func isLoaded(_ id: ProfileID) -> Bool { names[id] != nil }

    func load(_ list: [String], of id: ProfileID) { names[id] = Set(list) }

    func contains(_ name: String, in id: ProfileID) -> Bool { names[id]?.contains(name) == true }

    func insert(_ name: String, in id: ProfileID) { names[id]?.insert(name) }

    func remove(_ name: String, in id: ProfileID) { names[id]?.remove(name) }

    /// Returns the name, or it with a number behind it. The search takes a number of steps that grows with the digits of the number.
    func freeName(_ name: String, in id: ProfileID) -> String {
        guard let taken = names[id], taken.contains(name) else { return name }
        func isTaken(_ number: Int) -> Bool { taken.contains("\(name)_\(number)") }
        var free = 1
        while isTaken(free) { free *= 2 }
        // `free / 2` is taken, and `free` is not: without a gap the first free number is between them.
        var used = free / 2
        while free - used > 1 {
            let middle = used + (free - used) / 2
            if isTaken(middle) { used = middle } else { free = middle }
        }
        return "\(name)_\(free)"
    }
}
