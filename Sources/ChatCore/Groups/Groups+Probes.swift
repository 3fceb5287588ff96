import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import CryptoCore

/// Contacts that are members too, or other contacts: both sides recognise each other by probes (chat.md 2.4).
///
/// SECURITY: two are taken for one only if the same random probe passed through the connections of both, and both have the same
/// profile. An incognito connection gets random probes without hashes, so that they do not reveal the profile of the user.
extension Groups {
    // MARK: - Sending

    /// Probes a contact that joined an own invitation, inside of a transaction.
    func probe(_ contact: Contact, _ consequences: inout GroupConsequences) throws {
        let probe = newProbe()
        try send(.probe(probe), to: .contact(contact), &consequences)
        guard contact.connection?.storedIncognito == nil else { return }
        let number = try store.insertProbe(probe, sentTo: .contact(contact), at: now)
        for member in try store.members(like: contact.profile, of: contact.profileID)
        where !isIncognito(.member(member)) {
            try check(number, probe, .member(member), &consequences)
        }
    }

    /// Probes a member that was there before, inside of a transaction.
    func probe(_ member: GroupMember, in group: Group, _ consequences: inout GroupConsequences) throws {
        guard member.contactID == nil, try !store.hasProbed(.member(member)) else { return }
        let probe = newProbe()
        try send(.probe(probe), to: .member(member), &consequences)
        guard !group.membership.isIncognito else { return }
        let number = try store.insertProbe(probe, sentTo: .member(member), at: now)
        for contact in try store.contacts(like: member.profile, of: member.profileID)
        where contact.isReady && contact.connection?.storedIncognito == nil {
            try check(number, probe, .contact(contact), &consequences)
        }
    }

    private func newProbe() -> Bytes {
        ProbeMessage.newProbe(random: context.environment.random.bytes(ProbeMessage.randomSize))
    }

    private func check(
        _ number: Int64, _ probe: Bytes, _ person: Counterpart, _ consequences: inout GroupConsequences
    ) throws {
        try store.insertCheck(of: number, sentTo: person)
        try send(.check(hash: SHA256.hash(probe)), to: person, &consequences)
    }

    private func send(
        _ message: ProbeMessage, to person: Counterpart, _ consequences: inout GroupConsequences
    ) throws {
        switch person {
        case .contact(let contact):
            try store.owe(ChatMessage(id: conversations.newSharedID(), event: .probe(message)), to: contact.id)
            consequences.actions.append { [weak self] in try self?.conversations.handOverOwed(to: contact.id) }
        case .member(let member):
            guard member.isReady, let group = try store.group(member.groupID) else { return }
            consequences.messages += try conversations.enqueue(.probe(message), to: [member], of: group)
        }
    }

    // MARK: - Receiving

    /// Records a step of somebody, inside of the transaction of the event.
    func record(
        _ message: ProbeMessage, from person: Counterpart, _ profile: OwnProfile,
        _ consequences: inout GroupConsequences
    ) throws {
        guard !isIncognito(person) else { return }
        switch message {
        case .probe(let probe):
            let hash = SHA256.hash(probe)
            let others = try store.senders(ofHash: hash, in: profile.id)
            try store.insertReceivedProbe(probe, hash: hash, from: person, at: now)
            var prober = person
            for other in others { prober = try confirm(probe, of: prober, to: other, profile, &consequences) }
        case .check(let hash):
            let known = try store.receivedProbe(hash: hash, in: profile.id)
            try store.insertReceivedProbe(nil, hash: hash, from: person, at: now)
            if let known { _ = try confirm(known.probe, of: known.sender, to: person, profile, &consequences) }
        case .confirmation(let probe):
            guard let other = try store.person(probedWith: probe, checkedWith: person) else {
                return ignore("a confirmation of a probe that was not sent", person, profile, &consequences)
            }
            if case .contact(let one) = person, case .contact(let two) = other, canMerge(one, two) {
                _ = try merge(one, two, profile, &consequences)
            } else {
                try recognize(person, other, profile, &consequences)
            }
        }
    }

    /// Tells the sender of a hash that its probe is here, if both can be the same. Returns the sender of the probe as it is then.
    private func confirm(
        _ probe: Bytes, of prober: Counterpart, to checker: Counterpart, _ profile: OwnProfile,
        _ consequences: inout GroupConsequences
    ) throws -> Counterpart {
        if case .contact(let one) = prober, case .contact(let two) = checker, one.profile.looksLike(two.profile),
            canMerge(one, two)
        {
            // Before both are one: the contact expects it through the connection that the hash went through. After a crash it is
            // sent once more, which changes nothing.
            try conversations.say(.probe(.confirmation(probe)), to: two.id)
            return .contact(try merge(one, two, profile, &consequences))
        }
        guard !isIncognito(prober), !isIncognito(checker), let (contact, member) = Groups.pair(prober, checker),
            member.contactID == nil, member.status.isCurrent, contact.status == .active,
            contact.profile.looksLike(member.profile)
        else {
            ignore("a probe that does not match", checker, profile, &consequences)
            return prober
        }
        try send(.confirmation(probe), to: checker, &consequences)
        try recognize(prober, checker, profile, &consequences)
        return prober
    }

    /// True if two contacts may become one. A blocked contact stays alone, so that no other one brings its messages back or is
    /// blocked with it.
    private func canMerge(_ one: Contact, _ other: Contact) -> Bool {
        one.id != other.id
            && [one, other].allSatisfy { $0.isReady && !$0.isBlocked && !isIncognito(.contact($0)) }
    }

    /// Makes one contact of two: the older one stays, with the better name of both. Returns it.
    private func merge(
        _ one: Contact, _ two: Contact, _ profile: OwnProfile, _ consequences: inout GroupConsequences
    ) throws -> Contact {
        let (contact, other) = one.id.number < two.id.number ? (one, two) : (two, one)
        let naming = Groups.number(of: other) < Groups.number(of: contact) ? other : contact
        try store.merge(other, into: contact, naming: naming)
        var merged = try lookup.contact(contact.id)
        // A code was compared for one connection only.
        let current = merged.connection?.id == other.connection?.id ? other : contact
        if let verification = current.verification ?? contact.verification ?? other.verification {
            try store.setVerification(verification, merged.id)
            if current.verification == nil { try noteCodeChange(of: merged, &consequences) }
        }
        merged = try lookup.contact(merged.id)
        // What either was owed goes to both as one.
        consequences.actions.append { [weak self] in try self?.conversations.handOverOwed(to: contact.id) }
        consequences.events.append(
            ContactsMergedEvent(
                profile: profile, contact: naming, former: naming.id == one.id ? two : one, merged: merged))
        return merged
    }

    /// Notes that a contact and a member are the same.
    private func recognize(
        _ one: Counterpart, _ other: Counterpart, _ profile: OwnProfile, _ consequences: inout GroupConsequences
    ) throws {
        guard let (contact, member) = Groups.pair(one, other), member.contactID == nil,
            contact.status == .active, let group = try store.group(member.groupID)
        else { return ignore("a probe that does not match", one, profile, &consequences) }
        try store.free(member.name, in: member.profileID)
        try store.setContact(contact.id, of: member.id)
        // The one of the two names that says more stays: that without a number behind it.
        if Groups.number(of: member) < Groups.number(of: contact) {
            try store.setPresentedName(member.name, of: contact)
        }
        try store.shareName(of: contact.id)
        consequences.events.append(
            MemberRecognizedEvent(
                profile: profile, former: contact, group: try lookup.group(group.id), member: member,
                contact: try lookup.contact(contact.id)))
    }

    /// A contact and a member, in whichever order; nil for two of a kind.
    private static func pair(_ one: Counterpart, _ other: Counterpart) -> (Contact, GroupMember)? {
        switch (one, other) {
        case (.contact(let contact), .member(let member)), (.member(let member), .contact(let contact)):
            (contact, member)
        case (.contact, .contact), (.member, .member): nil
        }
    }

    /// The number that a local name has behind the name that somebody gave itself: 0 without one.
    private static func number(_ name: String, behind presented: String) -> Int? {
        if name == presented { return 0 }
        guard name.hasPrefix(presented + "_") else { return nil }
        return Int(name.dropFirst(presented.count + 1))
    }

    private static func number(of member: GroupMember) -> Int {
        number(member.name, behind: member.profile.displayName) ?? Int.max
    }

    /// A name that the user chose comes before all others.
    private static func number(of contact: Contact) -> Int {
        number(contact.choices.presentedName ?? contact.name, behind: contact.profile.displayName) ?? -1
    }

    /// True if somebody knows the user by a profile that was made up.
    private func isIncognito(_ person: Counterpart) -> Bool {
        switch person {
        case .contact(let contact): contact.connection?.storedIncognito != nil
        case .member(let member): member.connection?.storedIncognito != nil
        }
    }

    private func ignore(
        _ reason: String, _ person: Counterpart, _ profile: OwnProfile, _ consequences: inout GroupConsequences
    ) {
        let connection: ContactConnection? =
            switch person {
            case .contact(let contact): contact.connection
            case .member(let member): member.connection
            }
        guard let connection else { return }
        consequences.events.append(MessageUnusableEvent(profile: profile, connection: connection, reason: reason))
    }
}
