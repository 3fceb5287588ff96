import ByteCoding
import ChatCore
import ChatProtocol
import CommandKit
import JSONCoding
import TerminalKit

/// `tacit contact verify`
enum ContactVerifyCommand {
    static let code = Positional<String?>(
        optional: "CODE", "Code that the contact sees; without it, your code is printed", .text("CODE"))
    static let reset = Option<Bool>(flag: "reset", "Remove the verification")

    static let leaf: Leaf = .init(
        Command(
            "contact verify", "Show or verify the security code of a contact",
            promise: "the code was printed, or the given code matched and the verification is on disk",
            store: .writing, positionals: [ContactCommand.target, code], options: [reset],
            examples: [
                Example("tacit contact verify @bob", "Print the code to read it out on the phone"),
                Example("tacit contact verify @bob '24685 13579 ...'", "Verify the code that bob sees"),
            ],
            exits: [64, 65, 67, 69, 75, 79], reports: SecurityCodeReport.forms,
            discussion: """
                Both sides see the same digits if there is no attacker between them. Compare the digits over a secure channel, \
                such as a phone call with a familiar voice; spaces are ignored. If the codes differ, the exit code is 79: an \
                attacker may be able to read and change messages. The code changes when the encryption is renegotiated; verify \
                it again.
                """),
        purpose: { "verify \(UntrustedText($0[ContactCommand.target].word).quoted)" },
        run: { invocation in
            guard invocation[code] == nil || !invocation[reset] else {
                throw Failure.exclusive("a code", "'--reset'")
            }
            return try StoreOpener(invocation, isWriting: true).run { try await verify($0) }
        })

    private static func verify(_ session: CommandSession) async throws -> ExitCode {
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
            "tacit contact verify \(UntrustedText(contact.target).quoted)", "show your code")
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
            "security-code", "The security code of a contact", plain: ["chat", "verified", "code"],
            [
                .always("chat", .text, "Contact, in the form that commands accept"),
                .always("chat_id", .id, "Id of the contact"),
                .always("code", .text, "Digits, in groups of five"),
                .always("verified", .flag, "True if the code is verified"),
                .sometimes("verified_at", .time, "Time of the verification"),
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
