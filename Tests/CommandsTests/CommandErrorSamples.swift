import ByteCoding
import ChatCore
import ChatSamples
import CommandKit
import Host
import JSONCoding
import SystemIO
import TerminalKit

@testable import Commands

/// The errors of `CommandErrors.swift`, each with values that people may meet. A test compares the names with those in the file.
enum CommandErrorSamples {
    private static let system = SystemError("open the file", number: 5)
    private static let path = "/home/alice/a file"
    private static let attempt = Failure.Attempt("tacit status", "see more")
    private static let folder = StoreFolder("/home/alice/.local/share/tacit")
    private static let command = CommandTree.tacit.command(at: ["contact", "list"]) ?? CommandTree.tacit.root
    private static let archive = ArchiveKey.Line(command: ["import"], arguments: [path])
    private static let migration = MigrationRecord(sourceAt: Timestamp(milliseconds: 1_700_000_000_000))
    private static let ending = Subprocess.Ending.signalled(9)
    private static let networkName: NetworkName = {
        guard let name = NetworkName("#news.simplex") else { fatalError("a name") }
        return name
    }()
    private static let listener: ListenAddress = {
        guard let address = ListenAddress("127.0.0.1:5225") else { fatalError("an address") }
        return address
    }()

    static let failures: [(name: String, failure: Failure)] = [
        ("notUTF8", .notUTF8("an argument")), ("unsupportedFormat", .unsupportedFormat(version: 2)),
        ("unknownField", .unknownField("nam", of: "list", shown: ["name"], known: ["name"])),
        ("unknownReport", .unknownReport("mesage", known: ["message"])),
        ("noHome", .noHome(isSet: true, command: "status")), ("noHome", .noHome(isSet: false, command: "status")),
        ("exclusive", .exclusive("'--a'", "'--b'")), ("linkForCode", .linkForCode),
        ("identityKeyWithoutRenewal", .identityKeyWithoutRenewal), ("targetWithoutFormat", .targetWithoutFormat),
        ("dryRunWithoutFormat", .dryRunWithoutFormat), ("versionWithoutFormat", .versionWithoutFormat),
        ("durationWithoutVoice", .durationWithoutVoice), ("noVoiceDuration", .noVoiceDuration("note.wav")),
        ("noWaitWithoutStore", .noWaitWithoutStore), ("noFileChosen", .noFileChosen),
        ("severalFilesWithoutFolder", .severalFilesWithoutFolder),
        ("chatWithoutLast", .chatWithoutLast),
        ("replyToSeveral", .replyToSeveral), ("cursorOrProgramMissing", .cursorOrProgramMissing),
        ("programWithoutCursor", .programWithoutCursor), ("readingWithoutCursor", .readingWithoutCursor),
        ("failureRuleWithoutProgram", .failureRuleWithoutProgram("read")),
        ("failureRuleOfStandingCursor", .failureRuleOfStandingCursor), ("choiceBehindCursor", .choiceBehindCursor),
        ("cursorThroughSome", .cursorThroughSome), ("intervalWithoutPeriod", .intervalWithoutPeriod),
        ("serverWithoutInstant", .serverWithoutInstant), ("serverForOthers", .serverForOthers),
        ("installationOfOff", .installationOfOff), ("installationOfStoredOff", .installationOfStoredOff),
        ("daemonFromCron", .daemonFromCron), ("emptyCursorName", .emptyCursorName), ("emptyOnceKey", .emptyOnceKey),
        ("homeIsNoContact", .homeIsNoContact), ("intervalTooShort", .intervalTooShort),
        ("intervalNotForCron", .intervalNotForCron("7 minutes")),
        ("relayCopyOnStandardOutput", .relayCopyOnStandardOutput(of: path)), ("noContactSetting", .noContactSetting),
        ("unreadablePicture", .unreadablePicture(path)),
        ("noGroupSetting", .noGroupSetting), ("supportTwice", .supportTwice("send")),
        ("standardInputTwice", .standardInputTwice), ("nameOfNoInput", .nameOfNoInput),
        ("supportOfSeveral", .supportOfSeveral),
        ("linkCreatedAndDeleted", .linkCreatedAndDeleted),
        ("noAgeToPurge", .noAgeToPurge), ("archiveTyped", .archiveTyped), ("archiveShown", .archiveShown),
        ("unknownSetting", .unknownSetting("send.wiat", meant: ["send.wait"])), ("invalidAlias", .invalidAlias("ä")),
        ("hiddenAlias", .hiddenAlias("send", setting: "alias.send")),
        ("settingWithControlCharacters", .settingWithControlCharacters("alias.s")),
        ("settingTooLong", .settingTooLong("alias.s")),
        ("apiWithoutText", .apiWithoutText), ("apiOptionWithoutWebSocket", .apiOptionWithoutWebSocket),
        ("apiRemote", .apiRemote), ("apiRemoteWithoutToken", .apiRemoteWithoutToken),
        ("officialOption", .officialOption("--relay", "tacit cannot serve channels")),
        ("officialBotWithoutName", .officialBotWithoutName), ("officialWithoutTerminal", .officialWithoutTerminal),
        (
            "messageSkipped",
            .messageSkipped("m7", failures: "once", ending, show: attempt, details: ["signal": 9])
        ),
    ]

    static let reasons: [(name: String, reason: Reason)] =
        [
            ("apiListener", .apiListener(ListenFailure(error: system), at: listener)), ("apiToken", .apiToken),
            ("officialDatabase", .officialDatabase(path)), ("officialNameMissing", .officialNameMissing),
            ("officialMaintenanceWithoutProfile", .officialMaintenanceWithoutProfile),
            ("apiTokenFile", .apiTokenFile(system, at: path)), ("apiNewToken", .apiNewToken(system, at: path)),
            ("unconfirmed", .unconfirmed(tries: [attempt])), ("noRequest", .noRequest("accept")),
            ("createPasswordAndFile", .createPasswordAndFile), ("unreadableInput", .unreadableInput(system)),
            ("mistakes", .mistakes(1, first: SettingsMistake(file: path, line: 3, .openToOthers))),
            ("mistakes", .mistakes(2, first: SettingsMistake(file: path, line: 3, .unreadable(.section)))),
            ("editorWithoutTerminal", .editorWithoutTerminal), ("editorFailed", .editorFailed(ending)),
            ("configurationBusy", .configurationBusy),
            ("configurationNotLocked", .configurationNotLocked(system, at: path)),
            ("configurationFolder", .configurationFolder(system, at: path)),
            ("configurationNotWritten", .configurationNotWritten(system, at: path)),
            ("invalidNetworkSetting", .invalidNetworkSetting("TACIT_PROXY", ["it can be a host"])),
            ("invalidKeyDescriptor", .invalidKeyDescriptor), ("noHomeForUnits", .noHomeForUnits),
            ("logFile", .logFile(system, at: path)), ("unknownContact", .unknownContact("bbo", known: ["bob"])),
            ("unknownProfile", .unknownProfile("wrok", known: ["work"], command)),
            ("unknownRequest", .unknownRequest("bbo", known: ["bob"])),
            ("connectedMember", .connectedMember("@bob")), ("unacceptedMember", .unacceptedMember("@bob")),
            ("unknownInvitation", .unknownInvitation("bbo", known: ["bob"])),
            ("unknownCursor", .unknownCursor("bto", known: ["bot"])),
            ("unknownServer", .unknownServer("smp.example", known: ["smp1.example"])),
            ("ambiguousServer", .ambiguousServer("smp", [])), ("unknownMessage", .unknownMessage("m7")),
            ("emptyInput", .emptyInput), ("acceptanceConfigured", .acceptanceConfigured),
            ("unknownTarget", .unknownTarget), ("notesAreNoContact", .notesAreNoContact),
            ("isNoGroup", .isNoGroup("@bob")), ("isGroup", .isGroup("+team")),
            ("memberIsNoContact", .memberIsNoContact("+team/@bob")),
            ("unknownMember", .unknownMember("bbo", of: "+team", known: ["bob"])),
            ("notInvited", .notInvited("+team", state: .left)), ("notWaiting", .notWaiting("+team/@bob")),
            ("joinUnanswered", .joinUnanswered), ("noGroupLink", .noGroupLink("+team")),
            ("unknownGroup", .unknownGroup("taem", known: ["team"])),
            ("unknownMemberID", .unknownMemberID(GroupMemberID(7))),
            ("membersOfSeveralGroups", .membersOfSeveralGroups), ("groupHasNoCode", .groupHasNoCode),
            ("networkName", .networkName(networkName)),
            ("invalidChatRelayAddress", .invalidChatRelayAddress), ("noChatRelay", .noChatRelay),
            ("channelWithoutRelays", .channelWithoutRelays),
            ("relayUnanswered", .relayUnanswered("+news")),
            ("relayRejected", .relayRejected("+news")),
            ("channelRelayLink", .channelRelayLink), ("invalidRelayQueue", .invalidRelayQueue),
            ("unknownRelayQueue", .unknownRelayQueue), ("notBlockedQueue", .notBlockedQueue),
            ("noLastMessage", .noLastMessage(.sent)), ("noLastMessage", .noLastMessage(.received)),
            ("memberIsGone", .memberIsGone(.left, again: nil, group: "+team")),
            ("memberIsGone", .memberIsGone(.removed, again: "+team/@cat_1", group: "+team")),
            ("moderatesOwn", .moderatesOwn(ChatItemID(5))),
            ("ambiguousName", .ambiguousName("cat", ids: ["u2", "u4"])),
            ("linkOfGroup", .linkOfGroup), ("passphraseNotForApps", .passphraseNotForApps),
            ("invalidServerAddress", .invalidServerAddress),
            ("fileLink", .fileLink), ("migrationLink", .migrationLink),
            ("webPage", .webPage("https://example.org/page")),
            ("bug", .bug), ("noStore", .noStore(folder)), ("storeExists", .storeExists(in: folder)),
            ("storeDiffers", .storeDiffers("it is encrypted", attempt)),
            ("storeFolder", .storeFolder(system, at: path)),
            ("importFolder", .importFolder(system, at: path)), ("noLocks", .noLocks(folder)), ("storeGone", .storeGone),
            ("damage", .damage(count: 1)), ("damage", .damage(count: 2)), ("alreadyEncrypted", .alreadyEncrypted),
            ("notEncrypted", .notEncrypted), ("backupFolder", .backupFolder(system, at: path)),
            ("sharedStore", .sharedStore), ("usedBySession", .usedBySession), ("stepRefused", .stepRefused),
            ("stuckHolder", .stuckHolder), ("lostHolder", .lostHolder), ("replacedHolder", .replacedHolder),
            ("otherVersion", .otherVersion), ("otherRoute", .otherRoute("TACIT_PROXY")),
            ("holderIsOnline", .holderIsOnline), ("noDaemon", .noDaemon), ("noDaemon", .noDaemon(but: "repl")),
            ("noControlSocket", .noControlSocket), ("keyMissing", .keyMissing), ("keyNotTyped", .keyNotTyped),
            ("newKeyMissing", .newKeyMissing(command)),
            ("archivePassphraseMissing", .archivePassphraseMissing(["tacit", "export", path])),
            ("archiveNeedsPassphrase", .archiveNeedsPassphrase(archive)),
            ("officialArchiveNeedsPassphrase", .officialArchiveNeedsPassphrase(archive)),
            ("archiveNeedsKey", .archiveNeedsKey(archive, place: "~/.config/tacit/key")),
            ("wrongKey", .wrongKey(from: path)),
            ("wrongPassphrase", .wrongPassphrase(from: "the terminal")), ("noArchivePassphrase", .noArchivePassphrase),
            ("emptyPassphrase", .emptyPassphrase), ("emptyKey", .emptyKey(from: path)),
            ("passphrasesDiffer", .passphrasesDiffer), ("answerTooLong", .answerTooLong), ("unanswered", .unanswered),
            ("weakKey", .weakKey(path)), ("keyExists", .keyExists(path)),
            ("keyNotWritten", .keyNotWritten(system, at: path)),
            ("irregularKeyFile", .irregularKeyFile(path)), ("unreadableKeyFile", .unreadableKeyFile(system, at: path)),
            ("openKeyFile", .openKeyFile(path)), ("unreadableKeyDescriptor", .unreadableKeyDescriptor(3, system)),
            ("keyCommandLate", .keyCommandLate(.seconds(10))), ("keyCommandTooLong", .keyCommandTooLong),
            ("keyCommandFailed", .keyCommandFailed(ending, nil)),
            ("keyCommandFailed", .keyCommandFailed(ending, UntrustedText("no such entry"))),
            ("noKeyring", .noKeyring(system)), ("passcodeNotSet", .passcodeNotSet), ("passcodeExists", .passcodeExists),
            ("passcodeWrong", .passcodeWrong), ("passcodeWait", .passcodeWait(1500)),
            ("sameAsSelfDestruct", .sameAsSelfDestruct), ("passcodeNotTyped", .passcodeNotTyped),
            ("passcodeMissing", .passcodeMissing(command)), ("emptyPasscode", .emptyPasscode),
            ("longPasscode", .longPasscode(limit: 256)), ("shortPasscode", .shortPasscode(least: 4)),
            ("passcodesDiffer", .passcodesDiffer), ("passcodeDescriptorInSession", .passcodeDescriptorInSession),
            ("unreadablePasscode", .unreadablePasscode(3, system)),
            ("unreadablePassword", .unreadablePassword(3, system)),
            ("passwordMissing", .passwordMissing("profile use")), ("passwordNotTyped", .passwordNotTyped),
            ("passwordsDiffer", .passwordsDiffer), ("emptyPassword", .emptyPassword),
            ("unfinished", .unfinished(nil, .joined)), ("unfinished", .unfinished(nil, .ready)),
            ("unfinished", .unfinished(.timedOut, .ready)), ("noSecurityCode", .noSecurityCode(length: 60, attempt)),
            ("otherSecurityCode", .otherSecurityCode(length: 60, given: 60, attempt)),
            ("otherSecurityCode", .otherSecurityCode(length: 60, given: 59, attempt)),
            ("unverified", .unverified(attempt)), ("codeChanging", .codeChanging),
            ("codeChanged", .codeChanged(at: nil, attempt)),
            ("codeChanged", .codeChanged(at: "2026-09-27 09:14", attempt)),
            ("invalidStreams", .invalidStreams), ("noText", .noText("send @bob")),
            ("emptyText", .emptyText("send @bob")),
            ("textNotUTF8", .textNotUTF8), ("inputTooLarge", .inputTooLarge(limit: 1 << 20)),
            ("queued", .queued(nil, "it is sent with the next fetch")),
            ("queued", .queued(.closed, "it is sent with the next fetch")),
            ("outOfStep", .outOfStep("@bob", advice: nil)),
            ("outOfStep", .outOfStep("@bob", advice: "tacit contact resync @bob")),
            ("deletedFile", .deletedFile(nil)), ("deletedFile", .deletedFile(path)), ("noPicture", .noPicture(path)),
            ("unconfirmed", .unconfirmed),
            ("unconfirmedByMembers", .unconfirmedByMembers),
            ("received", .received), ("stillQueued", .stillQueued(2)), ("fetchTimeout", .fetchTimeout),
            ("cursorBusy", .cursorBusy("bot", "4121")), ("cursorBusy", .cursorBusy("bot", "")),
            ("programFailed", .programFailed("m7", why: ["it ended"], commit: attempt, details: [:])),
            ("programGaveUp", .programGaveUp("m7", why: ["it ended"], commit: attempt, details: [:])),
            ("noHook", .noHook(at: path)), ("ignoredHook", .ignoredHook(.noFile, at: path)),
            ("unknownProgramPath", .unknownProgramPath), ("unusableServicePath", .unusableServicePath),
            ("foreignUnit", .foreignUnit("tacit.service", at: path)), ("noCrontab", .noCrontab),
            ("noUserManager", .noUserManager(["message: 'x'"])),
            ("toolFailed", .toolFailed("crontab", ending, [])), ("archiveIsFolder", .archiveIsFolder),
            ("unfinishedMigration", .unfinishedMigration(migration)), ("noMigration", .noMigration),
            ("migrationStage", .migrationStage(migration)), ("unreadableMigration", .unreadableMigration(path)),
            ("migrationDelayed", .migrationDelayed(.sending(1, total: 2))),
            ("migrationDelayed", .migrationDelayed(.sentError(.noFile))), ("migrationLinkUsed", .migrationLinkUsed),
            ("migrationUnreported", .migrationUnreported),
            ("unreadableArchive", .unreadableArchive(system, at: path)),
            ("exportToSpecialFile", .exportToSpecialFile(path)),
            ("exportIntoStore", .exportIntoStore), ("exportExists", .exportExists(path)),
            ("exportNotMade", .exportNotMade(system, at: path)), ("relayNeedsHost", .relayNeedsHost(path)),
            ("unreadableRelayPassword", .unreadableRelayPassword(system, at: path)),
            ("invalidRelayPassword", .invalidRelayPassword(path)), ("relayStopped", .relayStopped(path)),
            ("relayWithoutFiles", .relayWithoutFiles(path)),
            ("channelRelayExists", .channelRelayExists(path)), ("noChannelRelay", .noChannelRelay(path)),
            ("noChannelRelayProfile", .noChannelRelayProfile),
            ("channelRelayNeedsServer", .channelRelayNeedsServer(path)),
            ("channelRelaySettings", .channelRelaySettings("line 3: there is no such setting")),
            ("relayMetrics", .relayMetrics(system, at: path)), ("relayBackup", .relayBackup(system, at: path)),
            ("demoFolder", .demoFolder(system, at: path)), ("demoCommandFailed", .demoCommandFailed("send")),
            ("demoRelayFailed", .demoRelayFailed), ("demoMessageLost", .demoMessageLost),
        ] + undeliverable.map { ("undeliverable", .undeliverable($0)) } + unsent.map { ("unsent", .unsent($0)) }

    private static let undeliverable: [ChatItem.Status] =
        [.sendReceived(isIntact: false), .sendErrorAuthorization] + ChatItem.SendProblem.allCases.map { .sendError($0) }

    private static let unsent: [FetchReport] = [
        #"{"received":0,"sent":0,"waiting":2,"complete":true,"obstacles":[]}"#,
        #"{"received":0,"sent":0,"waiting":0,"complete":true,"obstacles":[]}"#,
    ].compactMap { try? FetchReport(decoding: Array($0.utf8)) }
}
