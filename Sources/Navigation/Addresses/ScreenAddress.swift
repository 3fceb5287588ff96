/// Where a screen is, as a person writes it: `/`, `/contacts/Ann Lee`, `/requests`, `/settings/net`.
///
/// The home of the open profile is `/`, that of another `/profiles/work`, and `/profiles` the hub. A name alone behind the
/// home is a conversation: `/Ann Lee`. An address says where one screen is; how the user came there is the path's.
public struct ScreenAddress: Hashable, Sendable {
    /// The screen. A home that is no neighbour of the user has the kind of a list, which ``Finding`` puts right.
    public let screen: AnyScreen
    /// Whether the user goes back to it (`..`), so that it has to take the place of what is above it.
    public let isAbove: Bool

    /// A name as a word of an address.
    public static func word(for name: String) -> String { AddressWords.escaped(name) }

    /// Reads an address that a person wrote while they were somewhere.
    public init(_ text: String, from path: NavigationPath, names: any AddressNames) async throws(AddressError) {
        let words = try AddressWords(text)
        var reader = AddressReader(words, names: names, profile: path.home?.profile)
        let start = path.home.map { AnyScreen($0) } ?? AnyScreen(HubScreen())
        var screen = words.isAbsolute ? start : path.top
        var hasGoneOn = words.isAbsolute
        // Behind the list of the conversations the word of the list itself is left out or not: `/contacts` is `/`.
        while !reader.isAtEnd {
            if reader.skipUp() {
                screen = ScreenAddress.parent(of: screen, home: start)
                continue
            }
            if screen.isA(HomeScreen.self), reader.skipLast(ChatScreen.word) {
                _ = reader.skipUp()
                continue
            }
            screen = try await ScreenAddress.next(inside: screen, from: &reader)
            hasGoneOn = true
            if let home = screen.value as? HomeScreen {
                reader.profile = home.profile
                if home.profile == path.home?.profile { screen = start }
            }
        }
        self.screen = screen
        isAbove = !hasGoneOn && screen != path.top
    }

    private static func next(
        inside screen: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> AnyScreen {
        for type in ScreenCatalogue.all {
            if let next = try await read(type, inside: screen, from: &reader) { return next }
        }
        guard screen.isA(HomeScreen.self) else {
            throw screen.isA(HubScreen.self) ? .noProfile : .unknownWord(at: reader.position)
        }
        return AnyScreen(ChatScreen(contact: try await reader.subject(.contact).number))
    }

    private static func read<Value: Screen>(
        _ type: Value.Type, inside screen: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> AnyScreen? {
        try await Value.read(inside: screen, from: &reader).map { AnyScreen($0) }
    }

    /// The screen above another one, in the sense of addresses. The hub is above itself.
    static func parent(of screen: AnyScreen, home: AnyScreen) -> AnyScreen {
        if screen.isA(HubScreen.self) { return screen }
        return screen.value.parent.map { AnyScreen($0) } ?? home
    }

    // MARK: - Writing

    /// How long an address is written.
    public enum Style: Hashable, Sendable {
        /// With all words.
        case full
        /// For a prompt: `/Ann Lee` for `/contacts/Ann Lee`, if that is no other word.
        case short
    }

    /// The address of a screen for somebody who is in the profile that the screen belongs to. Things without a name are written by their number, so
    /// that what is gone has an address too.
    public static func text(
        of screen: AnyScreen, in profile: Int64?, style: Style = .full, names: any AddressNames
    ) async -> String {
        var parts: [String] = []
        var current: AnyScreen? = screen
        while let screen = current {
            if let home = screen.value as? HomeScreen, home.profile == profile { break }
            parts = await words(of: screen, style: style, names: names) + parts
            if screen.isA(HubScreen.self) || screen.isA(HomeScreen.self) { break }
            current = screen.value.parent.map { AnyScreen($0) }
        }
        return "/" + parts.joined(separator: "/")
    }

    private static func words(of screen: AnyScreen, style: Style, names: any AddressNames) async -> [String] {
        var words: [String] = []
        for part in screen.value.addressParts {
            switch part {
            case .word(let word): words.append(word)
            case .number(let number): words.append("\(number)")
            case .name(let subject):
                let name = await names.name(of: subject) ?? ""
                words.append(name.isEmpty ? "#\(subject.number)" : AddressWords.escaped(name))
            }
        }
        let isShort = style == .short && screen.isA(ChatScreen.self) && !reserved.isSuperset(of: words.suffix(1))
        return isShort ? words.suffix(1) : words
    }

    /// The words that are no names behind the home.
    private static let reserved = Set(ScreenCatalogue.all.map { $0.word })
}

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
