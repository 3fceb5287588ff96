public import SystemIO

extension StoreExport.Destination {
    /// A new file, which gets its name when it is complete.
    public static func file(
        _ path: String, progress: @escaping (_ done: Int, _ all: Int) throws -> Void
    ) throws(SystemError) -> StoreExport.Destination {
        let draft = try ArchiveDraft(path)
        return StoreExport.Destination(write: draft.write, publish: draft.publish, progress: progress)
    }
}
