import ChatCore
import JSONCoding
import TerminalKit

extension Reason {
    /// A store whose schema could not, or may not, be made that of this program.
    init(_ result: DBMigrationResult) {
        self =
            switch result {
            case .ok, .invalidConfirmation: Reason.bug
            case .errorKeychain: .keyMissing
            case .errorNotADatabase: Reason(.foreign)
            case .errorSQL:
                Reason(
                    "store.upgrade", .bug, "a step of the schema cannot be taken",
                    why: ["the store is as it was, or between two steps; a copy of it ends with .bak"],
                    tries: [.init("tacit version --json", "add this to a report of the mistake")])
            case .errorMigration(_, let obstacle): Reason(obstacle)
            }
        details["migration"] = .object(result.json)
    }

    private init(_ obstacle: MigrationObstacle) {
        switch obstacle {
        case .upgrade(let steps):
            self.init(
                "store.older", .unavailable, "the store is from an older version of tacit",
                why: ["steps to take: \(Reason.list(steps))"], tries: [.init("tacit db upgrade", "take them")])
        case .downgrade(let steps):
            let loses = steps.compactMap(\.loses)
            self.init(
                "store.newer", .unavailable, "the store is from a newer version of tacit",
                why: ["steps to take back: \(Reason.list(steps))"]
                    + (loses.isEmpty ? [] : ["this loses \(loses.joined(separator: "; "))"]),
                tries: [
                    .init("tacit version", "install a newer one if you can"),
                    .init("tacit db upgrade --confirm yes-up-down", "go back, and lose what is named"),
                ])
        case .noDown(let steps):
            self.init(
                "store.newer", .unavailable, "the store is from a newer version of tacit",
                why: ["there is no way back from: \(Reason.list(steps))"],
                tries: [.init("tacit version", "install a newer one")])
        case .different(let known, let taken):
            self.init(
                "store.different", .data, "the store is from another program, or from a version that never was",
                why: ["its step '\(UntrustedText(taken.description).singleLine)' is not the known '\(known)'"])
        }
    }

    /// Few steps by name, or how many there are.
    private static func list(_ steps: [MigrationObstacle.Step]) -> String {
        let names = steps.map { UntrustedText($0.description).singleLine.description }.joined(separator: "; ")
        return names.utf8.count <= 80 ? names : "\(steps.count) of them"
    }
}
