import ChatCore
import CommandKit
import TerminalKit

/// The files that are received without asking, as options and configuration files say it.
enum AcceptedFiles {
    /// A choice for all kinds.
    enum Choice: String, CaseIterable, Sendable {
        case none, small, all

        var acceptance: FileAcceptance {
            switch self {
            case .none: FileAcceptance()
            case .small: .small
            case .all: .all
            }
        }
    }

    /// The largest file of a kind in bytes; nil if none are accepted.
    struct Limit: Hashable, Sendable {
        let size: Int64?

        /// `none`, `all`, or a size.
        static let kind: ValueKind<Limit> = {
            let size = ValueKind<Int>.size()
            return ValueKind(
                ValueForm("SIZE|none|all", expected: "none, all, or a size such as 500K or 10M"),
                read: { word in
                    switch word {
                    case "none": Limit(size: nil)
                    case "all": Limit(size: .max)
                    default: size.value(of: word).map { Limit(size: Int64($0)) }
                    }
                },
                write: { limit in
                    switch limit.size {
                    case nil: "none"
                    case .max?: "all"
                    case let bytes?: size.word(for: Int(clamping: bytes))
                    }
                })
        }()
    }

    /// The choice for one command that receives.
    static let option = Option<Choice?>(
        "files", "Offered files to receive", .choice(), defaultText: "file.accept, or file auto-accept",
        isCommon: true)

    // MARK: - Configuration files

    static let accept = Setting<Choice?>(
        "file.accept", "Files to receive without asking, instead of the setting of 'tacit file auto-accept'", .choice())

    /// The limits for single kinds.
    static let limits: [(kind: FileKind, setting: Setting<Limit?>)] = FileKind.allCases.map { kind in
        (
            kind,
            Setting<Limit?>(
                "file.accept_\(kind.rawValue)", "Largest \(kind.words) to receive without asking", Limit.kind)
        )
    }

    static let settings: [any DeclaresSetting] = [accept] + limits.map { $0.setting }
}

extension FileKind {
    /// One file of the kind in a sentence.
    var words: String {
        switch self {
        case .image: "picture"
        case .voice: "voice message"
        case .video: "video"
        case .file: "other file"
        }
    }
}

extension Invocation {
    /// The files that the configuration accepts; nil if that says nothing.
    func acceptedFiles() throws -> FileAcceptance? {
        let choice = try value(of: AcceptedFiles.accept)
        var acceptance = choice.map(\.acceptance), sizes = acceptance?.sizes ?? [:]
        for (kind, setting) in AcceptedFiles.limits {
            guard let limit = try value(of: setting) else { continue }
            sizes[kind] = limit.size
            acceptance = FileAcceptance(sizes)
        }
        return acceptance
    }
}
