import CryptoCore
package import SMPProtocol

/// Chooses the server of a new queue among those of a profile.
///
/// Operators share the queues equally, however many servers each has; the servers of one's own count as one more operator.
/// Where the other side has its queue already, another operator is preferred: nobody then sees both directions of a
/// conversation.
package struct ServerChoice {
    private let candidates: [ProfileServer]
    /// Whether only conditions that were not accepted are in the way.
    package let needsConditions: Bool

    package init(_ servers: [ProfileServer], _ operators: [ServerOperator]) {
        let groups = OperatorServers.grouped(servers, operators)
        candidates = groups.flatMap { group in group.servers.filter(group.uses) }
        needsConditions = candidates.isEmpty && groups.contains(where: \.needsConditions)
    }

    /// The servers that new queues are made on.
    package var servers: [ConfiguredServer] { candidates.map(\.server) }

    /// A server, nil if there is none.
    ///
    /// - Parameter others: Where the other side has its queues.
    package func server(
        besides others: [ServerAddress] = [], using generator: inout some RandomNumberGenerator
    ) -> ConfiguredServer? {
        let elsewhere = candidates.filter { !isAt(others, $0) }
        let operators = Set(others.compactMap(ServerOperator.Tag.init(of:)))
        let withOthers = elsewhere.filter { server in server.operator.map { !operators.contains($0) } ?? true }
        let preferred = [withOthers, elsewhere, candidates].first { !$0.isEmpty } ?? []
        let groups = OperatorServers.grouped(preferred, ServerOperator.Tag.allCases.map { ServerOperator($0) })
        return groups.filter { !$0.servers.isEmpty }.randomElement(using: &generator)?
            .servers.randomElement(using: &generator)?.server
    }

    private func isAt(_ others: [ServerAddress], _ server: ProfileServer) -> Bool {
        others.contains { other in server.collides(with: ProfileServer(ConfiguredServer(address: other))) }
    }
}

/// Random numbers for the algorithms of the library.
struct RandomNumbers: RandomNumberGenerator {
    private let source: any RandomSource

    init(_ source: any RandomSource) {
        self.source = source
    }

    mutating func next() -> UInt64 {
        source.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
