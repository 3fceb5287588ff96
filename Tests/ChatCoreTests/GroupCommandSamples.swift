import AgentProtocol
import ChatProtocol
import JSONCoding

@testable import ChatCore

extension CommandSamples {
    /// Groups and their members.
    static func groups(_ texts: HostileTexts) -> [any ChatCommand] {
        let profile = ProfileID(texts.number())
        let groups: [GroupTarget] = [.id(GroupID(texts.number())), .name(texts.text())]
        let role = texts.one(of: [GroupRole.observer, .author, .member, .moderator, .admin, .owner])
        let presented = GroupProfile(
            displayName: texts.text(), fullName: texts.text(), shortDescription: texts.one(of: [nil, texts.text()]),
            welcome: texts.one(of: [nil, texts.text()]), preferences: texts.one(of: [nil, .newGroup]),
            admission: texts.one(of: [nil, MemberAdmission(review: .all)]))
        var commands: [any ChatCommand] = [
            CreateGroup(profile, presented, isIncognito: texts.flag()),
            CreateChannel(
                profile, on: [ChatRelayID(texts.number()), ChatRelayID(7)], presented, isIncognito: texts.flag()),
            ReadChannelLink(groups[0]), ListChannelRelays(groups[0]),
            AddChannelRelays(groups[0], [ChatRelayID(texts.number())]),
            ShareChannel(
                .reference(.group(GroupID(7))),
                to: texts.one(of: [.reference(.direct(ContactID(4))), .channel(GroupID(5))])),
            SendChannel(
                groups[1], to: texts.one(of: [.reference(.direct(ContactID(4))), .reference(.group(GroupID(5)))])),
            SetChannelAccess(
                groups[0],
                PublicGroupAccess(
                    webPage: texts.one(of: [nil, texts.text()]),
                    domainClaim: texts.one(of: [nil, DomainClaim("news.simplex").json]), hasDomainPage: texts.flag(),
                    allowsEmbedding: texts.flag())),
            CreateNamedGroup(texts.text(), description: texts.one(of: [nil, texts.text()]), isIncognito: texts.flag()),
            ListGroups(), ListGroups(profile, with: texts.one(of: [nil, ContactID(texts.number())])),
            UpdateGroup(groups[0], presented), RenameGroup(groups[1], texts.text(), fullName: texts.text()),
            RenameGroup(groups[1], texts.text()),
            SetGroupWelcome(groups[1], texts.one(of: [nil, texts.text()])), ShowGroupWelcome(groups[1]),
            SetMemberReview(groups[1], texts.flag()), RefreshGroupLink(groups[0]),
            MoveGroup(groups[0], to: profile),
            ConnectGroup(
                groups[0], isIncognito: texts.flag(), message: texts.one(of: [nil, MessageContent(texts.text())]),
                isQueued: texts.flag()),
            PrepareGroup(
                profile, link: "simplex:/g#x https://relay.example/g#y",
                domain: texts.one(of: [nil, "news.simplex"]), GroupLinkContent(profile: presented)),
            CreateMemberContact(groups[0], GroupMemberID(texts.number())),
            InviteMemberContact(
                ContactID(texts.number()), message: texts.one(of: [nil, MessageContent(texts.text())])),
            AcceptMemberContact(texts.target(), isQueued: texts.flag()),
            InviteToGroup(groups[0], .reference(.direct(ContactID(texts.number()))), as: role),
            InviteToGroup(groups[1], .name(texts.text()), as: role),
        ]
        for group in groups {
            commands += [
                ShowGroup(group), JoinGroup(group, isQueued: texts.flag()), LeaveGroup(group), AllowChannel(group),
                ListMembers(group),
                CreateGroupLink(group, role),
                SetGroupLinkRole(group, role), ShowGroupLink(group), DeleteGroupLink(group),
            ]
        }
        let members: [(GroupTarget, MemberTarget)] = [
            (groups[0], .ids([GroupMemberID(texts.number())])), (groups[1], .name(texts.text())),
        ]
        for (group, member) in members {
            commands += [
                ShowMember(group, member), RemoveMembers(group, member, withMessages: texts.flag()),
                SetMemberRole(group, member, role), BlockMembers(group, member, texts.flag()),
                ShowMemberMessages(group, member, texts.flag()), AcceptMember(group, member, as: role),
                ShowMemberCode(group, member), VerifyMemberCode(group, member, texts.one(of: [nil, "12345 67890"])),
                SwitchMemberQueue(group, member), AbortMemberSwitch(group, member),
                SynchronizeMember(group, member, isForced: texts.flag()), EnableMember(group, member),
            ]
        }
        for feature in GroupPreferences.Feature.allCases where feature.isOfGroups {
            let setting = GroupPreferences.Setting(
                texts.flag(), role: feature.hasRole ? texts.one(of: [nil, role]) : nil,
                ttl: feature == .timedMessages ? texts.one(of: [nil, texts.number()]) : nil)
            commands.append(SetGroupFeature(groups[1], feature, setting))
        }
        return commands
    }
}
