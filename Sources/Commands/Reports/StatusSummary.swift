import ByteCoding
import ChatCore
import CommandKit
import JSONCoding
import SMPProtocol
import TerminalKit

/// What is so in a store.
struct StatusSummary: Report {
    let folder: StoreFolder
    let report: StatusReport
    let holder: StoreLock.Holder?
    let protection: StoreProtection?

    static let forms = [
        ReportForm(
            "status", "What is so in a store", plain: ["profile", "contacts", "unread", "outbox", "store"],
            [
                .always("store", .text, "The folder of the store"),
                .sometimes("profile", .text, "The name of the profile"), .sometimes("profile_id", .id, "The profile"),
                .always("profiles", .count, "How many profiles there are"),
                .always("contacts", .count, "How many contacts the profile has"),
                .always("unread", .count, "How many messages are not marked as read"),
                .always("outbox", .count, "How many messages wait for a relay"),
                .sometimes("held_up", .count, "How many of them cannot go for now"),
                .sometimes("unconfirmed", .count, "Sent messages that arrived altered, or not although later ones did"),
                .always("servers", .texts, "The relays on which new queues are made"),
                .sometimes(
                    "onboarding", .word(OnboardingStage.allCases.map(\.rawValue)),
                    "The first step that is not done; missing if the first steps never began"),
                .sometimes(
                    "lock",
                    .object([
                        .sometimes("pid", .count, "Its number"), .sometimes("command", .text, "What it does"),
                        .sometimes("started_at", .time, "When it opened the store"),
                        .sometimes("since", .time, "When it opened the store").kept(for: "started_at"),
                    ]), "The process that writes to the store"),
                .always("encrypted", .flag, "Whether its pages are encrypted"),
                .sometimes("exported_at", .time, "When an archive of it was made last"),
                .sometimes("imported_at", .time, "When it was made of an archive"),
                .sometimes("frozen", .flag, "Whether it can only be read, until 'tacit db thaw'"),
                .sometimes("frozen_by", .word(["export", "backup"]), "What has frozen it"),
                .sometimes("backup_at", .time, "When the backup was made that it is"),
                .sometimes("copied", .flag, "Whether it was copied from another machine by hand"),
                .always(
                    "problems", .texts,
                    """
                    What is wrong: profile.none, server.none, outbox.waiting, store.frozen, store.copied, \
                    contact.out-of-step, contact.code-changed
                    """),
                .sometimes(
                    "out_of_step", .objects(contactFields), "Contacts whose messages cannot be decrypted any more"),
                .sometimes(
                    "codes_changed", .objects(contactFields),
                    "Contacts whose security code changed after it was compared"),
            ])
    ]
    private static let contactFields: [ReportForm.Field] = [
        .always("chat", .text, "The contact as it is typed"), .always("chat_id", .id, "The contact"),
        .always("profile", .text, "The profile that it belongs to"),
    ]

    /// What is not as it should be, in words for programs.
    var problems: [String] {
        var problems: [String] = []
        if report.profile == nil { problems.append("profile.none") }
        if report.profile != nil, report.servers.isEmpty { problems.append("server.none") }
        if report.waiting > 0 { problems.append("outbox.waiting") }
        if report.freezingExport != nil { problems.append("store.frozen") }
        if report.isCopy { problems.append("store.copied") }
        return problems + ContactProblem.allCases.filter { !contacts(with: $0).isEmpty }.map(\.code)
    }

    /// The contacts that have a problem.
    func contacts(with problem: ContactProblem) -> [LocatedContact] {
        report.contactsInTrouble.filter { $0.contact.has(problem) }
    }

    private func objects(_ problem: ContactProblem) -> JSONValue? {
        let contacts = contacts(with: problem).map { located in
            var fields: JSONObject = [:]
            fields.set("chat", located.contact.target)
            fields.set("chat_id", located.contact.objectID)
            fields.set("profile", located.profile.name)
            return JSONValue.object(fields)
        }
        return contacts.isEmpty ? nil : .array(contacts)
    }

    /// Rows for people: the contacts, and what helps.
    private func rows(_ problem: ContactProblem) -> [StyledText] {
        let contacts = contacts(with: problem), shown = contacts.prefix(5)
        guard !contacts.isEmpty else { return [] }
        let more = contacts.count > shown.count ? " and \(contacts.count - shown.count) more" : ""
        let names = shown.map(\.contact.target).joined(separator: ", ") + more
        return [StyledText(names, .warning)]
            + shown.compactMap { located in
                located.contact.advice(problem, in: located.profile).map { StyledText("try: \($0)", .hint) }
            }
    }

    var json: JSONObject {
        var json = JSONObject(type: "status")
        json.set("store", folder.path)
        json.set("profile", report.profile?.name)
        json.set("profile_id", report.profile?.objectID)
        json.set("profiles", report.profileCount)
        json.set("contacts", report.contactCount)
        json.set("unread", report.unreadCount)
        json.set("outbox", report.waiting)
        if report.heldUp > 0 { json.set("held_up", report.heldUp) }
        if report.unconfirmed > 0 { json.set("unconfirmed", report.unconfirmed) }
        json.set("servers", report.servers.map(\.description))
        json.set("onboarding", report.onboarding?.rawValue)
        if let holder {
            var lock: JSONObject = [:]
            lock.set("pid", holder.pid)
            lock.set("command", holder.command)
            lock.set("started_at", holder.since?.description)
            lock.set("since", holder.since?.description)
            json["lock"] = .object(lock)
        }
        json.set("exported_at", report.lastExport?.exportedAt.description)
        json.set("imported_at", report.lastExport?.importedAt?.description)
        if report.lastExport != nil || report.freezingExport != nil {
            json.set("frozen", report.freezingExport != nil)
        }
        json.set("frozen_by", report.freezingExport.map { $0.isBackup ? "backup" : "export" })
        if let mark = report.freezingExport, mark.isBackup { json.set("backup_at", mark.exportedAt.description) }
        if report.isCopy { json.set("copied", true) }
        json.set("encrypted", protection != nil)
        json.set("problems", problems)
        json["out_of_step"] = objects(.outOfStep)
        json["codes_changed"] = objects(.codeChanged)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        var table = Table([Table.Column(""), Table.Column("", isFlexible: true)])
        func add(_ name: String, _ value: StyledText) { table.add([StyledText(name, .muted), value]) }
        add("store", StyledText(folder.path))
        let others = report.profileCount - 1
        add(
            "profile",
            report.profile.map { StyledText($0.name, .name) + StyledText(others > 0 ? " and \(others) more" : "") }
                ?? StyledText("none: tacit profile create NAME", .warning))
        add("contacts", StyledText("\(report.contactCount)"))
        add("unread", StyledText("\(report.unreadCount)", report.unreadCount > 0 ? .unread : .plain))
        let heldUp = report.heldUp > 0 ? ", \(report.heldUp) held up" : ""
        add("outbox", StyledText("\(report.waiting)\(heldUp)", report.waiting > 0 ? .warning : .plain))
        if report.unconfirmed > 0 { add("unconfirmed", StyledText("\(report.unconfirmed)", .warning)) }
        for problem in ContactProblem.allCases {
            let name = problem == .outOfStep ? "out of step" : "new code"
            for (index, row) in rows(problem).enumerated() { add(index == 0 ? name : "", row) }
        }
        if report.servers.isEmpty { add("relay", StyledText("none", .warning)) }
        for server in report.servers { add("relay", StyledText(server.place)) }
        if protection == nil { add("key", StoreProtection.sentence(nil)) }
        add("writer", holder.map(StatusSummary.sentence) ?? StyledText("nobody"))
        if report.isCopy {
            add("copied", StyledText("from another machine: use only one of the two, or conversations break", .warning))
            add("", StyledText("tacit db thaw, if the other one is not used", .hint))
        }
        if let freezing = report.freezingExport {
            let what = freezing.isBackup ? "a backup of " : "by the export of "
            add("frozen", StyledText(what, .warning) + style.time(freezing.exportedAt))
        } else if let mark = report.lastExport {
            if let time = mark.importedAt {
                add("imported", style.time(time) + ", from an archive of " + style.time(mark.exportedAt))
            } else {
                add("exported", style.time(mark.exportedAt) + (mark.isComplete ? "" : ", perhaps not completely"))
            }
        }
        return table.lines(width: style.width, withTitles: false)
    }

    private static func sentence(_ holder: StoreLock.Holder) -> StyledText {
        StyledText("pid \(holder.pid.map { "\($0)" } ?? "unknown")" + (holder.command.map { ", tacit \($0)" } ?? ""))
    }
}
