public import JSONCoding

/// What went wrong with a part of an archive without being the end of it: `ArchiveError` of the API.
public enum ArchiveError: Error, Hashable, Sendable {
    /// `AEImport`: a part of the archive did not come into the store.
    case importError(String)
    /// `AEFileError`: a file is not, or not wholly, in the archive.
    case fileError(file: String, String)

    /// As the API writes it.
    public var json: JSONObject {
        switch self {
        case .importError(let error): ["type": "import", "importError": .string(error)]
        case .fileError(let file, let error):
            ["type": "fileError", "file": .string(file), "fileError": .string(error)]
        }
    }
}
