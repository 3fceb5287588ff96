import ByteCoding
import CryptoCore

/// One step of a schema. Steps are numbered from 1 without gaps and never change once they were shipped.
public struct Migration: Sendable {
    public let number: Int
    /// What the step does, in a word or two.
    public let name: String
    /// The statements of the step.
    public let script: String
    /// How to take the step back; nil for the first one, before which there is nothing.
    public let down: Down?

    /// The way back from a step.
    public struct Down: Sendable {
        /// The statements that make the schema what it was before the step.
        public let script: String
        /// What they throw away, as the end of the sentence "this loses ..."; nil if nothing is lost.
        public let loses: String?

        public init(loses: String? = nil, _ script: String) {
            self.loses = loses
            self.script = script
        }
    }

    public init(_ number: Int, _ name: String, _ script: String, down: Down? = nil) {
        self.number = number
        self.name = name
        self.script = script
        self.down = down
    }

    /// Tells this step from one that was shipped under the same number. The way back is not in it: that may be mended.
    var hash: Bytes { SHA256.hash(Bytes(script.utf8)) }
}

/// A step that a database has, as the program noted it that took the step.
public struct TakenStep: Hashable, Sendable {
    public let number: Int
    public let name: String
    let hash: Bytes
    /// The statements that take it back, and what they lose.
    let down: String?
    public let loses: String?

    /// Whether the step can be taken back, also by a program that does not know it.
    public var hasDown: Bool { down != nil }
}

/// Where the schema of a database stands, compared with the steps that a program knows.
public enum SchemaPosition: Sendable {
    case current
    /// These steps are missing.
    case older([Migration])
    /// A newer program took these steps too; the newest comes first.
    case newer([TakenStep])
    /// A step is not the one that this program knows by its number.
    case different(known: Migration, taken: TakenStep)
}
