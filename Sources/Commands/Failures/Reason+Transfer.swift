import Archive
import ByteCoding
import ChatCore
import JSONCoding
import SystemIO
import TerminalKit

extension Reason {
    init(_ error: TransferError) {
        self =
            switch error {
            case .archive(let error): Reason(error)
            case .layout(.noDatabase):
                Reason(
                    "archive.foreign", .data, "this is no archive of a store",
                    why: ["a database is missing in it"])
            case .layout(.strange):
                Reason(
                    "archive.foreign", .data, "this is no archive of a store",
                    why: ["there is something in it that no store has"])
            case .content(.newer):
                Reason(
                    "archive.newer", .unavailable, "the archive is from a newer version of tacit",
                    tries: [.init("tacit version", "which this is")])
            case .content(.foreign):
                Reason(
                    "archive.foreign", .data, "the databases in the archive are not those of tacit",
                    why: ["they are of another program, or encrypted with a key of another kind"])
            case .content: Reason("archive.damaged", .data, "the databases in the archive are damaged")
            case .notTogether:
                Reason(
                    "archive.mixed", .data, "the databases in the archive do not belong together",
                    why: ["they are of two stores, or of two moments"])
            case .store(let error): Reason(error)
            case .storeExists:
                Reason(
                    "store.exists", .noOutput, "there is a store already",
                    why: ["only an empty one is replaced without being asked"],
                    tries: [
                        .init("tacit import --replace FILE", "replace it, and keep it as a backup"),
                        .init("TACIT_DIR=/some/folder tacit import FILE", "make another store"),
                    ])
            case .noRoom(let needed, let free):
                Reason(
                    "store.full", .inputOutput, "there is not enough room on the disk",
                    why: ["\(ByteCount.text(needed)) are needed, \(ByteCount.text(free)) are free"],
                    tries: [.init("df -h", "see how much room there is")])
            case .system(let error): Reason(error)
            }
    }

    init(_ error: ZipError) {
        self =
            switch error {
            case .notAnArchive:
                Reason(
                    "archive.invalid", .data, "this is no archive, or not all of one",
                    why: ["it does not end as zip files do"])
            case .malformed(let part):
                Reason(
                    "archive.invalid", .data, "the archive is damaged or not honest",
                    why: ["its \(part) contradict the format, or each other"])
            case .unsupported(let part):
                Reason("archive.unsupported", .data, "no archive of a store looks like this", why: ["it has \(part)"])
            case .unsafeName:
                Reason(
                    "archive.unsafe", .data, "the archive is not safe",
                    why: ["a name in it leads out of the store, or is not the same everywhere"])
            case .notAFile:
                Reason(
                    "archive.unsafe", .data, "the archive is not safe",
                    why: ["there is a link or a device in it"])
            case .tooLarge(let part):
                Reason("archive.too-large", .data, "the archive demands too much", why: ["its \(part)"])
            case .damaged:
                Reason("archive.damaged", .data, "the archive is damaged", why: ["a checksum in it is wrong"])
            case .grown:
                Reason("file.changed", .later, "a file became much larger while it was read")
            case .system(let error): Reason(error)
            }
    }

    /// The store goes on elsewhere, or is a backup of one that does.
    init(frozenBy mark: ExportMark) {
        let time = LocalTime.text(milliseconds: mark.exportedAt.milliseconds) ?? mark.exportedAt.description
        var details: JSONObject = [:]
        details.set("frozen_by", mark.isBackup ? "backup" : "export")
        guard !mark.isBackup else {
            self.init(
                "store.frozen", .unavailable, "the store is a backup",
                why: [
                    "it is a copy of \(time); if both went on, each message would reach one of them only",
                    "and the encryption of conversations would break",
                ],
                tries: [.init("tacit db thaw", "only if the original is lost")], details: details)
            return
        }
        let fact =
            mark.isComplete
            ? "it was exported at \(time) to go on elsewhere; if both went on, conversations would break"
            : "an export at \(time) was to move it, and was cut off"
        self.init(
            "store.frozen", .unavailable, "the store is frozen", why: [fact],
            tries: [.init("tacit db thaw", "only if the archive is used nowhere")], details: details)
    }
}
