import Agent
import AgentProtocol
import ByteCoding
import ChatProtocol
import JSONCoding

/// Chats with a business: whoever asks at its address gets a group with it, to which it can invite colleagues (chat.md 11.4).
extension Groups {
    /// The most customers of a profile that get a group within an hour.
    private static let mostCustomers = 100

    /// Records a request at a business address once, however often it arrives: a group with the customer as its only member.
    func recordCustomer(
        _ event: AgentEvent, at address: Address, _ invitation: ConnectionRequest, _ information: Bytes,
        _ profile: OwnProfile
    ) throws -> [any ChatEvent] {
        guard let message = Groups.message(in: information), case .contactRequest(let request) = message.event,
            message.versions.max >= ChatVersion.groupLinks,
            try store.membersMade(of: profile.id, since: now + .seconds(-3600)) < Groups.mostCustomers
        else { return try context.commit(event) { [] } }
        return try commit(event, profile) { consequences in
            if let key = request.requestID, let known = try store.group(forRequest: key, at: address.connectionID) {
                consequences.events.append(
                    CustomerRepeatedEvent(profile: profile, group: try lookup.group(known)))
                return
            }
            let id = try insertGroup(for: request.profile, of: profile)
            let customer = try insertCustomer(request.profile, message.versions, in: id)
            let connection = try insertConnection(
                with: customer, through: invitation.description, of: try lookup.group(id),
                address: address.connectionID, versions: message.versions)
            try store.setRequestKey(request.requestID, of: connection)
            try store.setWelcomeID(request.welcomeMessageID, of: connection)
            let group = try lookup.group(id), member = try lookup.member(customer)
            try insertFirstEntries(of: group, by: nil)
            if let welcome = address.settings.welcome {
                try welcomeCustomer(member, welcome, shownAs: request.welcomeMessageID, in: group, &consequences)
            }
            if let sent = request.message { try insert(sent, of: member, in: group, &consequences) }
            consequences.events.append(AcceptingCustomerEvent(profile: profile, group: try lookup.group(id)))
            consequences.actions.append { [weak self] in try self?.join(connection) }
        }
    }

    /// The group of a customer, which has the customer's name here, with the user as its owner.
    private func insertGroup(for customer: Profile, of profile: OwnProfile) throws -> GroupID {
        let preferences = GroupPreferences.newBusinessChat(contactPreferences: profile.profile.preferences?.object)
        var presented = GroupProfile(displayName: customer.displayName, preferences: preferences)
        presented.fullName = customer.fullName
        presented.shortDescription = customer.shortDescription
        presented.image = customer.image
        let id = try insert(presented, of: profile)
        let membership = try insertMembership(
            of: profile, in: id, as: nil, role: .owner, status: .creator, inviter: .user)
        try store.setMembership(membership, of: id)
        try store.setProfileSent(id, at: now)
        return id
    }

    private func insertCustomer(
        _ presented: Profile, _ versions: VersionRange, in id: GroupID
    ) throws -> GroupMemberID {
        let group = try lookup.group(id), customerID = newMemberID()
        let shown = presented.presentedByMember().withBoundedImage
        let sides = BusinessChatInfo(.customer, businessID: group.membership.memberID, customerID: customerID)
        try store.setBusiness(sides, id)
        return try store.insertMember(
            ChatStore.NewMember(
                groupID: id, memberID: customerID, role: .member, category: .invitee, status: .accepted,
                name: try takeName(for: shown, of: group.profileID), profile: shown, contactID: nil, inviter: .user,
                versions: versions), at: now)
    }

    /// Sends a customer the welcome, as soon as it is connected. A customer that saw it behind the short link is told what it
    /// says now.
    private func welcomeCustomer(
        _ customer: GroupMember, _ welcome: MessageContent, shownAs shownID: SharedMessageID?, in group: Group,
        _ consequences: inout GroupConsequences
    ) throws {
        let id = shownID ?? conversations.newSharedID()
        let item = try store.insertItem(
            NewItem(content: .message(welcome), direction: .sent, sharedID: id, time: now, entry: GroupEntry()),
            in: .group(group.id), at: now)
        if let shownID {
            try store.update(item, status: .sendSent)
            consequences.messages += try conversations.enqueue(
                .update(MessageUpdate(shownID, welcome)), to: [customer], of: group)
        } else {
            let message = ChatMessage(id: id, event: .message(MessageContainer(welcome)))
            consequences.messages += try conversations.enqueue([message], to: [customer], of: group, items: [item])
        }
        consequences.items.append(LocatedItem(chat: .group(try lookup.group(group.id)), item: try lookup.item(item)))
    }

    /// The message that came with a request.
    private func insert(
        _ message: ContactRequest.Message, of customer: GroupMember, in group: Group,
        _ consequences: inout GroupConsequences
    ) throws {
        let item = try store.insertItem(
            NewItem(
                content: .message(message.content), direction: .received, isUnread: true, sharedID: message.id,
                time: now, entry: GroupEntry(author: customer)), in: .group(group.id), at: now)
        consequences.items.append(LocatedItem(chat: .group(try lookup.group(group.id)), item: try lookup.item(item)))
    }

    // MARK: - As customer

    /// Makes a group of what the link of a business shows. Nothing is sent.
    func prepare(_ profile: OwnProfile, link text: String, _ content: ContactLinkContent) throws -> ChatPreview {
        let link = try connector.pasted(text)
        guard link.link.isPerson, link.link.kind != .invitation else {
            throw ChatError.membership(.refused(.noLinkGroup))
        }
        guard try !connector.isOwn(link, of: profile) else { throw ChatError.ownLink }
        let business = content.profile
        var presented = GroupProfile(
            displayName: business.displayName,
            preferences: .newBusinessChat(contactPreferences: business.preferences?.object))
        presented.fullName = business.fullName
        presented.shortDescription = business.shortDescription
        presented.image = business.image
        return try prepare(profile, link, presented, welcome: content.welcome, isBusiness: true)
    }
}
