import Commands
import SystemIO
import TestSupport
import Testing

/// The units that are installed with the program, and those that `notify-mode` writes.
@Suite struct NotifyModeTests {
    @Test(arguments: UnitFile.packaged)
    func writesWhatIsPackaged(unit: UnitFile) throws {
        let path = VectorFile.repositoryPath("systemd/\(unit.name)")
        #expect(String(decoding: try Files.read(path, limit: 1 << 16), as: UTF8.self) == unit.text)
    }
}
