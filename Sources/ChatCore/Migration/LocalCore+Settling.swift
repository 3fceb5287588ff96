extension LocalCore {
    /// Has a link end for everybody as soon as its file is here. Must be called before the first transfer.
    public func endLinks() {
        files.sharesLinks = false
    }

    /// Waits until file relays know of the files that were received or deleted. What they do not know in time they delete by themselves
    /// two days after the upload.
    public func settleFiles(within timeout: Duration) async throws(ChatError) {
        do { try files.run() } catch { throw ChatError(error) }
        await exchange.settle(within: timeout)
    }
}
