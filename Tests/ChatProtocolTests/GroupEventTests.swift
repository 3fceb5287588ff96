import ByteCoding
import ChatProtocol
import CryptoCore
import JSONCoding
import TestSupport
import Testing

@Suite struct GroupEventTests {
    private func read(_ event: String, _ parameters: String) throws(DecodeError) -> ChatMessage.Event {
        try ChatMessage(decoding: Bytes(#"{"v":"1-16","event":"\#(event)","params":\#(parameters)}"#.utf8)).event
    }

    private static let profile = #""profile":{"displayName":"a","fullName":"","new":1}"#
    private static let groupProfile =
        #""groupProfile":{"displayName":"g","fullName":"","shortDescr":"s","description":"d","image":"i","new":2,"#
        + #""publicGroup":{"groupType":"channel","groupLink":"l","publicGroupId":"AQID","new":3,"#
        + #""publicGroupAccess":{"groupWebPage":"w","groupDomainClaim":{},"domainWebPage":true,"#
        + #""allowEmbedding":false,"new":4}},"#
        + #""groupPreferences":{"voice":{"enable":"off","role":"new","x":1},"new":{"enable":"on"},"commands":[]},"#
        + #""memberAdmission":{"review":"all","names":"all"}}"#
    private static let members =
        #""fromMember":{"memberId":"AQ==","memberRole":"owner","new":3},"#
        + #""invitedMember":{"memberId":"Ag==","memberRole":"pope"}"#
    private static let business =
        #""business":{"chatType":"customer","businessId":"AQ==","customerId":"Ag==","new":4}"#
    private static let info = #""memberInfo":{"memberId":"AQ==","memberRole":"relay","v":"1-16",\#(profile),"new":5}"#
    private static let intro = #""memberIntro":{"groupConnReq":"a","directConnReq":"b","new":6}"#
    private static let restrictions = #""memberRestrictions":{"restriction":"muted","new":7}"#
    private static let original = #"{"v":"1-21","new":8,"event":"x.new","msgId":"AQ==","params":{"a":1.50}}"#

    /// Events with every known field, and with unknown fields in every object.
    private static let complete: [(String, String)] = [
        (
            "x.grp.inv",
            #"{"new":0,"groupInvitation":{\#(members),"connRequest":"l",\#(groupProfile),\#(business),"#
                + #""groupLinkId":"AQID","groupSize":3,"new":1}}"#
        ),
        ("x.grp.acpt", #"{"memberId":"AQ==","memberKey":"k"}"#),
        (
            "x.grp.link.inv",
            #"{"new":0,"groupLinkInvitation":{\#(members),"fromMemberName":"n",\#(groupProfile),\#(business),"#
                + #""accepted":"pending_review","groupSize":3,"new":1}}"#
        ),
        (
            "x.grp.link.reject",
            #"{"new":0,"groupLinkRejection":{\#(members),\#(groupProfile),"rejectionReason":"full","new":1}}"#
        ),
        ("x.grp.link.mem", "{\(profile),\"memberKey\":\"k\"}"),
        ("x.grp.link.acpt", #"{"acceptance":"pending","role":"member","memberId":"AQ==","new":0}"#),
        ("x.grp.mem.new", #"{\#(info),"scope":{"type":"member","memberId":"Ag=="},"new":0}"#),
        ("x.grp.mem.intro", #"{\#(info),\#(restrictions),"new":0}"#),
        ("x.grp.mem.inv", #"{"memberId":"AQ==",\#(intro),"new":0}"#),
        ("x.grp.mem.fwd", #"{\#(info),\#(intro),"new":0}"#),
        ("x.grp.mem.info", #"{"memberId":"AQ==",\#(profile),"new":0}"#),
        ("x.grp.mem.con", #"{"memberId":"AQ==","new":0}"#),
        ("x.grp.mem.con.all", #"{"memberId":"AQ==","new":0}"#),
        ("x.grp.mem.role", #"{"memberId":"AQ==","role":"admin","rosterVersion":1}"#),
        ("x.grp.mem.restrict", #"{"memberId":"AQ==",\#(restrictions),"new":0}"#),
        ("x.grp.mem.del", #"{"memberId":"AQ==","messages":true,"rosterVersion":1}"#),
        ("x.grp.leave", #"{"new":0}"#),
        ("x.grp.del", #"{"new":0}"#),
        ("x.grp.info", #"{\#(groupProfile),"new":0}"#),
        ("x.grp.prefs", #"{"groupPreferences":{"voice":{"enable":"maybe"},"reports":7},"new":0}"#),
        (
            "x.grp.direct.inv",
            #"{"connReq":"l","content":{"type":"text","text":"a"},"scope":{"type":"member","memberId":"Ag=="},"new":0}"#
        ),
        (
            "x.grp.msg.forward",
            #"{"memberId":"AQ==","memberName":"a","msg":\#(original),"msgTs":"1970-01-01T00:00:01.000000001Z","new":0}"#
        ),
        ("x.member", #"{\#(profile),"newMemberId":"AQ==","newMemberKey":"AQID","viaRelay":"Ag==","new":0}"#),
        (
            "x.grp.relay.inv",
            #"{"new":0,"groupRelayInvitation":{"fromMember":{"memberId":"AQ==","memberRole":"owner"},"#
                + #""fromMemberProfile":{"displayName":"a","fullName":""},"relayMemberId":"Ag==","groupLink":"l","new":1}}"#
        ),
        ("x.grp.relay.acpt", #"{"relayLink":"l","relayCap":{"webDomain":"d","new":1},"new":0}"#),
        ("x.grp.relay.reject", #"{"reason":"rejoin_rejected","new":0}"#),
        ("x.grp.relay.test", #"{"challenge":"AQID","signature":"BAUG","new":0}"#),
        ("x.grp.relay.new", #"{"relayLink":"l","new":0}"#),
        ("x.grp.relay.cap", #"{"relayCap":{"new":1},"new":0}"#),
        ("x.grp.roster", #"{"version":7,"fileInv":{"fileSize":2,"fileDigest":"AQID","new":1},"new":0}"#),
        ("x.grp.roster.ack", #"{"version":7,"error":"e","new":0}"#),
        ("x.grp.roster.request", #"{"version":7,"new":0}"#),
    ]

    @Test(arguments: complete)
    func unknown_fields_are_kept(name: String, parameters: String) throws {
        let event = try read(name, parameters)
        guard case .group = event else {
            Issue.record("\(name) has no type")
            return
        }
        #expect(event.name == name)
        #expect(try JSONValue(decoding: Bytes(parameters.utf8)) == .object(event.parameters))
        let encoded = ChatMessage(event: event).encoded
        #expect(try ChatMessage(decoding: encoded).event == event)
        #expect(try ChatMessage(decoding: encoded).encoded == encoded)
    }

    @Test func everyEventIsComplete() {
        #expect(GroupEventTests.complete.count == 32)
        #expect(Set(GroupEventTests.complete.map(\.0)).count == 32)
    }

    @Test(arguments: complete)
    func damagedEvents(name: String, parameters: String) {
        let text = #"{"v":"1-16","event":"\#(name)","params":\#(parameters)}"#
        Damage.survive(Bytes(text.utf8)) { bytes in
            let message = try ChatMessage(decoding: bytes)
            #expect(try ChatMessage(decoding: message.encoded) == message)
            if case .group(.forwarded(let forwarded), _) = message.event { _ = try forwarded.message() }
        }
    }

    /// Each required field of each event.
    @Test(arguments: [
        ("x.grp.inv", "{}", "groupInvitation"),
        ("x.grp.inv", #"{"groupInvitation":{}}"#, "fromMember"),
        ("x.grp.inv", #"{"groupInvitation":{"fromMember":{"memberRole":"admin"}}}"#, "memberId"),
        ("x.grp.inv", #"{"groupInvitation":{"fromMember":{"memberId":"AQ=="}}}"#, "memberRole"),
        ("x.grp.inv", #"{"groupInvitation":{"fromMember":{"memberId":"AQ==","memberRole":1}}}"#, "memberRole"),
        ("x.grp.inv", #"{"groupInvitation":{"fromMember":{"memberId":"AQ==","memberRole":"a"}}}"#, "invitedMember"),
        ("x.grp.inv", #"{"groupInvitation":{\#(members)}}"#, "connRequest"),
        ("x.grp.inv", #"{"groupInvitation":{\#(members),"connRequest":"l"}}"#, "groupProfile"),
        (
            "x.grp.inv", #"{"groupInvitation":{\#(members),"connRequest":"l",\#(groupProfile),"business":{}}}"#,
            "chatType"
        ),
        (
            "x.grp.inv",
            #"{"groupInvitation":{\#(members),"connRequest":"l",\#(groupProfile),"business":{"chatType":"shop"}}}"#,
            "chatType"
        ),
        (
            "x.grp.inv", #"{"groupInvitation":{\#(members),"connRequest":"l",\#(groupProfile),"groupLinkId":""}}"#,
            "groupLinkId"
        ),
        (
            "x.grp.inv", #"{"groupInvitation":{\#(members),"connRequest":"l",\#(groupProfile),"groupSize":1.5}}"#,
            "groupSize"
        ),
        ("x.grp.acpt", "{}", "memberId"), ("x.grp.acpt", #"{"memberId":"A"}"#, "memberId"),
        ("x.grp.link.inv", "{}", "groupLinkInvitation"),
        (
            "x.grp.link.inv", #"{"groupLinkInvitation":{"fromMember":{"memberId":"AQ==","memberRole":"a"}}}"#,
            "fromMemberName"
        ),
        (
            "x.grp.link.inv",
            #"{"groupLinkInvitation":{\#(members),"fromMemberName":"n",\#(groupProfile),"accepted":"later"}}"#,
            "accepted"
        ),
        ("x.grp.link.reject", "{}", "groupLinkRejection"),
        ("x.grp.link.reject", #"{"groupLinkRejection":{\#(members),\#(groupProfile)}}"#, "rejectionReason"),
        ("x.grp.link.mem", "{}", "profile"),
        ("x.grp.link.acpt", #"{"role":"member","memberId":"AQ=="}"#, "acceptance"),
        ("x.grp.link.acpt", #"{"acceptance":"later","role":"member","memberId":"AQ=="}"#, "acceptance"),
        ("x.grp.link.acpt", #"{"acceptance":"accepted","memberId":"AQ=="}"#, "role"),
        ("x.grp.link.acpt", #"{"acceptance":"accepted","role":"member"}"#, "memberId"),
        ("x.grp.mem.new", "{}", "memberInfo"), ("x.grp.mem.new", #"{"memberInfo":{}}"#, "memberId"),
        ("x.grp.mem.new", #"{"memberInfo":{"memberId":"AQ==","memberRole":"a"}}"#, "profile"),
        ("x.grp.mem.new", #"{"memberInfo":{"memberId":"AQ==","memberRole":"a","v":"2-1",\#(profile)}}"#, "v"),
        ("x.grp.mem.new", #"{\#(info),"scope":{"type":"all"}}"#, "scope"),
        ("x.grp.mem.intro", #"{\#(info),"memberRestrictions":{}}"#, "restriction"),
        ("x.grp.mem.inv", #"{"memberId":"AQ=="}"#, "memberIntro"),
        ("x.grp.mem.inv", #"{"memberId":"AQ==","memberIntro":{}}"#, "groupConnReq"),
        ("x.grp.mem.fwd", #"{\#(info)}"#, "memberIntro"), ("x.grp.mem.info", #"{"memberId":"AQ=="}"#, "profile"),
        ("x.grp.mem.role", #"{"memberId":"AQ=="}"#, "role"),
        ("x.grp.mem.restrict", #"{"memberId":"AQ=="}"#, "memberRestrictions"),
        ("x.grp.mem.con", "{}", "memberId"), ("x.grp.mem.con.all", "{}", "memberId"),
        ("x.grp.mem.del", "{}", "memberId"), ("x.grp.info", "{}", "groupProfile"),
        ("x.grp.info", #"{"groupProfile":{"displayName":"a"}}"#, "fullName"),
        (
            "x.grp.info", #"{"groupProfile":{"displayName":"a","fullName":"","groupPreferences":[]}}"#,
            "groupPreferences"
        ),
        ("x.grp.info", #"{"groupProfile":{"displayName":"a","fullName":"","memberAdmission":1}}"#, "memberAdmission"),
        ("x.grp.prefs", "{}", "groupPreferences"), ("x.grp.direct.inv", "{}", "connReq"),
        ("x.grp.msg.forward", #"{"msgTs":"1970-01-01T00:00:01Z"}"#, "msg"),
        ("x.grp.msg.forward", #"{"msg":{}}"#, "msgTs"), ("x.grp.msg.forward", #"{"msg":[],"msgTs":""}"#, "msg"),
        ("x.grp.msg.forward", #"{"msg":{},"msgTs":"yesterday"}"#, "msgTs"),
    ])
    func damagedFields(event: String, parameters: String, field: String) {
        do {
            _ = try read(event, parameters)
            Issue.record("\(event) without \(field)")
        } catch DecodeError.invalid(let name) {
            #expect(name.description == field)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func malformed_flag_does_not_keep_a_member() throws {
        for messages in ["7", "null", "false", #""yes""#] {
            let event = try read("x.grp.mem.del", #"{"memberId":"AQIDBA==","messages":\#(messages)}"#)
            #expect(event == .group(.memberRemoved(Constructed.bob)))
        }
    }

    // MARK: - Forwarded messages

    private let time = WireTime(checked: "2026-01-01T00:00:00Z")

    @Test func forwarded_messages_are_not_nested() throws {
        let message = ChatMessage(id: SharedMessageID([1]), event: .message(MessageContainer(MessageContent("hello"))))
        let once = ForwardedMessage(message, of: Constructed.bob, at: time)
        #expect(try once.message() == message)
        let twice = ForwardedMessage(ChatMessage(event: .group(.forwarded(once))), of: Constructed.cath, at: time)
        #expect(throws: DecodeError.invalid("msg")) { try twice.message() }
        let encoded = ChatMessage(event: .group(.forwarded(twice))).encoded
        #expect(throws: DecodeError.invalid("msg")) { try ChatMessage(decoding: encoded) }
    }

    @Test func original_of_a_forwarded_message_is_unchanged() throws {
        let event = try read(
            "x.grp.msg.forward", #"{"msg":\#(GroupEventTests.original),"msgTs":"2026-01-01T00:00:00Z"}"#)
        guard case .group(.forwarded(let forwarded), _) = event else {
            Issue.record("a forwarded message")
            return
        }
        #expect(forwarded.memberID == nil && forwarded.memberName == nil && forwarded.time == time)
        #expect(forwarded.original.line == GroupEventTests.original)
        let message = try forwarded.message()
        #expect(message.event.name == "x.new" && message.id == SharedMessageID([1]))
        for original: JSONObject in [[:], ["event": "x.ok"], ["event": 7, "params": .object([:])]] {
            let damaged = ForwardedMessage(original, of: nil, at: time)
            #expect(throws: DecodeError.self) { try damaged.message() }
            // The malformed original does not affect the message around it.
            let around = ChatMessage(event: .group(.forwarded(damaged)))
            #expect(try ChatMessage(decoding: around.encoded) == around)
        }
    }

    @Test func forwardable_events() throws {
        let forwardable = [
            "x.msg.new", "x.msg.file.descr", "x.msg.update", "x.msg.del", "x.msg.react", "x.file.cancel", "x.info",
            "x.grp.mem.new", "x.grp.mem.role", "x.grp.mem.restrict", "x.grp.mem.del", "x.grp.leave", "x.grp.del",
            "x.grp.info", "x.grp.prefs", "x.grp.relay.new", "x.grp.roster",
        ]
        for line in RecordedMessage.all {
            let event = try ChatMessage(decoding: line.bytes).event
            #expect(event.isForwardable == forwardable.contains(event.name), "\(event.name)")
        }
        for (name, parameters) in GroupEventTests.complete {
            #expect(try read(name, parameters).isForwardable == forwardable.contains(name), "\(name)")
        }
        for (inline, isForwardable) in [("", true), (#","fileInline":null"#, true), (#","fileInline":"offer""#, false)]
        {
            let file = #"{"fileName":"a","fileSize":1\#(inline)}"#
            let event = try read("x.msg.new", #"{"content":{"type":"file","text":""},"file":\#(file)}"#)
            #expect(event.isForwardable == isForwardable)
        }
    }

    @Test func forwarding_skips_the_blocked_member_and_reports() {
        let bob = Constructed.bob, cath = Constructed.cath
        let restriction = ChatMessage.Event.group(.restrictionChanged(bob, MemberRestrictions(.blocked)))
        #expect(!restriction.isForwarded(to: bob, .member) && restriction.isForwarded(to: cath, .member))
        let report = ChatMessage.Event.message(MessageContainer(MessageContent("", kind: .report(.spam))))
        for role in GroupRole.known {
            #expect(report.isForwarded(to: cath, role) == [.moderator, .admin, .owner].contains(role))
        }
        #expect(ChatMessage.Event.message(MessageContainer(MessageContent("a"))).isForwarded(to: bob, .observer))
    }

    // MARK: - Batches

    @Test func forwarding_messages_may_be_larger() {
        let message = ChatMessage(
            id: SharedMessageID([1]),
            event: .message(MessageContainer(MessageContent(String(repeating: "a", count: 15_000)))))
        let padding = ChatLimit.message - message.encoded.count
        let text = MessageContent(String(repeating: "a", count: 15_000 + padding))
        let largest = ChatMessage(id: SharedMessageID([1]), event: .message(MessageContainer(text)))
        #expect(largest.encoded.count == ChatLimit.message)
        let id = MemberID(random: SeededRandom(seed: 1).bytes(MemberID.randomSize))
        let forwarded = ChatMessage(
            id: SharedMessageID(SeededRandom(seed: 2).bytes(16)),
            event: .group(.forwarded(ForwardedMessage(largest, of: id, at: time)))
        ).encoded
        #expect(forwarded.count == ChatLimit.message + 162)
        #expect(ChatPayload.batches([forwarded]) == [.tooLarge(size: forwarded.count)])
        #expect(ChatPayload.batches([forwarded], limit: ChatLimit.forwardingMessage) == [.payload(forwarded, count: 1)])
    }

    @Test func old_admins_get_single_messages() {
        for (role, version, allows) in [
            (GroupRole.member, 4, false), (.member, 5, true), (.moderator, 8, true), (.admin, 8, false),
            (.admin, 9, true), (.owner, 8, false), (.owner, 16, true),
        ] as [(GroupRole, UInt16, Bool)] {
            #expect(ChatVersion.allowsBatches(to: role, version) == allows)
        }
    }
}
