/// The address of a screen as typed by a user: `/`, `/contacts/Ann Lee`, `/requests`, `/settings/net`.
///
/// The home of the open profile is `/`, that of another `/profiles/work`, and the hub is `/profiles`. A name alone
/// after the home is a conversation: `/Ann Lee`. An address names one screen; the path records how the user got there.
public struct ScreenAddress: Hashable, Sendable {
    /// The screen. A home outside of the current path has the kind of a list, which ``Finding`` corrects.
    public let screen: AnyScreen
    /// True if the user goes back to the screen (`..`), so that it has to replace the screens above it.
    public let isAbove: Bool

    /// Returns a name as a word of an address.
    public static func word(for name: String) -> String { AddressWords.escaped(name) }

    /// Reads an address relative to the current path.
    ///
    /// - Throws: ``AddressError``.
    public init(_ text: String, from path: NavigationPath, names: any AddressNames) async throws(AddressError) {
        let words = try AddressWords(text)
        var reader = AddressReader(words, names: names, profile: path.home?.profile)
        let start = path.home.map { AnyScreen($0) } ?? AnyScreen(HubScreen())
        var screen = words.isAbsolute ? start : path.top
        var hasGoneOn = words.isAbsolute
        // After the list of conversations the word of the list itself is optional: `/contacts` is `/`.
        while !reader.isAtEnd {
            if reader.skipUp() {
                screen = ScreenAddress.parent(of: screen, home: start)
                continue
            }
            if screen.isA(HomeScreen.self), reader.skipLast(ChatScreen.word) || reader.skipLast(ChatScreen.groupWord) {
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
        return AnyScreen(ChatScreen(try await reader.chat()))
    }

    private static func read<Value: Screen>(
        _ type: Value.Type, inside screen: AnyScreen, from reader: inout AddressReader
    ) async throws(AddressError) -> AnyScreen? {
        try await Value.read(inside: screen, from: &reader).map { AnyScreen($0) }
    }

    /// Returns the parent of a screen in the sense of addresses. The hub is its own parent.
    static func parent(of screen: AnyScreen, home: AnyScreen) -> AnyScreen {
        if screen.isA(HubScreen.self) { return screen }
        return screen.value.parent.map { AnyScreen($0) } ?? home
    }

    // MARK: - Writing

    /// The length of an address.
    public enum Style: Hashable, Sendable {
        /// With all words.
        case full
        /// For a prompt: `/Ann Lee` for `/contacts/Ann Lee`, unless it has another meaning.
        case short
    }

    /// Returns the address of a screen for a user in the profile of the screen. Objects without a name are written by
    /// number, so deleted objects have an address too.
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
            case .member(let number, let group):
                let name = await names.name(ofMember: number, of: group) ?? ""
                words.append(name.isEmpty ? "#\(number)" : AddressWords.escaped(name))
            }
        }
        // A number alone is that of a contact.
        if case .group? = (screen.value as? ChatScreen)?.chat, words.last?.first == "#" { return words }
        let isShort = style == .short && screen.isA(ChatScreen.self) && !reserved.isSuperset(of: words.suffix(1))
        return isShort ? words.suffix(1) : words
    }

    /// The words after the home that are not names.
    private static let reserved = Set(ScreenCatalogue.all.map { $0.word } + [ChatScreen.groupWord])
}

/// A word in the address of a screen.
public enum AddressPart: Hashable, Sendable {
    /// A fixed word.
    case word(String)
    /// The name of an object, which is looked up.
    case name(Subject)
    /// The name of a member of a group, which is looked up.
    case member(Int64, group: Int64)
    /// A number.
    case number(Int64)
}

/// The reason why an address is invalid. Words are counted from 0; their text is private.
public enum AddressError: Error, Hashable, Sendable {
    /// No screen has this word here.
    case unknownWord(at: Int)
    /// No object of this kind has the name or number.
    case unknownName(Subject.Kind, at: Int)
    /// A name, a number or an escaped character is missing.
    case unfinished
    /// No profile is open for resolving names.
    case noProfile
}

/// The names of objects in the store. As with a ``Directory``, the time of a query must not depend on the size of the
/// store.
public protocol AddressNames {
    /// Returns the name of an object, or nil for a missing one.
    func name(of subject: Subject) async -> String?
    /// Returns the number of the profile with a name, or nil.
    func profile(named name: String) async -> Int64?
    /// Returns the chat with a name in a profile, or nil.
    func chat(named name: String, in profile: Int64) async -> ChatSubject?
    /// Returns the direct chat or the notes with a number, or nil. Both never have the same number.
    func chat(numbered number: Int64) async -> ChatSubject?
    /// Returns the number of the member of a group with a name, or nil.
    func member(named name: String, of group: Int64) async -> Int64?
    /// Returns the name of a member of a group, or nil for a missing one.
    func name(ofMember member: Int64, of group: Int64) async -> String?
}

extension AddressNames {
    /// Returns nil: no member is known.
    public func member(named name: String, of group: Int64) async -> Int64? { nil }
    /// Returns nil: no member is known.
    public func name(ofMember member: Int64, of group: Int64) async -> String? { nil }
}
