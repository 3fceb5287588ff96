import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit contact verify`
enum ContactVerifyCommand {
    static let code = Positional<String?>(
        optional: "CODE", "The code that the contact sees; without it yours is printed", .text("CODE"))
    static let reset = Option<Bool>(flag: "reset", "Forget that it was compared")

    static let leaf: Leaf = .init(
        Command(
            "contact verify", "Compare the security code with a contact",
            promise: "the code was printed, or the one that was given is the same and this is noted on disk",
            store: .writing, positionals: [ContactCommand.target, code], options: [reset],
            examples: [
                Example("tacit contact verify @bob", "Print the code, to read it out on the telephone"),
                Example("tacit contact verify @bob '24685 13579 ...'", "Compare it with what bob sees"),
            ],
            exits: [64, 65, 67, 69, 75, 79], reports: SecurityCodeReport.forms,
            discussion: """
                Both sides see the same digits if nobody is between them. Compare them over a channel that nobody can forge; \
                spaces do not matter. With another code the exit code is 79: somebody may read and change what you write. When \
                the encryption is agreed on anew the code changes, and has to be compared again.
                """),
        purpose: { "verify \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        run: { invocation in
            guard invocation[code] == nil || !invocation[reset] else {
                throw Failure.exclusive("a code", "'--reset'")
            }
            return try StoreAccess(invocation, isWriting: true).run { try await verify($0) }
        })

    private static func verify(_ session: StoreSession) async throws -> ExitCode {
        let invocation = session.invocation
        let contact = try await session.contact(invocation[ContactCommand.target])
        let chat = ChatTarget.reference(.direct(contact.id))
        guard invocation[code] != nil || invocation[reset] else {
            let shown = try await session.execute(ShowSecurityCode(chat))
            try invocation.print(SecurityCodeReport(contact: shown.contact, code: shown.code))
            return .ok
        }
        let answer = try await session.execute(VerifySecurityCode(chat, invocation[code])), code = answer.code
        guard !answer.isRight, !invocation[reset] else {
            try invocation.print(done: SecurityCodeReport(contact: answer.contact, code: code, isAnswer: true))
            return .ok
        }
        let seen = Failure.Attempt(
            "tacit contact verify \(UntrustedText(contact.target).quoted)", "the code that you see")
        let length = code.text.filter(\.isNumber).count
        guard let digits = invocation[ContactVerifyCommand.code]?.filter({ !$0.isWhitespace }),
            digits.allSatisfy(\.isNumber)
        else {
            throw Reason.noSecurityCode(length: length, seen)
        }
        throw Reason.otherSecurityCode(length: length, given: digits.count, seen)
    }
}

/// The code that both sides of a contact compare.
private struct SecurityCodeReport: Report {
    let contact: Contact
    let code: SecurityCode
    /// Whether it was just compared, and is not asked for.
    var isAnswer = false

    static let forms = [
        ReportForm(
            "security-code", "What both sides of a contact compare", plain: ["chat", "verified", "code"],
            [
                .always("chat", .text, "The contact as it is typed"), .always("chat_id", .id, "The contact"),
                .always("code", .text, "The digits, in groups of five"),
                .always("verified", .flag, "Whether it was compared"),
                .sometimes("verified_at", .time, "When it was compared"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "security-code")
        json.set("chat", contact.target)
        json.set("chat_id", contact.objectID)
        json.set("code", code.text)
        json.set("verified", contact.verification != nil)
        json.set("verified_at", contact.verification?.verifiedAt.description)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        guard isAnswer else { return [StyledText(code.text)] }
        let isVerified = contact.verification != nil
        return [
            StyledText(isVerified ? "verified " : "not verified ", isVerified ? .success : .warning)
                + StyledText(contact.target, .name)
        ]
    }
}
