import AgentProtocol
import ByteCoding
package import ChatCore
import ChatProtocol
import JSONCoding
package import SMPProtocol

/// One error of every case of ``ChatError``, and of everything that a case holds.
package enum ChatErrorSamples {
    package static let all: [ChatError] = cases.flatMap(\.self)

    /// The samples of each case together.
    package static let cases: [[ChatError]] = walk(from: [.noActiveProfile], by: samples(after:))

    /// The samples of the case that follows the one of `error`; none after the last. A new case does not compile until it has
    /// a place here.
    private static func samples(after error: ChatError) -> [ChatError] {
        switch error {
        case .noActiveProfile: [.profileNotFound(ProfileID(7))]
        case .profileNotFound: texts.map { .nameTaken($0) }
        case .nameTaken: [.invalidName("it's me", suggestion: nil), .invalidName("it's me", suggestion: "its me")]
        case .invalidName: [.invalidProfile]
        case .invalidProfile: [.contactNotFound(ContactID(-1))]
        case .contactNotFound: texts.map { .contactNotFoundByName($0) }
        case .contactNotFoundByName: texts.map { .recipientNotFound($0) }
        case .recipientNotFound: [.groupNotFound(GroupID(5))]
        case .groupNotFound: [.notesNotFound(NoteFolderID(2))]
        case .notesNotFound: [.itemNotFound(ChatItemID(.max))]
        case .itemNotFound: texts.map { .itemNotFoundByText($0) }
        case .itemNotFoundByText: [.connectionNotFound(ConnectionID(0))]
        case .connectionNotFound: [.invalidLink]
        case .invalidLink: [.unsupportedLink]
        case .unsupportedLink: [.ownLink]
        case .ownLink: [.joinedOpenly]
        case .joinedOpenly: ConnectingObstacle.allCases.map { .connecting($0) }
        case .connecting: names.flatMap { name in NameObstacle.allCases.map { .name($0, name) } }
        case .name: [.badLink]
        case .badLink: [.noAddress]
        case .noAddress: [.addressExists]
        case .addressExists: [.chatRelayExists]
        case .chatRelayExists: [.requestNotFound(RequestID(1))]
        case .requestNotFound: texts.map { .requestNotFoundByName($0) }
        case .requestNotFoundByName: [.noServer]
        case .noServer: [.conditionsNotAccepted]
        case .conditionsNotAccepted: [.serverExists(server)]
        case .serverExists: [.serverNotFound(ServerID(3))]
        case .serverNotFound: [.presetServer(server)]
        case .presetServer: texts.map { .contactNotReady($0) }
        case .contactNotReady: texts.map { .contactNotActive($0) }
        case .contactNotActive: [.emptyMessage]
        case .emptyMessage: texts.map { .vetoed($0) }
        case .vetoed: CareAction.allCases.map { .notPossible($0, "alice") }
        case .notPossible:
            ItemAction.allCases.flatMap { action in
                ChangeObstacle.allCases.map { .notChangeable(ChatItemID(5), $0, action) }
            }
        case .notChangeable: UnsupportedRequest.allCases.map { .unsupported($0) }
        case .unsupported: texts.map { .contactBlocked($0) }
        case .contactBlocked: texts.map { .timersOff($0) }
        case .timersOff: texts.map { .tagTaken($0) }
        case .tagTaken: [.differentProfile(ProfileID(9), active: ProfileID(3))]
        case .differentProfile: texts.map { .cursorNotFound($0) }
        case .cursorNotFound: texts.map { .cursorElsewhere($0) }
        case .cursorElsewhere: texts.map { .noCall($0) }
        case .noCall: texts.map { .callActive($0) }
        case .callActive: CallStage.allCases.map { .callStage($0, "alice") }
        case .callStage: texts.map { .profileActive(ProfileID(3), $0) }
        case .profileActive: PrivacyObstacle.allCases.map { .profilePrivacy(ProfileID(3), $0) }
        case .profilePrivacy:
            Preferences.Feature.allCases.flatMap { feature in texts.map { .notAllowed(feature, $0) } }
        case .notAllowed: [.messageTooLarge(size: 100_000, limit: 15602)]
        case .messageTooLarge: groupObstacles.map { .inGroup($0) }
        case .inGroup: fileObstacles.map { .file($0) }
        case .file:
            MembershipObstacle.Refusal.allCases.map { .membership(.refused($0)) }
                + texts.flatMap { [.membership(.groupNameNotFound($0)), .membership(.duplicateMember($0))] }
                + [
                    .membership(.incognitoContact), .membership(.incognitoGroup), .membership(.notInvited),
                    .membership(.memberNotActive),
                ]
        case .membership: ChannelObstacle.allCases.map { .channel($0) }
        case .channel: [.commandSyntax]
        case .commandSyntax: [.commandNotSupported]
        case .commandNotSupported: [.notStopped]
        case .notStopped: [.storeChanged]
        case .storeChanged: StoreKeyProblem.allCases.map { .storeKey($0) }
        case .storeKey: [.readOnly]
        case .readOnly: marks.map { .frozen($0) }
        case .frozen: [.incompatibleLink]
        case .incompatibleLink:
            relayProblems.flatMap { problem in
                [false, true].map {
                    .relay(RelayObstacle(server: server, problem: problem, isForReceiving: $0))
                }
            }
        case .relay: DatabaseProblem.allCases.map { .database($0) }
        case .database: HolderProblem.allCases.map { .holder($0) }
        case .holder: [.internal]
        case .internal: []
        }
    }

    /// Names and other texts as nobody expects them.
    private static let texts = [
        "alice", "", "it's me", #"a "quoted" \ name"#, "two\nlines\t", "\u{202e}界🙂", "key=value {\"type\":\"error\"}",
    ]

    package static let server = ServerAddress(
        hosts: [.domain("a-long-name-of-a-relay.somewhere.example")], port: 5223,
        fingerprint: Bytes(repeating: 0, count: 32))

    private static let marks: [ExportMark] = [
        #"{"exportId":"AAECAwQFBgcICQoLDA0ODw==","number":1,"exportedAt":"2026-09-27T09:14:03.120Z","complete":true,"#
            + #""frozen":true,"steps":12,"backup":false}"#,
        #"{"exportId":"AAECAwQFBgcICQoLDA0ODw==","number":2,"exportedAt":"1970-01-01T00:00:00Z","complete":false,"#
            + #""frozen":false,"steps":0,"importedAt":"2026-09-27T09:14:03.120Z","backup":true}"#,
    ].compactMap { try? ExportMark(decoding: Bytes($0.utf8)) }

    // MARK: - Relays

    /// One problem of every case.
    package static let relayProblems: [RelayProblem] = walk(from: [.unknownHost], by: samples(after:)).flatMap(\.self)

    private static func samples(after problem: RelayProblem) -> [RelayProblem] {
        switch problem {
        case .unknownHost: [.unreachable("connection refused")]
        case .unreachable: [.timedOut]
        case .timedOut: [.closed]
        case .closed: [.wrongIdentity]
        case .wrongIdentity: [.certificateNotYetValid]
        case .certificateNotYetValid: [.certificateExpired]
        case .certificateExpired: [.incompatible]
        case .incompatible: [.unexpected]
        case .unexpected: [.authorization]
        case .authorization: [.blocked(reason: "spam")]
        case .blocked:
            [.addressesRefused(until: nil), .addressesRefused(until: Timestamp(milliseconds: 1_790_500_443_120))]
        case .addressesRefused: [.full]
        case .full: [.refused("INTERNAL"), .refused("LARGE_MSG")]
        case .refused: [.proxyRequired]
        case .proxyRequired: [.offline]
        case .offline: [.proxyFailed("it does not speak SOCKS5")]
        case .proxyFailed: [.proxyLogin]
        case .proxyLogin: [.hostExcluded]
        case .hostExcluded: [.forwarderRequired]
        case .forwarderRequired: [.forwarder(.timedOut), .forwarder(.authorization), .forwarder(.closed)]
        case .forwarder: []
        }
    }

    // MARK: - Files

    private static let fileObstacles: [FileObstacle] =
        [
            .unknown(ChatFileID(7)), .notCancellable(ChatFileID(7), "file already cancelled"), .inline(ChatFileID(7)),
            .notApproved(ChatFileID(7), ["xftp://AAAA@files.example.org"]), .notReceived(ChatFileID(7)), .invalidLink,
            .noServer, .notWritable("/srv/plan.pdf", "permission denied"),
        ]
        + texts.flatMap { text in
            [
                .missing(text), .folder(text), .tooLarge(text), .notAnImage(text), .imageTooLarge(text), .exists(text),
                .receiving(text),
                .cancelled(text),
            ]
        }

    // MARK: - Groups

    private static let groupObstacles: [GroupObstacle] =
        [
            .memberNotFound(GroupMemberID(3)), .noSuchMember(GroupMemberID(3)), .notCurrentMember, .noModerators,
            .tooManyMentions,
        ]
        + GroupPreferences.Feature.allCases.map { .feature($0) }
        + (group.map { [.role($0, required: .admin)] } ?? [])

    private static let group = try? Group(
        decoding: Bytes(
            (#"{"groupId":1,"userId":1,"localDisplayName":"team","groupProfile":{"displayName":"team","fullName":""},"#
                + #""localAlias":"","membership":{"groupMemberId":1,"groupId":1,"memberId":"AQID","memberRole":"member","#
                + #""memberCategory":"user","memberStatus":"connected","memberSettings":{"showMessages":true},"#
                + #""blockedByAdmin":false,"invitedBy":{"type":"unknown"},"localDisplayName":"alice","#
                + #""memberProfile":{"profileId":1,"displayName":"alice","fullName":"","localAlias":""},"#
                + #""memberContactProfileId":1,"memberChatVRange":{"minVersion":1,"maxVersion":16},"#
                + #""createdAt":"2026-11-22T16:32:47.272Z","updatedAt":"2026-11-22T16:32:47.272Z","userId":1},"#
                + #""chatSettings":{"enableNtfs":"all","favorite":false},"createdAt":"2026-11-22T16:32:47.272Z","#
                + #""updatedAt":"2026-11-22T16:32:47.272Z","chatTags":[],"membersRequireAttention":0,"unreadCount":0,"#
                + #""unreadMentions":0,"unreadChat":false}"#).utf8))

    private static let names =
        ["alice.simplex", "chat.example.org"].compactMap { SimplexName(.contact, domain: $0) }
        + [SimplexName(.publicGroup, domain: "a.news.testing")].compactMap(\.self)

    // MARK: - Walking

    private static func walk<Sample>(from first: [Sample], by next: (Sample) -> [Sample]) -> [[Sample]] {
        var cases: [[Sample]] = [], samples = first
        while let sample = samples.last {
            cases.append(samples)
            samples = next(sample)
        }
        return cases
    }
}
