public import ByteCoding
public import JSONCoding

/// Names a section of help, whose words a terminal would show. (`/help`, `/help messages`)
public struct ShowHelp: ChatCommand {
    public var section: HelpSection

    public init(_ section: HelpSection) {
        self.section = section
    }

    public static let access = Access.read
    public static let syntax = Syntax(
        HelpSection.allCases.flatMap { section in
            section.words.map { Form($0, .fixed(section, \.section), make: Self.init) }
        })

    public func perform(on core: isolated LocalCore) async throws -> HelpAnswer {
        HelpAnswer(section)
    }
}

/// A section of help.
public enum HelpSection: String, CaseIterable, Hashable, Sendable {
    case main, files, groups, contacts, myAddress, incognito, markdown, messages, remote, settings, database

    /// What can be written for it.
    fileprivate var words: [String] {
        switch self {
        case .main: ["/help", "/h"]
        case .files: ["/help files", "/help file", "/hf"]
        case .groups: ["/help groups", "/help group", "/hg"]
        case .contacts: ["/help contacts", "/help contact", "/hc"]
        case .myAddress: ["/help address", "/ha"]
        case .incognito: ["/help incognito", "/hi", "/incognito", "/incognito on", "/incognito off"]
        case .markdown: ["/markdown", "/m"]
        case .messages: ["/help messages", "/hm"]
        case .remote: ["/help remote", "/hr"]
        case .settings: ["/help settings", "/hs"]
        case .database: ["/help db", "/hd"]
        }
    }
}

/// The section that was asked for.
public struct HelpAnswer: SimpleResponse {
    public let section: HelpSection

    public static let type = "chatHelp"

    init(_ section: HelpSection) {
        self.section = section
    }

    public init(from fields: inout JSONFields) throws(DecodeError) {
        section = try fields.word("helpSection", HelpSection.init(rawValue:))
    }

    public var fields: JSONObject { ["helpSection": .string(section.rawValue)] }
}
