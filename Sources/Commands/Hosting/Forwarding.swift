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
        guard !run.leaf.isAlone else { throw StoreInUse(hosted, .needsItsEnd, command: invocation.commandName) }
        guard var client = try reach(hosted, invocation, until: deadline) else { return nil }
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
            guard ContinuousClock.now < deadline else { throw Reason.lostHolder }
            SystemClock.pause(StoreAccess.pollingInterval)
            return nil
        }
        return try show(&client, invocation)
    }

    /// Runs other words there than those that were typed, and shows their output as if they had run here.
    static func run(_ words: [String], at hosted: StoreIsHosted, _ invocation: Invocation) throws -> ExitCode {
        var client = try reach(hosted, invocation)
        // The descriptor is one of this process.
        _ = try HiddenProfile.given(invocation)
        let request = RPCRequest(
            id: 1, method: ControlService.runMethod, params: .array(words.map { .string($0) }),
            extensions: [ControlFace.field: ControlFace(invocation).json])
        try client.send(request.json)
        return try show(&client, invocation)
    }

    /// How long a process that carries out a command may say nothing before it is asked whether it is there, and how long it
    /// may take then: some steps occupy it for a while.
    private static let silence = Duration.seconds(10), patience = Duration.seconds(60)
    /// What a process may take at the least to show that it is there, however little time there is.
    private static let leastPatience = Duration.seconds(1)

    /// Connects to a process that shows that it takes requests.
    ///
    /// - Throws: ``SystemError``; one that can be made again later if the process is there and does not answer.
    private static func reach(_ hosted: StoreIsHosted, within patience: Duration) throws(SystemError) -> ControlClient {
        let patience = max(patience, leastPatience)
        var client = try ControlClient(to: hosted.socket, within: patience)
        try client.ping(within: patience)
        try client.keepAsking(after: silence, patience: Forwarding.patience)
        return client
    }

    /// Connects to a process that shows, before the deadline, that it takes requests.
    ///
    /// - Returns: Nil if nobody takes any there, and the lock may be free.
    /// - Throws: ``StoreInUse`` after the deadline.
    static func reach(
        _ hosted: StoreIsHosted, _ invocation: Invocation, until deadline: ContinuousClock.Instant
    ) throws(StoreInUse) -> ControlClient? {
        do throws(SystemError) {
            return try reach(hosted, within: deadline - .now)
        } catch {
            guard !error.isRetry, ContinuousClock.now < deadline else { throw silent(hosted, invocation) }
            SystemClock.pause(StoreAccess.pollingInterval)
            return nil
        }
    }

    /// Connects to a process that shows, within the time that the user gives others, that it takes requests.
    ///
    /// - Throws: ``StoreInUse``, or a ``Reason`` if nobody takes any there.
    static func reach(_ hosted: StoreIsHosted, _ invocation: Invocation) throws -> ControlClient {
        do throws(SystemError) {
            return try reach(hosted, within: invocation[GlobalOptions.lockTimeout])
        } catch {
            guard error.isRetry else { throw Reason.lostHolder }
            throw silent(hosted, invocation)
        }
    }

    /// Makes sure that a process that is there answers within that time. That nobody is there any more is no error.
    static func checkAnswers(_ hosted: StoreIsHosted, _ invocation: Invocation) throws(StoreInUse) {
        do throws(SystemError) {
            _ = try reach(hosted, within: invocation[GlobalOptions.lockTimeout])
        } catch {
            guard !error.isRetry else { throw silent(hosted, invocation) }
        }
    }

    private static func silent(_ hosted: StoreIsHosted, _ invocation: Invocation) -> StoreInUse {
        let waited = max(invocation[GlobalOptions.lockTimeout], leastPatience)
        return StoreInUse(hosted, .isSilent, waited: waited, command: invocation.commandName)
    }

    private static func show(_ client: inout ControlClient, _ invocation: Invocation) throws -> ExitCode {
        while let message = try next(&client) {
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
                try send(reply, &client)
            case .result(let result, _):
                guard let code = result.object?["exit"]?.integer else { throw Reason.lostHolder }
                return ExitCode(rawValue: Int32(clamping: code)) ?? .bug
            case .error, .notification: throw Reason.lostHolder
            }
        }
        throw Reason.lostHolder
    }

    /// Sends a request to the process.
    ///
    /// - Throws: A ``Reason`` with the exit code 75 if the process has ended or does not take it.
    static func send(_ request: RPCRequest, _ client: inout ControlClient) throws {
        do throws(SystemError) {
            try client.send(request.json)
        } catch {
            throw error.isRetry ? Reason.stuckHolder : Reason.lostHolder
        }
    }

    /// What the process says next.
    ///
    /// - Throws: A ``Reason`` if it does not answer any more.
    static func next(_ client: inout ControlClient) throws -> RPCMessage? {
        do throws(SystemError) {
            return try client.next()
        } catch {
            throw error.isRetry ? Reason.stuckHolder : Reason.lostHolder
        }
    }

    /// Has a command carried out there of which nothing is printed here.
    ///
    /// - Throws: ``SystemError`` if the process cannot be reached; one that can be made again later if it is there and does
    ///   not answer.
    static func call(_ method: String, at hosted: StoreIsHosted, within patience: Duration) throws {
        var client = try reach(hosted, within: patience)
        try send(RPCRequest(id: 1, method: method, params: nil), &client)
        while let message = try next(&client) {
            if case .result = message { return }
            if case .error = message { break }
        }
        throw Reason.lostHolder
    }

    /// Has commands carried out there whose effect alone matters, as the profile that the command line names.
    static func carryOut(_ commands: [String], _ invocation: Invocation, at hosted: StoreIsHosted) throws {
        var client = try reach(hosted, invocation)
        let profile = invocation[GlobalOptions.profile].map { ["--profile", $0] } ?? []
        // What is printed of it is not shown.
        let face = ControlFace(invocation).json
        for (number, command) in commands.enumerated() {
            let words = ["api", "--json"] + profile + ["--", command]
            let request = RPCRequest(
                id: .integer(Int64(number)), method: ControlService.runMethod,
                params: .array(words.map { .string($0) }), extensions: [ControlFace.field: face])
            try send(request, &client)
            guard try succeeds(&client) else { throw Reason.stepRefused }
        }
    }

    /// Whether a command ends well, whose output does not matter.
    private static func succeeds(_ client: inout ControlClient) throws -> Bool {
        while let message = try next(&client) {
            switch message {
            case .notification: continue
            case .result(let result, _): return result.object?["exit"]?.integer == 0
            case .error: return false
            }
        }
        throw Reason.lostHolder
    }
}
