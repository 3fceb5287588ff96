public import SMPProtocol
public import SystemIO
public import XFTPClient

extension Agent {
    /// Creates the transfers of files, with their records in the agent's database. ``FileTransfers/resume(_:)`` starts them.
    /// A failure of the database stops the agent.
    ///
    /// - Parameters:
    ///   - folder: The folder of encrypted files, which nothing else uses.
    ///   - servers: Chooses the relay for a new chunk of a profile, except those that rejected it.
    ///   - handler: Called with each event.
    public func makeFileTransfers(
        in folder: String, loop: EventLoop, parameters: FileTransferParameters = FileTransferParameters(),
        servers: @escaping (Int64, Set<ServerAddress>) -> ConfiguredServer?, handler: @escaping (FileEvent) -> Void
    ) -> FileTransfers {
        var parameters = parameters
        parameters.session.route = environment.network.route
        let environment = environment
        let transfers = FileTransfers(
            store: AgentFileStore(engine.store.database), folder: folder, loop: loop, parameters: parameters,
            random: environment.random, now: { environment.now }, servers: servers, handler: handler)
        transfers.onStorageFailure = { [weak self] error in self?.fail(error) }
        return transfers
    }
}
