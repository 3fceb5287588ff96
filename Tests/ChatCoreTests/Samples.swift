import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import SMPProtocol
import TestSupport

@testable import ChatCore

/// Random values of everything that answers and events hold. The same seed gives the same values.
struct Samples {
    var random: SeededRandom

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    // MARK: - Small values

    /// Texts that readers stumble over.
    static let texts = [
        "bob", "", " ", "a \"quoted\" \\ name", "key=value json {\"a\":1}", "two\nlines\r\n\ttab", "\u{0}\u{7f}\u{85}",
        "\u{202e}right to left\u{2028}", "e\u{301}\u{e9}", "👩‍👩‍👧 ❤️", "@'x' #1 *", "null", "0", "\u{feff}x",
        String(repeating: "ü", count: 300),
    ]

    mutating func pick<Value>(_ values: [Value]) -> Value { values[number(values.count)] }
    mutating func number(_ end: Int) -> Int { Int(random.next() % UInt64(end)) }
    mutating func bool() -> Bool { number(2) == 0 }
    mutating func text() -> String { pick(Samples.texts) }
    mutating func count() -> Int { pick([0, 1, 2, 77, Int.max]) }
    mutating func integer() -> Int64 { pick([0, 1, -1, 42, .max, .min, Int64(1) << 53 + 1]) }
    mutating func bytes(_ count: Int) -> Bytes { random.bytes(count) }

    mutating func time() -> Timestamp {
        let range = Timestamp.range
        let some = Int64(random.next() % UInt64(range.upperBound.milliseconds))
        return pick([
            range.lowerBound, range.upperBound, Timestamp(milliseconds: some), Timestamp(seconds: some / 1000),
        ])
    }

    /// Nil, or what `make` makes.
    mutating func maybe<Value>(_ make: (inout Samples) -> Value) -> Value? {
        bool() ? nil : make(&self)
    }

    /// None to two values.
    mutating func several<Value>(_ make: (inout Samples) -> Value) -> [Value] {
        (0..<number(3)).map { _ in make(&self) }
    }

    mutating func versions() -> VersionRange {
        pick([VersionRange(0, 0), VersionRange(1, 16), VersionRange(.max), VersionRange(0, .max)])
    }

    mutating func server() -> ServerAddress {
        let hosts: [[TransportHost]] = [
            [.domain("smp.example.org")], [.ipv6("2001:db8::1")], [.ipv4("127.0.0.1"), .onion("abcdefgh.onion")],
        ]
        return ServerAddress(hosts: pick(hosts), port: pick([nil, 443, .max]), fingerprint: bytes(32))
    }

    mutating func unknownFields() -> JSONObject {
        let later = #"{"later":[null,1,1.5,"x",-0.0],"much":{"deep":{},"large":1e400,"long":9223372036854775808}}"#
        return pick([[:], (try? JSONValue(decoding: Bytes(later.utf8)))?.object ?? [:]])
    }

    // MARK: - Chat protocol

    mutating func profile() -> Profile {
        Profile(
            displayName: text(), fullName: text(), shortDescription: maybe { $0.text() },
            image: maybe { _ in "data:image/png;base64,AAAA" }, contactLink: maybe { $0.text() },
            preferences: maybe { $0.pick([.object(["voice": .object(["allow": "always"])]), .object([:])]) },
            peerType: maybe { $0.pick([.bot, .human]) }, otherFields: unknownFields())
    }

    mutating func content() -> MessageContent {
        let text = text(), other = unknownFields()
        let unknown: JSONObject = ["type": "later", "text": .string(text), "more": .object(other)]
        let preview = LinkPreview(
            uri: self.text(), title: self.text(), description: self.text(), image: self.text(), otherFields: other)
        let kind: MessageContent.Kind = pick([
            .text, .link(preview), .image(preview: self.text()), .video(preview: self.text(), seconds: integer()),
            .voice(seconds: integer()), .file, .report(pick([.spam, ReportReason(rawValue: self.text())])),
            .chat(link: other), .unknown(unknown),
        ])
        if case .unknown = kind { return MessageContent(text, kind: kind) }
        return MessageContent(text, kind: kind, otherFields: other)
    }

    mutating func sharedID() -> SharedMessageID { SharedMessageID(bytes(pick([1, 16, 255]))) }

    mutating func reaction() -> Reaction {
        let known = Reaction(emoji: pick(Reaction.choices))
        let other = try? Reaction(stored: ["type": .string(text()), "emoji": .string(text())])
        guard let reaction = pick([known, other]) else { preconditionFailure("a reaction can be made") }
        return reaction
    }

    mutating func wireTime() -> WireTime {
        let texts = ["2026-09-27T09:14:03.123456789Z", "2026-09-27 09:14:60+02:00"]
        return bool() ? WireTime(time()) : (try? WireTime(text: pick(texts))) ?? WireTime(time())
    }

    mutating func quote() -> Quote {
        Quote(
            MessageReference(id: maybe { $0.sharedID() }, sentAt: wireTime(), isOwn: bool()), content: content())
    }

    // MARK: - Profiles and contacts

    mutating func ownProfile() -> OwnProfile {
        OwnProfile(
            id: ProfileID(integer()), name: text(), profile: profile(), isActive: bool(), sendsReceipts: bool(),
            isMuted: bool(), unreadCount: count(), createdAt: time(), retention: maybe { $0.integer() },
            isHidden: bool(), sendsGroupReceipts: bool(), acceptsMembers: bool(), changedAt: maybe { $0.time() },
            home: maybe { ContactID($0.integer()) })
    }

    mutating func connection(isWithMember: Bool = false) -> ContactConnection {
        ContactConnection(
            id: ConnectionID(integer()), profileID: ProfileID(integer()),
            contactID: isWithMember ? nil : maybe { ContactID($0.integer()) },
            status: pick([.new, .prepared, .joined, .requested, .accepted, .sendReady, .ready, .deleted, .failed]),
            isInitiated: bool(), link: maybe { $0.text() }, shortLink: maybe { $0.text() },
            requestedName: maybe { "x" + $0.text() },
            version: maybe { samples in
                AgreedChatVersion(version: samples.pick([0, 1, .max]), peer: samples.maybe { $0.versions() })
            },
            quantumResistance: QuantumResistance(isWanted: bool(), protectsSent: bool(), protectsReceived: bool()),
            createdAt: time(), updatedAt: time(), authErrorCount: count(), quotaErrorCount: count(),
            isRefused: bool(), movesOwnQueue: bool(), movesContactQueue: bool(),
            synchronization: pick(RatchetSynchronization.allCases),
            storedIncognito: maybe { StoredProfile($0.profile()) }, alias: text(), requestKey: maybe { $0.bytes(16) },
            addressID: maybe { ConnectionID($0.integer()) },
            memberID: isWithMember ? GroupMemberID(integer()) : nil)
    }

    mutating func contact() -> Contact {
        Contact(
            id: ContactID(integer()), profileID: ProfileID(integer()), name: text(),
            storedProfile: StoredProfile(profile()), status: pick([.active, .deleted, .deletedByUser]),
            connection: maybe { $0.connection() }, sendsReceipts: maybe { $0.bool() }, unreadCount: count(),
            createdAt: time(), updatedAt: time(), activeAt: maybe { $0.time() }, isMuted: bool(), isBlocked: bool(),
            retention: pick([.standard, .unlimited, .limited(seconds: 1), .limited(seconds: .max)]),
            expiry: maybe { $0.integer() }, marks: marks(), choices: choices(),
            verification: maybe { Contact.Verification(code: $0.text(), verifiedAt: $0.time()) },
            codeChangedAt: maybe { $0.time() }, requestID: maybe { RequestID($0.integer()) },
            prepared: maybe { $0.prepared() })
    }

    mutating func prepared() -> PreparedContact {
        PreparedContact(
            link: link(), isInvitation: bool(), welcomeID: maybe { $0.sharedID() }, requestID: maybe { $0.sharedID() })
    }

    private mutating func marks(canBeDeleted: Bool = true) -> ChatMarks {
        var marks = ChatMarks()
        (marks.isFavorite, marks.isUnread, marks.isDeleted) = (bool(), bool(), canBeDeleted && bool())
        marks.tags = several { TagID($0.integer()) }
        marks.firstUnread = maybe { ChatItemID($0.integer()) }
        marks.customData = maybe { ["a": .string($0.text())] }
        marks.themes = maybe { _ in [:] }
        return marks
    }

    private mutating func choices() -> ContactChoices {
        var choices = ContactChoices()
        choices.alias = text()
        choices.presentedName = maybe { "shown \($0.text())" }
        choices.preferences = pick([[:], ["voice": .object(["allow": "no"])], ["a": .string(text())]])
        choices.profilePreferences = pick([[:], ["timedMessages": .object(["allow": "yes", "ttl": 60])]])
        return choices
    }

    mutating func chat() -> Chat {
        let retention: Retention = pick([.standard, .unlimited, .limited(seconds: 1), .limited(seconds: .max)])
        return switch pick([0, 1, 2]) {
        case 0: .direct(contact())
        case 1:
            .group(group(retention))
        default:
            .notes(
                NoteFolder(
                    id: NoteFolderID(integer()), profileID: ProfileID(integer()), name: text(), unreadCount: count(),
                    createdAt: time(), updatedAt: time(), activeAt: maybe { $0.time() }, retention: retention,
                    expiry: maybe { $0.integer() },
                    marks: marks(canBeDeleted: false)))
        }
    }

    private mutating func group(_ retention: Retention) -> Group {
        Group(
            id: GroupID(integer()), profileID: ProfileID(integer()), name: text(),
            storedProfile: StoredGroupProfile(GroupProfile(displayName: text())), membership: member(),
            unreadCount: count(), unreadMentions: count(), createdAt: time(), updatedAt: time(),
            activeAt: maybe { $0.time() }, retention: retention, expiry: maybe { $0.integer() },
            marks: marks(canBeDeleted: false), alias: text(), notifications: pick(Group.Notifications.allCases),
            sendsReceipts: maybe { $0.bool() }, prepared: maybe { $0.preparedGroup() },
            profileSentAt: maybe { $0.time() }, attentionCount: count())
    }

    private mutating func preparedGroup() -> PreparedGroup {
        PreparedGroup(
            link: link(), isStarted: bool(), welcomeID: maybe { $0.sharedID() }, requestID: maybe { $0.sharedID() })
    }

    mutating func member() -> GroupMember {
        GroupMember(
            id: GroupMemberID(integer()), groupID: GroupID(integer()), profileID: ProfileID(integer()),
            memberID: MemberID(random: bytes(12)), role: pick([.observer, .owner]),
            category: pick(GroupMember.Category.allCases), status: pick(GroupMember.Status.allCases), name: text(),
            storedProfile: StoredProfile(profile()), contactID: maybe { ContactID($0.integer()) },
            inviter: pick([.unknown, .user, .member(GroupMemberID(integer()))]), showsMessages: bool(),
            isBlockedForAll: bool(), versions: versions(),
            supportChat: maybe {
                GroupMember.SupportChat(
                    activeAt: $0.time(), unreadCount: $0.count(), attentionCount: $0.count(),
                    mentionCount: $0.count(), memberWroteAt: $0.maybe { $0.time() })
            }, createdAt: time(), updatedAt: time(), connection: maybe { $0.memberConnection() })
    }

    private mutating func memberConnection() -> ContactConnection { connection(isWithMember: true) }

    mutating func link() -> LinkText { LinkText(full: text(), short: maybe { $0.text() }) }

    mutating func address() -> Address {
        Address(
            profileID: ProfileID(integer()), connectionID: ConnectionID(integer()), link: link(),
            settings: AddressSettings(accepts: bool(), isBusiness: bool(), welcome: maybe { $0.content() }),
            createdAt: time())
    }

    mutating func request() -> ReceivedRequest {
        ReceivedRequest(
            id: RequestID(integer()), profileID: ProfileID(integer()), name: text(), profile: profile(),
            versions: versions(), link: text(), key: maybe { $0.bytes(16) }, welcomeID: maybe { $0.sharedID() },
            message: maybe { ContactRequest.Message(id: $0.sharedID(), content: $0.content()) },
            connectionID: maybe { ConnectionID($0.integer()) }, createdAt: time(), updatedAt: time())
    }

    mutating func plan() -> ConnectionPlan {
        let kinds = [LinkKind.invitation] + AddressKind.allCases.map { .address($0) }
        return ConnectionPlan(
            kind: pick(kinds), link: link(),
            state: pick([.ok, .own, .connecting(connection()), .connectingProhibited(contact()), .known(contact())]),
            shown: maybe { $0.shown() })
    }

    mutating func linkContent() -> ContactLinkContent {
        ContactLinkContent(
            profile: profile(), welcome: maybe { $0.content() }, isBusiness: bool(), otherFields: unknownFields())
    }

    private mutating func shown() -> ConnectionPlan.Content {
        let group = GroupLinkContent(profile: GroupProfile(displayName: text(), welcome: maybe { $0.text() }))
        return pick([.contact(linkContent()), .group(group)])
    }

    // MARK: - Items

    mutating func call() -> CallRecord {
        CallRecord(
            pick([.audio, .video]), pick(CallRecord.State.allCases), id: sharedID(), canEncrypt: bool(),
            duration: integer(),
            key: maybe { $0.text() }, begunAt: maybe { $0.time() })
    }

    mutating func itemContent() -> ChatItem.Content {
        pick([
            .message(content()), .message(content()), .integrity(.skipped(from: integer(), to: integer())),
            .integrity(.badNumber(integer())), .integrity(.badHash), .integrity(.duplicate),
            .undecryptable(.message), .undecryptable(.ratchet), .undecryptable(.malformed), .contactDeleted,
            .queueSwitch(pick(QueueDirection.allCases), pick(SwitchPhase.allCases)),
            .synchronization(pick(RatchetSynchronization.allCases)), .securityCodeChanged, .queueRefused,
            .call(call()), .profileUpdated(from: profile(), to: profile()),
            .feature(
                pick(Preferences.Feature.allCases), Preferences.Effect(own: bool(), other: bool()),
                seconds: maybe { $0.integer() }),
            .preference(
                pick(Preferences.Feature.allCases), pick(Preferences.Permission.allCases),
                seconds: maybe { $0.integer() }),
            .encryption(isPostQuantum: bool()), .banner, .moderated, .blocked,
            .groupFeatureRejected(pick(GroupPreferences.Feature.allCases)),
        ])
    }

    mutating func status() -> ChatItem.Status {
        let problem = pick(ChatItem.SendProblem.allCases)
        return pick([
            .sendNew, .sendWarning(problem), .sendSent, .sendUnconfirmed, .sendReceived(isIntact: bool()),
            .sendErrorAuthorization, .sendError(problem), .receivedNew, .receivedRead,
        ])
    }

    mutating func item(in chat: Chat) -> ChatItem {
        let ttl = maybe { $0.integer() }, quote = maybe { $0.quote() }, source = maybe { $0.forwardSource() }
        let direction: ChatItem.Direction = pick([.sent, .received]), deletedAt = maybe { $0.time() }
        var content = itemContent()
        // The side of the entry tells whose queue it is.
        if case .queueSwitch(_, let phase) = content {
            content = .queueSwitch(direction == .sent ? .receiving : .sending, phase)
        }
        let status = ChatItem.localStatus(content, direction, in: chat.reference) ?? status()
        return ChatItem(
            id: ChatItemID(integer()), chat: chat.reference, direction: direction,
            content: content, status: status, sharedID: maybe { $0.sharedID() }, time: time(),
            createdAt: time(), quote: quote, isForwarded: source != nil || bool(), editedAt: maybe { $0.time() },
            deletedAt: deletedAt,
            reactions: several {
                var given = ItemReaction(direction: $0.pick([.sent, .received]), reaction: $0.reaction())
                given.member = $0.maybe { .init(id: GroupMemberID($0.integer()), name: $0.text()) }
                return given
            },
            ttl: ttl, expiresAt: ttl == nil ? nil : maybe { $0.time() }, isLive: maybe { $0.bool() }, source: source,
            quotedID: quote == nil ? nil : maybe { ChatItemID($0.integer()) },
            group: chat.group == nil ? nil : entry(direction, isQuoting: quote != nil, isDeleted: deletedAt != nil))
    }

    /// What only an entry of a group has.
    private mutating func entry(_ direction: ChatItem.Direction, isQuoting: Bool, isDeleted: Bool) -> GroupEntry {
        var entry = GroupEntry(author: direction == .received ? maybe { $0.member() } : nil)
        entry.supportID = maybe { GroupMemberID($0.integer()) }
        entry.forwarder = maybe { $0.member() }
        entry.mentionsUser = bool()
        if bool() {
            let member = member()
            entry.mentions[text()] = GroupEntry.Mention(
                memberID: member.memberID, member: maybe { _ in GroupEntry.Mention.Reference(member) })
        }
        if isQuoting { entry.quotedAuthor = maybe { $0.member() } }
        if isDeleted { entry.removal = maybe { $0.pick(GroupEntry.Removal.allCases) } }
        if entry.removal == .moderated { entry.moderator = member() }
        return entry
    }

    mutating func forwardSource() -> ForwardSource {
        ForwardSource(
            chat: pick([.direct(ContactID(integer())), .group(GroupID(integer()))]), chatName: text(),
            direction: pick([.sent, .received]), item: ChatItemID(integer()))
    }

    mutating func version() -> ItemVersion {
        ItemVersion(number: integer(), content: content(), time: time(), createdAt: time())
    }

    mutating func agreement() -> CallAgreement { CallAgreement(uuid: text(), sharedKey: maybe { $0.text() }) }

    mutating func located() -> LocatedItem {
        let chat = chat()
        return LocatedItem(chat: chat, item: item(in: chat))
    }

    mutating func deleted() -> DeletedItem {
        DeletedItem(before: located(), after: maybe { $0.located() }, hasExpired: bool())
    }

    mutating func preview() -> ChatPreview {
        let chat = chat()
        return ChatPreview(chat: chat, lastItem: maybe { $0.item(in: chat) })
    }

    mutating func purged() -> PurgedChat {
        PurgedChat(chat: chat(), items: several { ChatItemID($0.integer()) })
    }

    mutating func cursor() -> Cursor {
        Cursor(
            name: text(), chat: maybe { $0.chat() }, place: maybe { ChatItemID($0.integer()) }, movedAt: time(),
            waiting: count(), failure: maybe { Cursor.Failure(item: ChatItemID($0.integer()), count: $0.count()) })
    }

    // MARK: - Relays and reports

    mutating func problem(depth: Int = 3) -> RelayProblem {
        let problems: [RelayProblem] = [
            .unknownHost, .unreachable(text()), .timedOut, .closed, .wrongIdentity, .certificateNotYetValid,
            .certificateExpired, .incompatible, .unexpected, .authorization, .blocked(reason: "spam"), .full,
            .refused(text()),
            .proxyRequired, .offline, .proxyFailed(text()), .proxyLogin, .hostExcluded, .forwarderRequired,
            .addressesRefused(until: maybe { $0.time() }),
        ]
        return depth > 0 && number(4) == 0 ? .forwarder(problem(depth: depth - 1)) : pick(problems)
    }

    mutating func obstacle() -> RelayObstacle {
        RelayObstacle(server: server(), problem: problem(), isForReceiving: bool())
    }

    mutating func acceptance() -> ConditionsAcceptance {
        ConditionsAcceptance(version: pick([UsageConditions.current.version, text()]), time: time())
    }

    mutating func serverOperator() -> ServerOperator {
        ServerOperator(
            pick(ServerOperator.Tag.allCases), isEnabled: bool(),
            roles: ServerRoles(storesMessages: bool(), forwardsMessages: bool()),
            acceptance: maybe { $0.acceptance() })
    }

    mutating func profileServer() -> ProfileServer {
        let password = maybe { _ in try? ServerPassword("secret!") } ?? nil
        var server = ProfileServer(
            id: maybe { ServerID($0.integer()) }, ConfiguredServer(address: self.server(), password: password),
            isPreset: bool(), isEnabled: bool())
        server.isDeleted = bool()
        return server
    }

    mutating func fileServer() -> ProfileServer {
        var server = ProfileServer(
            id: maybe { ServerID($0.integer()) }, ConfiguredServer(address: self.server()), isPreset: bool(),
            isEnabled: bool(), isForFiles: true)
        server.isDeleted = bool()
        return server
    }

    mutating func operatorServers() -> OperatorServers {
        OperatorServers(
            maybe { $0.serverOperator() }, several { $0.profileServer() }, files: several { $0.fileServer() })
    }

    mutating func condition() -> ConnectionCondition {
        ConnectionCondition(
            agentVersion: pick([0, 7, .max]), receiveServers: several { $0.server() },
            sendServers: several { $0.server() },
            synchronization: pick(RatchetSynchronization.allCases), isSwitching: bool(), canAbortSwitch: bool())
    }

    mutating func mark() -> ExportMark {
        ExportMark(
            id: bytes(ExportMark.idSize), number: integer(), exportedAt: time(), isComplete: bool(), isFrozen: bool(),
            steps: integer(), importedAt: maybe { $0.time() }, isBackup: bool())
    }

    mutating func fetchReport() -> FetchReport {
        FetchReport(
            received: count(), sent: count(), waiting: count(), isComplete: bool(), obstacles: several { $0.obstacle() }
        )
    }

    mutating func statusReport() -> StatusReport {
        StatusReport(
            profile: maybe { $0.ownProfile() }, profileCount: count(), contactCount: count(), unreadCount: count(),
            waiting: count(), heldUp: count(), uploads: count(), unconfirmed: count(), servers: several { $0.server() },
            fileServers: several { $0.server() }, onboarding: maybe { $0.pick(OnboardingStage.allCases) },
            lastExport: maybe { $0.mark() }, freezingExport: maybe { $0.mark() }, isCopy: bool(),
            contactsInTrouble: several { LocatedContact(profile: $0.ownProfile(), contact: $0.contact()) },
            unreachable: several {
                UnreachableRelay(
                    profileID: ProfileID($0.integer()), server: $0.server(), problem: .unreachable($0.text()),
                    since: $0.time())
            },
            files: FileSpace(count: count(), size: count()))
    }

    mutating func versionReport() -> VersionReport {
        VersionReport(
            version: text(), chat: versions(), agent: versions(), smp: versions(), ratchet: versions())
    }

    mutating func unreadReport() -> UnreadReport {
        let chats = several { ($0.chat().reference, UnreadCount(all: $0.count(), mentions: $0.count())) }
        return UnreadReport(
            profile: ownProfile(), chats: Dictionary(chats) { first, _ in first }, elsewhere: count())
    }

    mutating func draft() -> Draft { Draft(text: text(), answers: maybe { ChatItemID($0.integer()) }) }
}
