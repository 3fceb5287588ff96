import XFTPClient

/// Events of the transfers.
extension ChatFiles {
    /// Records an event of the transfers, once.
    func handle(_ event: FileEvent) {
        guard context.failure == nil else { return }
        do {
            try record(event)
        } catch {
            context.failure = ChatError(error)
        }
        context.connectedAgent?.reconsider()
    }

    private func record(_ event: FileEvent) throws {
        switch event {
        case .sending(let id, let sent, let total):
            try withFile(id) { try recordSending($0, sent: sent, total: total) }
        case .sent(let id, let sender, let recipients):
            try withFile(id, isSent: true) { try recordSent($0, sender, recipients) }
        case .describing(let id, let size):
            try withFile(id) { record in
                try tell(record.file.id) { profile, record, _ in
                    FileRedirectStartedEvent(profile: profile, file: SentFileTransfer(record), size: size)
                }
            }
        case .receiving(let id, let received, let total):
            try withFile(id) { try recordReceiving($0, received: received, total: total) }
        case .received(let id, let path, let name):
            try withFile(id, isSent: false) { try recordReceived($0, path, name: name) }
        case .warning(let id, let failure):
            try withFile(id, isDelayed: true) { try delay($0, FileProblem(failure)) }
        case .failed(let id, let failure): try withFile(id) { try fail($0, FileProblem(failure)) }
        case .ended(let id, let code): try withFile(id) { try fail($0, FileProblem(code: code)) }
        case .deleted: break
        }
    }

    /// Returns true if a received file may be passed on: a member of a group gives its description to newcomers, with the
    /// history (chat.md 4.4).
    func isPassedOn(_ id: FileID) throws -> Bool {
        guard let itemID = try store.file(id)?.itemID, let item = try store.item(itemID) else { return false }
        return ConversationPolicy(try lookup.chat(item.chat)).hasNewcomers
    }

    /// Does something with the file of a transfer. A transfer without a file is forgotten.
    private func withFile(
        _ id: FileID, isSent: Bool? = nil, isDelayed: Bool = false, _ body: (StoredFile) throws -> Void
    ) throws {
        guard let record = try store.file(id) else {
            switch isSent {
            case true?: try transfers?.deleteSent(id)
            case false?: try transfers?.forgetReceived(id)
            case nil: break
            }
            return
        }
        if isDelayed { delayed.insert(record.file.id) } else { delayed.remove(record.file.id) }
        try body(record)
    }

    private func fail(_ record: StoredFile, _ problem: FileProblem) throws {
        if record.isSent { try fail(sending: record, problem) } else { try fail(receiving: record, problem) }
    }

    private func delay(_ record: StoredFile, _ problem: FileProblem) throws {
        guard record.file.state.isUnderWay else { return }
        try update(record, record.isSent ? .sentWarning(problem) : .receivedWarning(problem)) { profile, record, item in
            if record.isSent {
                FileSendingDelayedEvent(
                    profile: profile, item: item, file: SentFileTransfer(record), problem: problem)
            } else {
                FileReceivingDelayedEvent(
                    profile: profile, item: item, file: ReceivedFileTransfer(record, of: item), problem: problem)
            }
        }
    }
}
