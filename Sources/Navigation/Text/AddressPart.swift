/// One word in the address of a screen.
public enum AddressPart: Hashable, Sendable {
    /// A fixed word.
    case word(String)
    /// The name of a thing, which is looked up.
    case name(Subject)
    case number(Int64)
}

/// Why an address leads nowhere. Words are counted from 0; what they say is private.
public enum AddressError: Error, Hashable, Sendable {
    /// No screen has this word here.
    case unknownWord(at: Int)
    /// Nothing of this kind has the name, or the number.
    case unknownName(Subject.Kind, at: Int)
    /// Something must follow: a name, a number, or what a backslash protects.
    case unfinished
    /// There is no profile open whose things could be named.
    case noProfile
}

/// What addresses ask about the store. As with a ``Directory``, answers must not take longer when there is more in it.
public protocol AddressNames {
    /// The name of a thing; nil if it is not there.
    func name(of subject: Subject) async -> String?
    /// The thing of a profile that has a name, or nil. Profiles themselves are asked for without one.
    func subject(_ kind: Subject.Kind, named name: String, in profile: Int64?) async -> Subject?
}
