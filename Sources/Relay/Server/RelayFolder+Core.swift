import ByteCoding
import CryptoCore
import SMPProtocol
import Store
import SystemIO

extension RelayFolder {
    /// The core of this relay, with its database.
    func openCore(
        _ limits: RelayLimits, fullAt: Int? = nil, clock: @escaping () -> Timestamp,
        expiryClock: (() -> Timestamp)? = nil, random: any RandomSource
    ) throws(RelayError) -> RelayCore {
        var rules = RelayRules()
        rules.acceptsNewQueues = settings.acceptsNewQueues
        rules.password = settings.password
        rules.quota = settings.quota
        rules.messageLifetime = .seconds(settings.messageDays * 86_400)
        rules.room = limits.window
        rules.isProxy = settings.isProxy
        rules.proxyRequests = limits.proxy.requestsPerClient
        rules.queuesPerConnection = limits.queuesPerConnection
        rules.pageLimit = limits.pageLimit
        rules.fullAt = fullAt
        rules.reserve = limits.reserve
        rules.freeSpace = limits.freeSpace
        do {
            return try RelayCore(
                databasePath, durability: settings.durability, exists: Files.exists(databasePath), rules: rules,
                clock: clock, expiryClock: expiryClock, random: random)
        } catch {
            throw .store(error as? StoreError ?? StoreError(.misuse))
        }
    }
}
