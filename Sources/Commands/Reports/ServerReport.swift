import ChatCore
import CommandKit
import JSONCoding
import SMPProtocol
import TerminalKit

/// A relay that a profile may make its queues, files or channels on. A password is no part of it.
struct ServerReport: Report {
    let server: ListedServer
    /// Nil for a server of one's own.
    var `operator`: ServerOperator?
    /// What was done with it, if anything: `added`.
    var action: String?
    /// False if it is not used although it is enabled.
    var isUsable = true

    var isForFiles: Bool { server.isForFiles }

    static let forms = [
        ReportForm(
            "server", "A relay for the new queues, files or channels of a profile",
            plain: ["host", "enabled", "used", "operator", "address"],
            [
                .sometimes("id", .id, "Id of the relay; missing for relays for files and chat relays"),
                .always("host", .text, "Host, with a non-standard port; the name of a chat relay"),
                .always("address", .text, "Address without password"),
                .always("enabled", .flag, "True if the relay is enabled"),
                .always(
                    "used", .flag, "True if new queues or channels are created, or new files are stored, on the relay"),
                .always("preset", .flag, "True if the relay is a preset of the program"),
                .sometimes("operator", .text, "Operator of the relay; missing for your own relays"),
                .always("password", .flag, "True if a password for the relay is stored"),
                .sometimes("files", .flag, "True for a relay that stores files"),
                .sometimes("channels", .flag, "True for a chat relay, which serves channels"),
            ])
    ]
    static let columns = [
        Table.Column("STATE"), Table.Column("HOST", isFlexible: true), Table.Column("OPERATOR", isFlexible: true),
    ]

    /// The servers of a profile in the order of their operators, those for files behind those for messages, and chat relays last.
    static func list(_ groups: [OperatorServers]) -> [ServerReport] {
        groups.flatMap { group in group.servers.map { ServerReport(server: .server($0), operator: group.operator) } }
            + groups.flatMap { group in
                // The file relays of an operator are used beside its relays for messages.
                let isUsable = group.operator == nil || group.servers.contains(where: group.uses)
                return group.fileServers.map {
                    ServerReport(server: .server($0), operator: group.operator, isUsable: isUsable)
                }
            }
            + groups.flatMap { group in
                group.relays.map { ServerReport(server: .chatRelay($0), operator: group.operator) }
            }
    }

    /// True if new queues may be created or new files stored there.
    var isUsed: Bool {
        switch server {
        case .server(let server): isUsable && OperatorServers(`operator`, [server]).uses(server)
        case .chatRelay(let relay): OperatorServers(`operator`, []).uses(relay)
        }
    }

    var json: JSONObject {
        var json = JSONObject(type: "server")
        json.set("id", server.objectID)
        json.set("host", server.place)
        json.set("address", server.address)
        json.set("enabled", server.isEnabled)
        json.set("used", isUsed)
        json.set("preset", server.isPreset)
        json.set("operator", `operator`?.tag.rawValue)
        json.set("password", server.profileServer?.server.password != nil)
        if isForFiles { json.set("files", true) }
        if server.isChatRelay { json.set("channels", true) }
        return json
    }

    func cells(_ style: ReportStyle) -> [StyledText] {
        [
            state, StyledText(server.place, .name),
            (`operator`.map { StyledText($0.tag.tradeName) } ?? StyledText("your own", .muted))
                + StyledText(isForFiles ? ", for files" : server.isChatRelay ? ", for channels" : "", .muted),
        ]
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        [
            StyledText("\(action ?? "") ") + StyledText(server.place, .name)
                + StyledText(isForFiles ? " for files" : server.isChatRelay ? " for channels" : "", .muted)
        ]
    }

    private var state: StyledText {
        switch (server.isEnabled, isUsed) {
        case (true, true): StyledText("on")
        case (true, false): StyledText("waits", .warning)
        case (false, _): StyledText("off", .muted)
        }
    }
}

/// What a test of a relay found.
struct ServerTestReport: Report {
    let address: ServerAddress
    /// True for a relay that stores files.
    var isForFiles = false
    /// Nil if the relay can be used.
    let failure: ServerTestFailure?

    static let forms = [
        ReportForm(
            "server-test", "Result of a relay test", plain: ["host", "state", "step"],
            [
                .always("host", .text, "Host, with a non-standard port"),
                .always("address", .text, "Address without password"),
                .always("state", .word(["passed", "failed"]), "Result of the test"),
                .sometimes(
                    "step", .word(ServerTestFailure.Step.allCases.map(\.rawValue)), "Step that failed"),
                .sometimes("files", .flag, "True for a relay that stores files"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "server-test")
        json.set("host", address.place)
        json.set("address", address.text(scheme: isForFiles ? .xftp : .smp))
        json.set("state", failure == nil ? "passed" : "failed")
        json.set("step", failure?.step.rawValue)
        if isForFiles { json.set("files", true) }
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        let place = StyledText(address.place, .name)
        guard let failure else { return [StyledText("passed ") + place] }
        return [StyledText("failed ", .warning) + place + StyledText(" \(failure.step.words)")]
    }
}

extension ServerTestFailure.Step {
    /// As the end of the sentence "it failed ...".
    var words: String {
        switch self {
        case .resolve: "at name lookup"
        case .connect: "while connecting"
        case .tls: "at TLS setup"
        case .handshake: "at version negotiation"
        case .create: "while creating a queue"
        case .secure: "while securing the queue"
        case .delete: "while deleting the queue"
        case .createFile: "while creating a file"
        case .uploadFile: "while uploading a file"
        case .downloadFile: "while downloading the file"
        case .compareFile: "while comparing the files"
        case .deleteFile: "while deleting the file"
        }
    }
}
