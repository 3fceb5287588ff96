import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding
import SMPProtocol

@testable import ChatCore

/// Answers in which every text is hostile. Those about messages and connections are checked wherever a test gets one.
enum ResponseSamples {
    static func program(_ texts: HostileTexts) -> [any ChatResponse] {
        let profile = profile(texts), contact = contact(texts)
        let obstacles = problems(texts).map {
            RelayObstacle(server: server, problem: $0, isForReceiving: texts.flag())
        }
        var report = FetchReport()
        (report.received, report.sent, report.waiting) = (texts.number(below: 9), 1, .max)
        (report.isComplete, report.obstacles) = (texts.flag(), obstacles)
        let condition = ConnectionCondition(
            agentVersion: 7, receiveServers: [server, server], sendServers: [], synchronization: .agreed,
            isSwitching: texts.flag(), canAbortSwitch: texts.flag())
        return [
            CommandOK(), CommandOK(profile), ContactInfo(profile, contact), ContactList(profile, [contact, contact]),
            DeletedChat(profile, .direct(contact)), DeletedChat(profile, notes(texts)), report, FetchReport(),
            DeliveryReport(
                profile, .direct(contact), isComplete: texts.flag(), obstacle: texts.one(of: obstacles).problem),
            DeliveryReport(profile, notes(texts), isComplete: true, obstacle: nil),
            SessionValue(key: .place, value: texts.text()), SessionValue(key: .gate, value: nil),
            SessionLines([texts.text(), texts.text()]), SessionLines([]),
            ChatDraft(notes(texts), nil),
            ChatDraft(.direct(contact), Draft(text: texts.text(), answers: ChatItemID(texts.number()))),
            UnreadReport(
                profile: profile,
                chats: [
                    .direct(ContactID(1)): UnreadCount(all: 2), .group(GroupID(7)): UnreadCount(all: 2, mentions: 1),
                ], elsewhere: 3),
            TagList(profile: profile, tags: [ChatTag(id: TagID(1), text: texts.text(), emoji: texts.text())]),
            ChatTagged(profile: profile, known: [], tags: [TagID(1), TagID(7)]),
            PreferencesUpdate(profile: profile, former: contact, contact: contact),
            AliasUpdate(profile: profile, chat: .direct(contact)), ClearedChat(profile: profile, chat: notes(texts)),
            ChatRetentionInfo(profile: profile, seconds: texts.one(of: [nil, 0, 60])),
            OwnProfileInfo(profile: profile, isPicture: texts.flag()),
            ProfileUpdate.updated(from: profile.profile, to: profile, told: 3, changed: [contact]),
            NameVerification(profile, .contact(contact), nil),
            NameVerification(profile, .contact(contact), texts.one(of: NameFailure.allCases)),
            HomeChange.changed(profile), HomeChange.unchanged(profile), VersionReport.current,
            ChatState.started, ChatState.running, ChatState.stopped, ArchiveReport.exported, ArchiveReport.imported,
            NetworkConfiguration(NetworkSettings()),
            AppSettings(["developerTools": true, "name": .string(texts.text())]),
            DiagnosticReport("agentSubs", ["activeSubs": .object([texts.text(): 3])]), HelpAnswer(.myAddress),
            ServersValidation(profile, [.noServers, .duplicate(server: texts.text(), host: texts.text())]),
            ServersValidation(
                profile, [.duplicateRelay(name: texts.text(), address: texts.text())], warnings: [.noChatRelays]),
            ChatRelayTestResult(profile, RelayProfile(displayName: texts.text()), nil),
            ChatRelayTestResult(profile, nil, ChatRelayTestFailure(.verify, .channel(.testSignature))),
        ]
            + OnboardingStage.allCases.map { Onboarding($0) }
            + ConnectionChange.Kind.allCases.map { ConnectionChange($0, profile, contact, condition) }
            + codes.flatMap { code -> [any ChatResponse] in
                [
                    ContactCode(profile, contact, code),
                    CodeVerification(profile, contact, isRight: texts.flag(), code),
                ]
            } + [status(texts, profile, contact), status(texts, nil, nil)]
    }

    private static func status(_ texts: HostileTexts, _ profile: OwnProfile?, _ contact: Contact?) -> StatusReport {
        let mark = ExportMark(
            id: Bytes(0..<16), number: 2, exportedAt: time, isComplete: true, isFrozen: false, steps: 12,
            importedAt: time, isBackup: texts.flag())
        return StatusReport(
            profile: profile, profileCount: 2, contactCount: 3, unreadCount: 4, waiting: 5, heldUp: 6, uploads: 2,
            unconfirmed: 7, servers: profile == nil ? [] : [server],
            fileServers: profile == nil ? [] : [server, server],
            onboarding: profile == nil ? nil : .notifications,
            lastExport: profile == nil ? nil : mark, freezingExport: profile == nil ? mark : nil,
            isCopy: texts.flag(),
            contactsInTrouble: profile.flatMap { profile in
                contact.map { [LocatedContact(profile: profile, contact: $0)] }
            } ?? [],
            unreachable: profile.map { profile in
                [
                    UnreachableRelay(
                        profileID: profile.id, server: server, problem: .unreachable(texts.text()), since: time)
                ]
            } ?? [], files: FileSpace(count: 8, size: 9))
    }

    private static func problems(_ texts: HostileTexts) -> [RelayProblem] {
        [
            .unreachable(texts.text()), .refused(texts.text()), .proxyFailed(texts.text()), .timedOut, .authorization,
            .forwarder(.unreachable(texts.text())), .forwarder(.full), .offline, .certificateExpired,
        ]
    }

    private static let time = Timestamp(milliseconds: 1_700_000_000_123)

    private static let server: ServerAddress = {
        guard let server = try? ServerAddress(text: PeopleCommandTests.server) else { fatalError("an address") }
        return server
    }()

    private static let codes = [Bytes(repeating: 0, count: 32), Bytes(repeating: 255, count: 32)].compactMap {
        try? SecurityCode(hash: $0)
    }

    private static func presented(_ texts: HostileTexts) -> Profile {
        Profile(displayName: texts.text(), fullName: texts.text(), shortDescription: texts.text())
    }

    static func profile(_ texts: HostileTexts) -> OwnProfile {
        OwnProfile(
            id: ProfileID(1), name: texts.text(), profile: presented(texts), isActive: texts.flag(),
            sendsReceipts: texts.flag(), isMuted: texts.flag(), unreadCount: 3, createdAt: time,
            retention: texts.one(of: [nil, 60]), isHidden: texts.flag(), home: texts.one(of: [nil, ContactID(4)]))
    }

    static func notes(_ texts: HostileTexts) -> Chat {
        .notes(
            NoteFolder(
                id: NoteFolderID(7), profileID: ProfileID(1), name: texts.text(), unreadCount: 0, createdAt: time,
                updatedAt: time, activeAt: texts.one(of: [nil, time])))
    }

    static func contact(_ texts: HostileTexts) -> Contact {
        var contact = Contact(
            id: ContactID(4), profileID: ProfileID(1), name: texts.text(),
            storedProfile: StoredProfile(presented(texts)),
            status: texts.one(of: [.active, .deleted, .deletedByUser]), connection: nil,
            sendsReceipts: texts.one(of: [nil, true, false]), unreadCount: 2, createdAt: time, updatedAt: time,
            activeAt: texts.one(of: [nil, time]))
        contact.isMuted = texts.flag()
        contact.isBlocked = texts.flag()
        contact.retention = texts.one(of: [.standard, .unlimited, .limited(seconds: 60)])
        contact.verification = texts.one(of: [nil, Contact.Verification(code: "12345 678", verifiedAt: time)])
        contact.codeChangedAt = texts.one(of: [nil, time])
        return contact
    }
}
