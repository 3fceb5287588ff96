import ByteCoding
import CryptoCore
import SMPProtocol
import Store
import SystemIO

extension RelayFolder {
    /// What the core of this relay goes by.
    func rules(_ limits: RelayLimits) -> RelayRules {
        var rules = RelayRules()
        rules.acceptsNewQueues = settings.acceptsNewQueues
        rules.password = settings.password
        rules.quota = settings.quota
        rules.messageLifetime = .seconds(settings.messageDays * 86_400)
        rules.room = limits.window
        rules.isProxy = settings.isProxy
        rules.proxyRequests = limits.proxy.requestsPerClient
        rules.queuesPerConnection = limits.queuesPerConnection
        rules.queueLimit = settings.queueLimit
        rules.messageLimit = settings.messageLimit
        rules.sizeLimit = settings.storeMegabytes == 0 ? .max : settings.storeMegabytes << 20
        rules.pageLimit = limits.pageLimit
        rules.reserve = limits.reserve
        rules.freeSpace = limits.freeSpace
        return rules
    }

    /// The core of this relay, with its database.
    func openCore(
        _ rules: RelayRules, clock: @escaping () -> Timestamp, expiryClock: (() -> Timestamp)? = nil,
        random: any RandomSource
    ) throws(RelayError) -> RelayCore {
        do {
            return try RelayCore(
                databasePath, durability: settings.durability, exists: Files.exists(databasePath), rules: rules,
                clock: clock, expiryClock: expiryClock, random: random)
        } catch {
            throw .store(error as? StoreError ?? StoreError(.misuse))
        }
    }
}
