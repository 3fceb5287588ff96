import ByteCoding
import ChatCore
import CommandKit
import SystemIO
import TerminalKit
import Testing

@testable import Commands

@Suite struct FileFaceTests {
    // MARK: - Progress

    @Test func progress_has_rate_and_time_left() {
        let progress = FileProgress("sending"), start = ContinuousClock.now, id = ChatFileID(7)
        #expect(progress.step(at: start).text == "sending" && progress.share == nil)
        progress.note(id, "plan.pdf", 0, of: 10_000_000, at: start)
        #expect(progress.step(at: start).text == "sending 0 %, 0 bytes of 10.0 MB, plan.pdf")
        progress.note(id, "plan.pdf", 2_000_000, of: 10_000_000, at: start + .seconds(2))
        let step = progress.step(at: start + .seconds(2))
        #expect(step.text == "sending 20 %, 2.0 MB of 10.0 MB, 1.0 MB/s, 8 s left, plan.pdf")
        #expect(
            step.rate == 1_000_000 && step.left == .seconds(8) && step.done == 2_000_000 && step.total == 10_000_000)
    }

    @Test func the_rate_is_that_of_the_last_seconds() throws {
        let progress = FileProgress("receiving"), start = ContinuousClock.now, id = ChatFileID(7)
        for second in 0...60 {
            // Fast in the first half, slow in the second.
            let done = second <= 30 ? second * 1_000_000 : 30_000_000 + (second - 30) * 10_000
            progress.note(id, "a", Int64(done), of: 100_000_000, at: start + .seconds(second))
        }
        let rate = try #require(progress.step(at: start + .seconds(60)).rate)
        #expect((9000...11_000).contains(rate), "\(rate)")
        // Another file begins with nothing.
        progress.note(ChatFileID(8), "b", 500, of: 1000, at: start + .seconds(61))
        #expect(progress.share == 50 && progress.step(at: start + .seconds(61)).rate == nil)
    }

    @Test(arguments: [(0, "0 s"), (99, "99 s"), (100, "2 min"), (5999, "100 min"), (6000, "2 h"), (40_000, "12 h")])
    func times_are_short(seconds: Int, text: String) {
        #expect(FileProgress.text(seconds: seconds) == text)
    }

    @Test func a_hostile_name_stays_in_the_line() {
        let progress = FileProgress("receiving")
        progress.note(ChatFileID(1), "a\u{1b}[2J\nb", 5, of: 10)
        let text = progress.text
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(text)")
    }

    // MARK: - Accepting

    @Test(arguments: [
        ("none", nil as Int64?), ("all", .max), ("0", 0), ("500K", 512_000), ("10M", 10_485_760),
    ])
    func limits_are_sizes_or_words(word: String, size: Int64?) throws {
        let limit = try #require(AcceptedFiles.Limit.kind.value(of: word))
        #expect(limit.size == size)
        #expect(AcceptedFiles.Limit.kind.value(of: AcceptedFiles.Limit.kind.word(for: limit)) == limit)
    }

    @Test(arguments: ["", "-1", "much", "10 M", "9999999999T"])
    func other_limits_are_refused(word: String) {
        #expect(AcceptedFiles.Limit.kind.value(of: word) == nil)
    }

    @Test func each_kind_has_a_setting_and_an_option() {
        let keys = AcceptedFiles.settings.map(\.declaration.key)
        #expect(
            keys == ["file.accept", "file.accept_image", "file.accept_voice", "file.accept_video", "file.accept_file"])
        #expect(FileAutoAcceptCommand.limits.map(\.option.declaration.name) == ["image", "voice", "video", "file"])
    }

    // MARK: - Names of piped files

    @Test(arguments: ["", ".", "..", "a/b", "/", String(repeating: "x", count: 201)])
    func a_piped_file_has_no_folder(name: String) {
        #expect(PipedFile.name.value(of: name) == nil)
    }

    // MARK: - Pictures

    @Test func a_picture_is_drawn_with_two_pixels_in_a_character() throws {
        let picture: Bytes = try Base64.decode(FileFaceTests.flag)
        let blocks = try #require(PictureBlocks(picture, columns: 10, rows: 10))
        #expect(
            blocks.rows == [
                "\u{1b}[38;2;255;0;0m\u{1b}[48;2;0;255;0m▀\u{1b}[38;2;255;0;0m\u{1b}[48;2;0;255;0m▀\u{1b}[0m",
                "\u{1b}[38;2;0;0;255m\u{1b}[49m▀\u{1b}[38;2;0;0;255m\u{1b}[49m▀\u{1b}[0m",
            ])
        let small = try #require(PictureBlocks(picture, columns: 1, rows: 1))
        #expect(small.rows.count == 1)
        #expect(
            PictureBlocks(preview: "data:image/png;base64,\(FileFaceTests.flag)", columns: 10, rows: 10)?.rows.count
                == 2)
        #expect(PictureBlocks([1, 2, 3], columns: 10, rows: 10) == nil)
        #expect(PictureBlocks(preview: "data:text/plain,x", columns: 10, rows: 10) == nil)
        #expect(PictureBlocks(preview: "data:image/png;base64,####", columns: 10, rows: 10) == nil)
        #expect(PictureBlocks(picture, columns: 0, rows: 0) != nil)
    }

    /// A PNG of 2 x 3 pixels: a red, a green and a blue row.
    private static let flag =
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAEUlEQVR4nGP4z8AARGACTgMAPtYF+1iCz0YAAAAASUVORK5CYII="
}
