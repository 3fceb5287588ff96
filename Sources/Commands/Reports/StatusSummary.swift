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
    /// The unfinished migration of the store.
    let migration: MigrationRecord?

    static let forms = [
        ReportForm(
            "status", "Status of a store", plain: ["profile", "contacts", "unread", "outbox", "store"],
            [
                .always("store", .text, "Folder of the store"),
                .sometimes("profile", .text, "Name of the profile"), .sometimes("profile_id", .id, "Id of the profile"),
                .always("profiles", .count, "Number of profiles"),
                .always("contacts", .count, "Number of contacts of the profile"),
                .always("unread", .count, "Number of unread messages"),
                .always("outbox", .count, "Number of queued messages"),
                .sometimes("held_up", .count, "Number of queued messages that are blocked for now"),
                .sometimes("uploads", .count, "Number of sent files that file relays do not have yet"),
                .sometimes(
                    "unconfirmed", .count,
                    "Number of sent messages that arrived altered, or are unconfirmed although later ones are confirmed"
                ),
                .always("files", .count, "Number of files in the store, received and sent"),
                .always("files_size", .size, "Size of the files in the store"),
                .always("servers", .texts, "Relays for new queues"),
                .sometimes("file_servers", .texts, "Relays for new files; missing if there are none"),
                .sometimes(
                    "onboarding", .word(OnboardingStage.allCases.map(\.rawValue)),
                    "First incomplete setup step; missing if setup never started"),
                .sometimes(
                    "lock",
                    .object([
                        .sometimes("pid", .count, "Process id"), .sometimes("command", .text, "Command of the process"),
                        .sometimes("started_at", .time, "Time when the process opened the store"),
                        .sometimes("since", .time, "Time when the process opened the store").kept(for: "started_at"),
                    ]), "Process that writes to the store"),
                .always("encrypted", .flag, "True if the store is encrypted"),
                .sometimes("exported_at", .time, "Time of the last export"),
                .sometimes("imported_at", .time, "Time of the import that created the store"),
                .sometimes("frozen", .flag, "True if the store is read-only until 'tacit db thaw'"),
                .sometimes("frozen_by", .word(["export", "backup"]), "Reason for the freeze"),
                .sometimes("backup_at", .time, "Time of the backup that this store is"),
                .sometimes(
                    "migration", .word(MigrationStage.allCases.map(\.rawValue)), "Step of an unfinished migration"),
                .sometimes("copied", .flag, "True if the store was copied from another machine by hand"),
                .always(
                    "problems", .texts,
                    """
                    Problems: profile.none, server.none, outbox.waiting, file.waiting, relay.unreachable, store.frozen, store.copied, \
                    migration.unfinished, contact.out-of-step, contact.code-changed
                    """),
                .sometimes(
                    "unreachable",
                    .objects([
                        .always("relay", .text, "Host and port of the relay"),
                        .always("address", .text, "Address of the relay"),
                        .always("reason", .text, "Reason in words, which may change"),
                        .always("failed_at", .time, "Time of the first attempt that failed"),
                    ]), "Relays that the last attempt to receive could not reach"),
                .sometimes(
                    "out_of_step", .objects(contactFields), "Contacts whose messages fail to decrypt"),
                .sometimes(
                    "codes_changed", .objects(contactFields),
                    "Contacts whose security code changed after verification"),
            ])
    ]
    private static let contactFields: [ReportForm.Field] = [
        .always("chat", .text, "Contact, in the form that commands accept"),
        .always("chat_id", .id, "Id of the contact"),
        .always("profile", .text, "Name of its profile"),
    ]

    /// What is not as it should be, in words for programs.
    var problems: [String] {
        var problems: [String] = []
        if report.profile == nil { problems.append("profile.none") }
        if report.profile != nil, report.servers.isEmpty { problems.append("server.none") }
        if report.waiting > 0 { problems.append("outbox.waiting") }
        if report.uploads > 0 { problems.append("file.waiting") }
        if !report.unreachable.isEmpty { problems.append("relay.unreachable") }
        if report.freezingExport != nil { problems.append("store.frozen") }
        if report.isCopy { problems.append("store.copied") }
        if migration != nil { problems.append("migration.unfinished") }
        return problems + ContactProblem.allCases.filter { !contacts(with: $0).isEmpty }.map(\.code)
    }

    /// The contacts that have a problem.
    func contacts(with problem: ContactProblem) -> [LocatedContact] {
        report.contactsInTrouble.filter { $0.contact.has(problem) }
    }

    /// The unreachable relays, each once.
    var unreachable: [UnreachableRelay] {
        report.unreachable.enumerated().filter { index, relay in
            !report.unreachable[..<index].contains { $0.server == relay.server }
        }.map(\.element)
    }

    private static func object(_ relay: UnreachableRelay) -> JSONValue {
        var fields: JSONObject = [:]
        fields.set("relay", relay.server.place)
        fields.set("address", relay.server.description)
        fields.set("reason", relay.problem.sentence)
        fields.set("failed_at", relay.since.description)
        return .object(fields)
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
        if report.uploads > 0 { json.set("uploads", report.uploads) }
        if report.unconfirmed > 0 { json.set("unconfirmed", report.unconfirmed) }
        json.set("files", report.files.count)
        json.set("files_size", report.files.size)
        json.set("servers", report.servers.map(\.description))
        if !report.fileServers.isEmpty {
            json.set("file_servers", report.fileServers.map { $0.text(scheme: .xftp) })
        }
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
        json.set("migration", migration?.stage.rawValue)
        if report.isCopy { json.set("copied", true) }
        json.set("encrypted", protection != nil)
        json.set("problems", problems)
        if !unreachable.isEmpty { json["unreachable"] = .array(unreachable.map(StatusSummary.object)) }
        json["out_of_step"] = objects(.outOfStep)
        json["codes_changed"] = objects(.codeChanged)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        var table = Table([Table.Column(""), Table.Column("", isFlexible: true)])
        func add(_ name: String, _ value: StyledText) { table.add([StyledText(name, .muted), value]) }
        if let migration {
            add("migration", StyledText(migration.stage.sentence, .warning))
            for (line, note) in migration.stage.commands { add("", StyledText("try: \(line), \(note)", .hint)) }
        }
        add("store", StyledText(folder.path))
        let others = report.profileCount - 1
        add(
            "profile",
            report.profile.map { StyledText($0.name, .name) + StyledText(others > 0 ? " and \(others) more" : "") }
                ?? StyledText("none: tacit profile create NAME", .warning))
        add("contacts", StyledText("\(report.contactCount)"))
        add("unread", StyledText("\(report.unreadCount)", report.unreadCount > 0 ? .unread : .plain))
        let heldUp = report.heldUp > 0 ? ", \(report.heldUp) blocked" : ""
        add("outbox", StyledText("\(report.waiting)\(heldUp)", report.waiting > 0 ? .warning : .plain))
        if report.uploads > 0 {
            add("uploads", StyledText("\(report.uploads)", .warning))
            add("", StyledText("try: tacit fetch, continue the uploads", .hint))
        }
        if report.unconfirmed > 0 { add("unconfirmed", StyledText("\(report.unconfirmed)", .warning)) }
        for problem in ContactProblem.allCases {
            let name = problem == .outOfStep ? "out of sync" : "new code"
            for (index, row) in rows(problem).enumerated() { add(index == 0 ? name : "", row) }
        }
        if report.files.count > 0 {
            add("files", StyledText("\(report.files.count), \(ByteCount.text(report.files.size))"))
        }
        if report.servers.isEmpty { add("relay", StyledText("none", .warning)) }
        for server in report.servers { add("relay", StyledText(server.place)) }
        for server in report.fileServers { add("file relay", StyledText(server.place)) }
        for relay in unreachable {
            let fact = "\(relay.server.place): \(relay.problem.sentence), since "
            add("unreachable", StyledText(fact, .warning) + style.time(relay.since))
        }
        if protection == nil { add("key", StoreProtection.sentence(nil)) }
        add("writer", holder.map(StatusSummary.sentence) ?? StyledText("none"))
        if report.isCopy {
            add("copied", StyledText("from another machine: use only one of the two, or conversations break", .warning))
            add("", StyledText("try: tacit db thaw, if the other copy is not in use", .hint))
        }
        if let freezing = report.freezingExport {
            let what = freezing.isBackup ? "a backup of " : "by the export of "
            add("frozen", StyledText(what, .warning) + style.time(freezing.exportedAt))
        } else if let mark = report.lastExport {
            if let time = mark.importedAt {
                add("imported", style.time(time) + ", from an archive of " + style.time(mark.exportedAt))
            } else {
                add("exported", style.time(mark.exportedAt) + (mark.isComplete ? "" : ", possibly incomplete"))
            }
        }
        return table.lines(width: style.width, withTitles: false)
    }

    private static func sentence(_ holder: StoreLock.Holder) -> StyledText {
        StyledText("pid \(holder.pid.map { "\($0)" } ?? "unknown")" + (holder.command.map { ", tacit \($0)" } ?? ""))
    }
}
