import AgentProtocol

extension LocalCore {
    /// Carries out a command about what sessions remember.
    func session(_ command: SessionCommand) throws -> CoreResponse {
        if !command.isReading { _ = try agent }
        switch command {
        case .showValue(let key): return .session(.value(key, try store.sessionValue(key.rawValue)))
        case .setValue(let key, let value):
            try store.transaction {
                try store.setSessionValue(key.rawValue, value)
                if key == .notifyMode, value != nil { try noteDecision() }
            }
            return .commandOK(nil)
        case .showDraft(let chat):
            let contact = try contact(chat)
            return .session(.draft(contact, try store.draft(of: contact.id)))
        case .setDraft(let chat, let draft): return try setDraft(draft, of: try contact(chat))
        case .addLine(let line):
            if !line.isEmpty { try store.transaction { try store.addLine(line) } }
            return .commandOK(nil)
        case .listLines(let count): return .session(.lines(try store.lines(count: count)))
        case .countUnread(let id):
            let profile = try profile(id)
            let elsewhere = try store.profiles().reduce(0) { $0 + ($1.id == profile.id ? 0 : $1.unreadCount) }
            return .session(
                .unread(
                    UnreadReport(
                        profile: profile, chats: try store.unreadCounts(of: profile.id), elsewhere: elsewhere)))
        case .setHome(let id, let contact): return try setHome(id, contact)
        case .onboarding(nil): return .session(.onboarding(try onboardingStage()))
        case .onboarding(let stage?): return try advanceOnboarding(to: stage)
        }
    }

    private func setDraft(_ draft: Draft?, of contact: Contact) throws -> CoreResponse {
        let isEmpty = draft?.text.isEmpty ?? true && draft?.answers == nil
        if let id = draft?.answers, try store.item(id)?.contactID != contact.id { throw ChatError.itemNotFound(id) }
        try store.transaction { try store.setDraft(isEmpty ? nil : draft, of: contact.id, at: now) }
        return .commandOK(try profile(contact.profileID))
    }
}
