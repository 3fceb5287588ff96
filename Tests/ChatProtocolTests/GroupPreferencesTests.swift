import ByteCoding
import ChatProtocol
import JSONCoding
import TestSupport
import Testing

@Suite struct GroupPreferencesTests {
    private func preferences(_ json: String) throws -> GroupPreferences {
        try GroupPreferences(decoding: Bytes(json.utf8))
    }

    /// The settings that hold without preferences, as in the reference implementation.
    @Test func defaults() throws {
        let full = GroupPreferences().full
        let text =
            #"{"timedMessages":{"enable":"off","ttl":86400},"directMessages":{"enable":"off"},"#
            + #""fullDelete":{"enable":"off"},"reactions":{"enable":"on"},"voice":{"enable":"on"},"#
            + #""files":{"enable":"on"},"simplexLinks":{"enable":"on"},"reports":{"enable":"on"},"#
            + #""history":{"enable":"off"},"support":{"enable":"on"},"sessions":{"enable":"off"},"#
            + #""comments":{"enable":"off"},"commands":[]}"#
        #expect(full.fields.line == text)
        #expect(full.full == full)
        let signed = try preferences(#"{"signMessages":{"enable":"off"}}"#)
        #expect(signed.full[.signMessages] == GroupPreferences.Setting(false))
        for feature in GroupPreferences.Feature.allCases {
            #expect(GroupPreferences()[feature] == nil)
            // Version 7.0.0.6 does not know this one.
            #expect(full[feature] == (feature == .signMessages ? nil : feature.assumed))
            #expect(full.isOn(feature) == feature.assumed.isOn)
            #expect(GroupProfile(displayName: "a").allows(feature, .observer) == feature.assumed.isOn)
        }
    }

    @Test func preferences_of_new_groups() throws {
        let text = #"{"directMessages":{"enable":"on"},"history":{"enable":"on"}}"#
        #expect(GroupPreferences.newGroup.fields.line == text)
        // As an official client 6.4 sends them to a customer. 7.0 adds three.
        let business = try #require(
            VectorFile.cases("chat-transcripts", kind: "message").first {
                $0["scenario"].text == "groups_people/business_chat" && $0["event"].text == "x.grp.link.inv"
            })
        let recorded = business["message"]["params"]["groupLinkInvitation"]["groupProfile"]["groupPreferences"]
        #expect(
            Set(recorded.fields.keys).union(["support", "comments", "signMessages"])
                == Set(GroupPreferences.newBusinessChat.fields.names))
        for (name, preference) in recorded.fields {
            let own = try #require(GroupPreferences.newBusinessChat.fields[name]?.object)
            #expect(own["enable"]?.string == preference["enable"].text)
            #expect(own["role"]?.string == preference.field("role")?.text)
            #expect(own.names.count == preference.fields.count)
        }
        #expect(GroupPreferences.newBusinessChat(contactPreferences: nil) == .newBusinessChat)
    }

    @Test func business_chats_follow_the_preferences_for_contacts() {
        let allowed = GroupPreferences.newBusinessChat(contactPreferences: [
            "timedMessages": .object(["allow": "yes", "ttl": 60]), "fullDelete": .object(["allow": "always"]),
            "reactions": .object(["allow": "no"]), "voice": .object(["allow": "yes"]),
            "commands": [.object(["type": "menu"])],
        ])
        #expect(allowed.disappearingSeconds == 60)
        #expect(allowed[.fullDelete] == .init(true))
        #expect(!allowed.isOn(.reactions) && allowed.isOn(.voice) && allowed.isOn(.files))
        #expect(!allowed.isOn(.sessions) && allowed.isOn(.history) && !allowed.isOn(.reports))
        #expect(allowed.commands.count == 1)
        let empty = GroupPreferences.newBusinessChat(contactPreferences: [:])
        #expect(empty.isOn(.reactions) && empty.isOn(.files))
        #expect(!empty.isOn(.timedMessages) && !empty.isOn(.fullDelete) && !empty.isOn(.voice))
    }

    @Test func features_are_limited_to_roles() throws {
        let group = try preferences(
            #"{"voice":{"enable":"on","role":"moderator"},"files":{"enable":"off","role":"observer"},"#
                + #""simplexLinks":{"enable":"on","role":"pope"},"reactions":{"enable":"on","role":"owner"}}"#)
        for role in GroupRole.known {
            #expect(group.allows(.voice, role) == (role >= .moderator))
            #expect(!group.allows(.files, role))
            // Only owners meet a role that is unknown here.
            #expect(group.allows(.simplexLinks, role) == (role == .owner))
            // Reactions have no role.
            #expect(group.allows(.reactions, role))
        }
        #expect(!group.allows(.voice, GroupRole(rawValue: "pope")) && group.isOn(.voice))
        #expect(GroupProfile(displayName: "a", preferences: group).allows(.voice, .admin))
    }

    @Test func malformed_settings_have_defaults_and_are_kept() throws {
        let text =
            #"{"voice":7,"files":{"enable":true},"history":{"enable":"on","ttl":1},"reports":{},"new":[1],"commands":"x"}"#
        let group = try preferences(text)
        #expect(group.fields.line == text)
        #expect(group[.voice] == nil && group[.files] == nil && group[.reports] == nil)
        #expect(group.isOn(.voice) && group.isOn(.files) && group.isOn(.reports))
        #expect(group[.history] == .init(true) && group.commands.isEmpty)
        #expect(group.full.fields["new"] == nil)
    }

    @Test func changed_settings_keep_unknown_fields() throws {
        var group = try preferences(#"{"voice":{"new":1,"enable":"on","role":"admin"},"new":{},"files":7}"#)
        group[.voice] = .init(false)
        group[.files] = .init(true, role: .member)
        group[.reactions] = .init(false, role: .owner, ttl: 5)
        #expect(
            group.fields.line
                == #"{"voice":{"new":1,"enable":"off"},"new":{},"files":{"enable":"on","role":"member"},"#
                + #""reactions":{"enable":"off"}}"#)
        group[.voice] = nil
        #expect(group.fields["voice"] == nil)
    }

    @Test func disappearing_messages() throws {
        for (json, seconds) in [
            ("{}", nil), (#"{"timedMessages":{"enable":"off","ttl":5}}"#, nil),
            (#"{"timedMessages":{"enable":"on","ttl":5}}"#, 5), (#"{"timedMessages":{"enable":"on"}}"#, nil),
            (#"{"timedMessages":{"enable":"on","ttl":0}}"#, nil), (#"{"timedMessages":{"enable":"on","ttl":-5}}"#, nil),
            (#"{"timedMessages":{"enable":"on","ttl":"5"}}"#, nil),
        ] as [(String, Int64?)] {
            #expect(try preferences(json).disappearingSeconds == seconds)
        }
    }
}
