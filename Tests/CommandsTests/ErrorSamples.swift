import AgentProtocol
import Archive
import ChatSamples
import CommandKit
import Relay
import SecureTransport
import Store
import SystemIO
import TerminalKit

@testable import ChatCore
@testable import Commands

/// The errors of all layers below the commands, one of every case. A new case does not compile until it has a place here.
enum ErrorSamples {
    /// Every error that a command throws or reports, as people and scripts see it.
    static let all: [Failure] =
        reasons.map { $0.failure(during: "send to '@alice'") } + CommandErrorSamples.failures.map(\.failure)
        + (usage + mistakes).map { Explained($0).failure(during: "read the command line") }
        + output.map { Explained($0).failure(during: "print") }

    /// The errors that say why something cannot be done.
    static let reasons: [Reason] =
        CommandErrorSamples.reasons.map(\.reason) + ChatErrorSamples.all.map { Reason($0) }
        + transfers.map { Reason($0) } + migrations.map { Reason($0) } + exposures.map { Reason($0) }
        + relays.map { Reason($0) } + prompts.map { Reason($0) } + systems.map { Reason($0) }
        + (ConnectionProblem.allCases.map(\.self) + [nil]).map { Reason(connectionProblem: $0) }
        + ServerTestFailure.Step.allCases.flatMap { step in
            ChatErrorSamples.relayProblems.map { Reason(ServerTestFailure(step, $0)) }
        }

    private static let system = SystemError("open the file", number: 5)
    private static let path = "/home/alice/a file"

    // MARK: - The core

    private static let transfers: [TransferError] = walk(from: [.archive(.notAnArchive)]) { error in
        switch error {
        case .archive(.notAnArchive): [.archive(.malformed("sizes"))]
        case .archive(.malformed): [.archive(.unsupported("encryption"))]
        case .archive(.unsupported): [.archive(.unsafeName)]
        case .archive(.unsafeName): [.archive(.notAFile)]
        case .archive(.notAFile): [.archive(.tooLarge("entries"))]
        case .archive(.tooLarge): [.archive(.damaged)]
        case .archive(.damaged): [.archive(.grown)]
        case .archive(.grown): [.archive(.system(system))]
        case .archive(.system): [.layout(.noDatabase)]
        case .layout(.noDatabase): [.layout(.strange)]
        case .layout(.strange): DatabaseProblem.allCases.map { .content($0) }
        case .content: [.app(isNewer: true), .app(isNewer: false)]
        case .app: [.notTogether]
        case .notTogether: [.store(.noActiveProfile)]
        case .store: [.storeExists]
        case .storeExists: [.noRoom(needed: 2_000_000, free: 1_000_000)]
        case .noRoom: [.system(system)]
        case .system: []
        }
    }

    private static let migrations: [DBMigrationResult] = walk(from: [.invalidConfirmation]) { result in
        switch result {
        case .invalidConfirmation: [.errorNotADatabase(file: path)]
        case .errorNotADatabase: [.errorSQL(file: path, message: "no such table")]
        case .errorSQL: [.errorKeychain]
        case .errorKeychain: [.errorMigration(file: path, .upgrade([step]))]
        case .errorMigration(_, .upgrade): [.errorMigration(file: path, .downgrade([step]))]
        case .errorMigration(_, .downgrade): [.errorMigration(file: path, .noDown([step]))]
        case .errorMigration(_, .noDown): [.errorMigration(file: path, .different(known: step, taken: step))]
        case .errorMigration(_, .different), .ok: []
        }
    }
    private static let step = MigrationObstacle.Step(number: 14, name: "items by chat", hasDown: true, loses: "drafts")

    private static let exposures: [StoreExposure] = walk(from: [.foreign(path: path)]) { exposure in
        switch exposure {
        case .foreign: [.writable(path: path)]
        case .writable: [.notALock(path: path)]
        case .notALock: []
        }
    }

    // MARK: - The relay

    private static let relays: [RelayError] = walk(from: [.exists]) { error in
        switch error {
        case .exists: [.missing]
        case .missing: [.running(note: [0x34, 0x32, 0x0a])]
        case .running:
            [
                .settings(line: 0, reason: "the line 'host = NAME' is missing"),
                .settings(line: 12, reason: "there is no such setting"),
            ]
        case .settings: [.blocked(line: 3)]
        case .blocked: [.certificates(.expired)]
        case .certificates: [.certificateFile]
        case .certificateFile:
            [.webCertificate(nil), .webCertificate(SystemError("open the file", number: 2)), .fingerprint]
        case .webCertificate: []
        case .fingerprint: [.identityKey]
        case .identityKey: [.cryptography]
        case .cryptography: [.system(SystemError("open the file", number: 13))]
        case .system: [.store(StoreError(.damaged))]
        case .store:
            [
                .listening(.timedOut(.connecting)), .listening(.unknownHost),
                .listening(.unreachable(SystemError("listen", number: 98))),
            ]
        case .listening: []
        }
    }

    // MARK: - The system

    /// One error of every condition: missing, exists, denied, no room, no locks, and another.
    private static let systems = [2, 17, 13, 28, 37, 11].map { SystemError("open the file", number: $0) }

    private static let prompts: [PromptError] = walk(from: [.noTerminal]) { error in
        switch error {
        case .noTerminal: [.ended]
        case .ended: [.interrupted]
        case .interrupted: [.timedOut]
        case .timedOut: [.unusable]
        case .unusable: [.system(system)]
        case .system: []
        }
    }

    private static let output: [OutputError] = walk(from: [.closed]) { error in
        switch error {
        case .closed: [.full]
        case .full: [.stalled]
        case .stalled: [.failed(SystemError("write", number: 5))]
        case .failed: []
        }
    }

    // MARK: - The command line and its configuration

    private static let place = Settings.Place(key: "send.wait", file: path, line: 3)

    private static let usage: [any Error] = walk(from: [UsageError.unknownCommand("sned", below: [], suggestions: [])])
    {
        error in
        switch error {
        case .unknownCommand: [.missingVerb(of: ["contact"], verbs: ["list"])]
        case .missingVerb: [.unknownOption("--wiat", of: ["send"], suggestions: ["--wait"])]
        case .unknownOption: [.optionBeforeCommand("--wait")]
        case .optionBeforeCommand: [.missingValue(option: "--wait", of: ["send"], expected: "a stage")]
        case .missingValue: [.unexpectedValue(option: "--split", of: ["send"])]
        case .unexpectedValue: [.joinedLetter("n", of: ["read"], option: "last")]
        case .joinedLetter:
            [.option("--wait"), .argument("STAGE"), .variable("TACIT_SEND_WAIT"), .setting(place)].map {
                .invalidValue($0, word: "snet", expected: "a stage", suggestions: ["sent"])
            }
        case .invalidValue: [.missingArgument("TARGET", of: ["send"])]
        case .missingArgument: [.unexpectedArgument("more", of: ["status"])]
        case .unexpectedArgument: [.unknownTopic("kyes", suggestions: ["keys"])]
        case .unknownTopic: []
        }
    }

    private static let mistakes: [any Error] = walk(from: [SettingsMistake.Kind.unusable("permission denied")]) {
        kind in
        switch kind {
        case .unusable: [.openToOthers]
        case .openToOthers: SettingsText.Mistake.Kind.allCases.map { .unreadable($0) }
        case .unreadable: [.unknownKey("send.wiat", suggestions: ["send.wait"])]
        case .unknownKey: [.invalidValue(key: "send.wait", value: "snet", expected: "a stage", suggestions: ["sent"])]
        case .invalidValue: [.aliasLoop("s")]
        case .aliasLoop: [.aliasOfNothing("s", word: "sned", suggestions: ["send"])]
        case .aliasOfNothing: [.hiddenAlias("send")]
        case .hiddenAlias: []
        }
    }.map { SettingsMistake(file: path, line: 3, $0) }

    // MARK: - Walking

    /// - Parameter next: The samples of the case that follows; none after the last.
    private static func walk<Sample>(from first: [Sample], by next: (Sample) -> [Sample]) -> [Sample] {
        var all: [Sample] = [], samples = first
        while let sample = samples.last {
            all += samples
            samples = next(sample)
        }
        return all
    }
}
