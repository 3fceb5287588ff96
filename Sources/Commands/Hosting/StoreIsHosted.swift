import ChatCore

/// The store is open in another process, which takes the commands of others.
struct StoreIsHosted: Error {
    let holder: StoreLock.Holder
    /// Where it takes them.
    let socket: String
}
