import ChatCore
import CommandKit
import ControlSocket
import JSONCoding
import SystemIO
import TerminalKit

/// Has a command carried out by the process that has the store open, and shows its output as if it had run here.
enum Forwarding {
    /// Runs a whole command there.
    ///
    /// - Parameter arguments: Its words, as they were typed here.
    /// - Returns: The exit code; nil if nobody takes commands there now, and the lock may be free.
    /// - Throws: ``StoreInUse`` after the deadline, or if the command is none that runs beside others.
    static func run(
        _ arguments: [String], _ run: CommandRun, at hosted: StoreIsHosted, until deadline: ContinuousClock.Instant
    ) throws -> ExitCode? {
        let invocation = run.invocation
        guard !run.leaf.isAlone else { throw StoreInUse(hosted, command: invocation.commandName) }
        guard var client = try? ControlClient(to: hosted.socket) else {
            guard ContinuousClock.now < deadline else {
                let waited = invocation[GlobalOptions.lockTimeout]
                throw StoreInUse(hosted, waited: waited, command: invocation.commandName)
            }
            SystemClock.pause(StoreAccess.pollingInterval)
            return nil
        }
        // The descriptor is one of this process.
        _ = try HiddenProfile.given(invocation)
        let request = RPCRequest(
            id: 1, method: ControlService.runMethod, params: .array(arguments.map { .string($0) }),
            extensions: [ControlFace.field: ControlFace(invocation).json])
        let input = try arguments.contains("-") ? invocation.input.reopened() : nil
        do throws(SystemError) {
            try client.send(request.json, passing: input?.file.number)
        } catch {
            // It ended just now, and cannot have begun with a request that it did not get whole.
            return nil
        }
        return try show(&client, invocation)
    }

    private static func show(_ client: inout ControlClient, _ invocation: Invocation) throws -> ExitCode {
        while let message = try client.next() {
            switch message {
            case .notification(ControlService.outputMethod, let params):
                let stream = params["stream"]?.string == "stderr" ? invocation.errors : invocation.output
                try stream.write(verbatim: params["text"]?.string ?? "")
                try stream.flush()
            case .notification(ControlService.questionMethod, let params):
                let question = StyledText(params["text"]?.string ?? "")
                let isAllowed = !invocation[GlobalOptions.noInput]
                let answer = try isAllowed && invocation.questions.confirm(question)
                let reply = RPCRequest(
                    id: nil, method: ControlService.answerMethod,
                    params: .object(["id": 1, "question": params["question"] ?? 0, "yes": .bool(answer)]))
                try client.send(reply.json)
            case .result(let result, _):
                guard let code = result.object?["exit"]?.integer else { throw Reason.lostHolder }
                return ExitCode(rawValue: Int32(clamping: code)) ?? .bug
            case .error, .notification: throw Reason.lostHolder
            }
        }
        throw Reason.lostHolder
    }

    /// Has a command carried out there of which nothing is printed here.
    static func call(_ method: String, at hosted: StoreIsHosted) throws {
        var client = try ControlClient(to: hosted.socket)
        try client.send(RPCRequest(id: 1, method: method, params: nil).json)
        while let message = try client.next() {
            if case .result = message { return }
            if case .error = message { break }
        }
        throw Reason.lostHolder
    }

    /// Has commands carried out there whose effect alone matters, as the profile that the command line names.
    static func carryOut(_ commands: [ChatCommand], _ invocation: Invocation, at hosted: StoreIsHosted) throws {
        var client = try ControlClient(to: hosted.socket)
        let profile = invocation[GlobalOptions.profile].map { ["--profile", $0] } ?? []
        // What is printed of it is not shown.
        let face = ControlFace(invocation).json
        for (number, command) in commands.enumerated() {
            let words = ["api", "--json"] + profile + ["--", command.text]
            let request = RPCRequest(
                id: .integer(Int64(number)), method: ControlService.runMethod,
                params: .array(words.map { .string($0) }), extensions: [ControlFace.field: face])
            try client.send(request.json)
            guard try succeeds(&client) else { throw Reason.stepRefused }
        }
    }

    /// Whether a command ends well, whose output does not matter.
    private static func succeeds(_ client: inout ControlClient) throws -> Bool {
        while let message = try client.next() {
            switch message {
            case .notification: continue
            case .result(let result, _): return result.object?["exit"]?.integer == 0
            case .error: return false
            }
        }
        throw Reason.lostHolder
    }
}

extension Reason {
    fileprivate static let stepRefused = Reason(
        "store.step", .later, "the process that has the store open did not write down how far this has come",
        why: ["what was printed comes again"])

    static let lostHolder = Reason(
        "store.holder-ended", .later, "the process that has the store open ended meanwhile",
        why: ["what was sent may be in the outbox already"],
        tries: [.init("tacit list outbox", "see what waits there")])
}
