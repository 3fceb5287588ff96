import ChatCore
import CommandKit
import CryptoCore
import Host
import JSONCoding
import Navigation
import SystemIO
import TerminalKit

/// `tacit passcode`
enum PasscodeCommand {
    static let command = Command(
        noun: "passcode", "Protect sessions with a passcode", verbs: leaves.map(\.command))

    static let leaves = [
        PasscodeSetCommand.leaf, PasscodeChangeCommand.leaf, PasscodeOffCommand.leaf, PasscodeSelfDestructCommand.leaf,
    ]

    static let descriptor = Option<Int?>(
        "passcode-fd", "Read the passcode from file descriptor FD", .count("FD", in: 0...65535),
        defaultText: "prompt at the terminal", isCommon: true)
    static let newDescriptor = Option<Int?>(
        "new-passcode-fd", "Read the new passcode from file descriptor FD", .count("FD", in: 0...65535),
        defaultText: "prompt at the terminal", isCommon: true)
    static let grace = Option<Duration?>(
        "grace", "Do not ask after a stop (Ctrl-Z) shorter than this", .duration(),
        defaultText: "unchanged; initially 0s")
    static let idle = Option<Duration?>(
        "idle", "Ask after this idle time; 0s never asks", .duration(),
        defaultText: "unchanged; initially 0s")

    // MARK: - The record

    static func record(_ session: CommandSession) async throws -> GateRecord {
        guard let text = try await session.execute(ShowSessionValue(.gate)).value else { return GateRecord() }
        // SECURITY: what cannot be read must not open the gate.
        guard let record = try? GateRecord(decoding: text) else { throw ChatError.database(.damaged) }
        return record
    }

    static func store(_ record: GateRecord, _ session: CommandSession) async throws {
        try await session.change([SetSessionValue(.gate, record.encoded)])
    }

    /// The record of a gate that is set, if the passcode is the right one. Wrong ones are counted with those of sessions.
    static func opened(by passcode: Passcode, _ session: CommandSession) async throws -> GateRecord {
        let record = try await record(session)
        guard record.passcode != nil else {
            throw Reason.passcodeNotSet
        }
        let now = SystemClock.milliseconds()
        var gate = Gate(record, at: now)
        if case .store(let corrected)? = gate.noteClock(at: now) { try await store(corrected, session) }
        guard case .store(let counted)? = gate.beginTry(at: now) else {
            throw Reason.passcodeWait(gate.wait(at: now))
        }
        try await store(counted, session)
        guard await matches(passcode, record.passcode, session) else {
            throw Reason.passcodeWrong
        }
        for case .store(let opened) in gate.endTry(.right, at: now) { try await store(opened, session) }
        return gate.record
    }

    /// The settings that were given.
    static func applySettings(_ invocation: Invocation, to record: inout GateRecord) {
        if let duration = invocation[grace] { record.grace = milliseconds(duration) }
        if let duration = invocation[idle] { record.idle = duration == .zero ? nil : milliseconds(duration) }
    }

    private static func milliseconds(_ duration: Duration) -> Int64 { Int64(duration / .milliseconds(1)) }

    /// Whether it is the one that was stored, worked out on another thread than the loop's.
    static func matches(
        _ passcode: Passcode, _ stored: GateRecord.Hash?, _ session: CommandSession
    ) async -> Bool {
        guard let stored else { return false }
        return await withCheckedContinuation { continuation in
            session.host.loop.offload({ passcode.matches(stored) }, then: { continuation.resume(returning: $0) })
        }
    }

    /// What is stored of a new one. Not for the loop's thread.
    static func hash(_ passcode: Passcode) throws -> GateRecord.Hash {
        do throws(CryptoError) { return try passcode.hash() } catch { throw ChatError.database(.memory) }
    }
}

/// What a passcode verb has done.
struct GateReport: Report {
    let record: GateRecord

    static let forms = [
        ReportForm(
            "passcode", "The passcode settings of sessions",
            plain: ["set", "numeric", "grace_ms", "idle_ms", "self_destruct"],
            [
                .always("set", .flag, "True if a passcode is set"),
                .sometimes("numeric", .flag, "True if the passcode consists of digits"),
                .always("grace_ms", .duration, "Longest stop (Ctrl-Z) after which no passcode is asked for"),
                .sometimes("idle_ms", .duration, "Idle time after which the passcode is asked for"),
                .always("self_destruct", .flag, "True if a self-destruct passcode is set"),
            ])
    ]

    var json: JSONObject {
        var json = JSONObject(type: "passcode")
        json.set("set", record.passcode != nil)
        json.set("numeric", record.passcode?.isNumeric)
        json.set("grace_ms", record.grace)
        json.set("idle_ms", record.idle)
        json.set("self_destruct", record.selfDestruct != nil)
        return json
    }

    func lines(_ style: ReportStyle) -> [StyledText] {
        guard record.passcode != nil else { return ["no passcode"] }
        let idle = record.idle.map { ", after \($0 / 1000) s without input" } ?? ""
        let stop = record.grace > 0 ? " longer than \(record.grace / 1000) s" : ""
        return [StyledText("sessions ask for the passcode at the start\(idle), and after Ctrl-Z\(stop)")]
            + (record.selfDestruct == nil ? [] : [StyledText("a self-destruct passcode is set")])
    }
}
