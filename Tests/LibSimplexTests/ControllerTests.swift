import ByteCoding
import ChatCore
import CryptoCore
import JSONCoding
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import LibSimplex

@Suite struct ControllerTests {
    private let folder: TemporaryFolder
    private var prefix: String { folder.path + "/bot" }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func request(
        key: String? = nil, keepsKey: Bool = false, confirmation: String = "yesUp"
    ) -> StoreRequest {
        StoreRequest(
            prefix: prefix, key: key.map { Secret(copying: Bytes($0.utf8)) }, keepsKey: keepsKey,
            confirmation: confirmation)
    }

    private func refusal(_ request: StoreRequest) -> DBMigrationResult? {
        guard case .failure(let refusal) = Controller.open(request) else { return nil }
        return refusal.result
    }

    private func type(_ answer: Bytes) -> String? {
        let fields = try? JSONValue(decoding: answer).object
        return fields?["result"]?.object?["type"]?.string ?? fields?["error"]?.object?["type"]?.string
    }

    @Test func a_store_is_created_and_opened_again() throws {
        let controller = try Controller.open(request()).get()
        #expect(type(controller.send("/u")) == "error")
        #expect(
            type(
                controller.send(#"/_create user {"profile":{"displayName":"bot","fullName":""},"pastTimestamp":false}"#)
            )
                == "activeUser")
        #expect(type(controller.send("/u")) == "activeUser")
        #expect(type(controller.send("/nothing")) == "error")
        #expect(StoreFolder(prefix + ".tacit").exists)
        #expect(controller.close() == nil)
        #expect(controller.close() == nil)
        #expect(controller.send("/u") == LibraryError.answer(.closed))
        #expect(controller.receive(within: nil) == nil)
        #expect(controller.reopen() == nil)
        #expect(type(controller.send("/u")) == "activeUser")
        #expect(controller.close() == nil)
        // The folder of a store is a path too.
        let direct = StoreRequest(prefix: prefix + ".tacit", key: nil, keepsKey: false, confirmation: "error")
        let other = try Controller.open(direct).get()
        #expect(type(other.send("/u")) == "activeUser")
        #expect(other.close() == nil)
    }

    @Test func a_store_has_one_controller() throws {
        let controller = try Controller.open(request()).get()
        guard case .errorSQL(_, let message) = refusal(request()) else { return #expect(Bool(false)) }
        #expect(message.hasPrefix("the store is open in"))
        #expect(controller.close() == nil)
        #expect(refusal(request()) == nil)
    }

    @Test func keys_are_checked() throws {
        let key = Base64URL.encode(Bytes(repeating: 7, count: 32))
        let path = prefix + ".tacit"
        let controller = try Controller.open(request(key: key)).get()
        #expect(controller.close() == nil)
        #expect(controller.reopen()?.hasPrefix(#"{"type":"errorNotADatabase""#) == true)
        for wrong in [nil, "other"] {
            #expect(refusal(request(key: wrong)) == .errorNotADatabase(file: path))
        }
        let keeping = try Controller.open(request(key: key, keepsKey: true)).get()
        #expect(keeping.close() == nil)
        #expect(keeping.reopen() == nil)
        #expect(keeping.close() == nil)
    }

    @Test func requests_are_checked() throws {
        #expect(refusal(request(confirmation: "maybe")) == .invalidConfirmation)
        try Files.create(prefix + "_chat.db", [])
        guard case .errorSQL(let file, _) = refusal(request()) else { return #expect(Bool(false)) }
        #expect(file == prefix + "_chat.db")
        #expect(!Files.exists(prefix + ".tacit"))
    }

    @Test func a_running_command_ends_with_its_store() throws {
        let controller = try Controller.open(request()).get()
        let answer = Mutex<Bytes?>(nil)
        WorkerThread.start { answer.withLock { $0 = controller.send("/_receive") } }
        SystemClock.pause(.milliseconds(100))
        #expect(controller.close() == nil)
        while answer.withLock({ $0 }) == nil { SystemClock.pause(.milliseconds(5)) }
    }

    @Test func threads_use_several_stores_at_once() throws {
        let controllers = try (0..<4).map { number in
            try Controller.open(
                StoreRequest(prefix: "\(prefix)\(number)", key: nil, keepsKey: false, confirmation: "yesUp")
            ).get()
        }
        let answers = Mutex<[String?]>([])
        for number in 0..<8 {
            WorkerThread.start {
                for _ in 0..<25 {
                    let answer = controllers[number % 4].send("/_onboarding")
                    answers.withLock { $0.append(self.type(answer)) }
                }
            }
        }
        while answers.withLock({ $0.count }) < 200 { SystemClock.pause(.milliseconds(5)) }
        for controller in controllers { #expect(controller.close() == nil) }
    }

    @Test func numbers_of_no_controller_are_errors() {
        let answers = [UInt(0), 1, 0xdead_0000].map { number in
            unsafe Controllers.use(UnsafeMutableRawPointer(bitPattern: number), or: LibraryError.text) { _ in "" }
        }
        #expect(Set(answers) == [LibraryError.text(.unknownController)])
    }
}
