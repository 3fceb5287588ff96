import AgentProtocol
import ByteCoding
import Store

extension ChatStore {
    /// Sets whether contacts of a profile, or of all profiles, are told that their messages arrived.
    func setReceipts(_ isOn: Bool, of id: ProfileID?, clearsContacts: Bool) throws {
        try database.run(
            "UPDATE profiles SET sends_receipts = ?1 WHERE ?2 IS NULL OR profile_id = ?2", isOn, id?.number)
        guard clearsContacts else { return }
        try database.run("UPDATE contacts SET sends_receipts = NULL WHERE ?1 IS NULL OR profile_id = ?1", id?.number)
    }

    /// Sets whether a contact is told that its messages arrived; nil for the setting of the profile.
    func setReceipts(_ isOn: Bool?, of id: ContactID) throws {
        try database.run("UPDATE contacts SET sends_receipts = ? WHERE contact_id = ?", isOn, id.number)
    }

    // MARK: - Queues

    /// Notes whether a queue of a connection is being replaced.
    func setMoving(_ isMoving: Bool, _ direction: QueueDirection, _ id: ConnectionID) throws {
        let column =
            switch direction {
            case .receiving: "moves_own_queue"
            case .sending: "moves_contact_queue"
            }
        try database.run("UPDATE connections SET \(column) = ? WHERE connection_id = ?", isMoving, id.number)
    }

    // MARK: - Errors

    /// Counts that a relay did not accept a message for a contact's queue.
    func countAuthError(of id: ConnectionID) throws {
        try database.run("UPDATE connections SET auth_errors = auth_errors + 1 WHERE connection_id = ?", id.number)
    }

    func countQuotaError(of id: ConnectionID) throws {
        try database.run("UPDATE connections SET quota_errors = quota_errors + 1 WHERE connection_id = ?", id.number)
    }

    /// Notes that a queue stayed full for so long that a message expired.
    func setInactive(_ id: ConnectionID) throws {
        try database.run(
            "UPDATE connections SET quota_errors = max(quota_errors, ?) WHERE connection_id = ?",
            ContactConnection.mostQuotaErrors, id.number)
    }

    /// The contact's queue takes messages.
    func clearErrors(of id: ConnectionID) throws {
        try database.run("UPDATE connections SET auth_errors = 0, quota_errors = 0 WHERE connection_id = ?", id.number)
    }

    /// Marks whether the relay lets this side receive.
    func setRefused(_ isRefused: Bool, _ id: ConnectionID) throws {
        try database.run("UPDATE connections SET is_refused = ? WHERE connection_id = ?", isRefused, id.number)
    }
}
