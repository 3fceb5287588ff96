import Agent
import AgentProtocol
import PageCipher
import SMPClient
import Store
import SystemIO

extension ChatError {
    init(_ error: any Error) {
        switch error {
        case let error as ChatError: self = error
        case AgentError.relay(let server, let error):
            self = .relay(RelayObstacle(server: server, problem: RelayProblem(error)))
        case AgentError.notice(let server, _, let end):
            self = .relay(RelayObstacle(server: server, problem: .addressesRefused(until: end)))
        case AgentError.connection(.incompatible): self = .incompatibleLink
        case AgentError.link(.unknownServer): self = .invalidLink
        case AgentError.link: self = .badLink
        case AgentError.connection(.invalidKey): self = .invalidLink
        case AgentError.connection(.tooLarge): self = .invalidProfile
        case AgentError.store(let error): self = ChatError(error)
        case let error as StoreError: self = ChatError(error)
        case let error as CipherError: self = ChatError(error)
        case let error as SystemError: self = ChatError(error)
        case TransferError.content(let problem): self = .database(problem)
        case TransferError.app(let isNewer): self = .database(isNewer ? .newer : .foreign)
        case TransferError.store(let error): self = error
        case TransferError.system(let error): self = ChatError(error)
        case TransferError.noRoom: self = .database(.diskFull)
        case TransferError.archive, TransferError.layout, TransferError.notTogether: self = .database(.foreign)
        default: self = .internal
        }
    }

    /// A file of the store that could not be read or written.
    private init(_ error: SystemError) {
        self =
            switch error.condition {
            case .noSpace: .database(.diskFull)
            case .missing, .exists, .denied: .database(.cannotOpen)
            case .noLocks, .other: .database(.disk)
            }
    }

    init(_ error: StoreError) {
        self =
            switch error.code {
            case .busy: .database(.busy)
            case .diskFull: .database(.diskFull)
            case .disk: .database(.disk)
            case .damaged: .database(.damaged)
            case .cannotOpen: .database(.cannotOpen)
            case .olderSchema: .database(.older)
            case .newerSchema: .database(.newer)
            case .notADatabase, .otherSchema: .database(.foreign)
            case .outOfMemory: .database(.memory)
            case .wrongKey: .database(.wrongKey)
            case .keyMissing: .database(.keyMissing)
            case .constraint, .misuse: .internal
            }
    }
}
