extension LocalCore {
    /// Fails where nothing may change: an export has frozen the store. A core that only reads can be asked before something is
    /// begun that would have to be written down in the end.
    public func checkNotFrozen() throws(ChatError) {
        let mark: ExportMark?
        do { mark = try store.freezingExport() } catch { throw ChatError(error) }
        if let mark { throw .frozen(mark) }
    }
}
