import Testing

@testable import WebSocket

@Suite struct OpcodeTests {
    @Test func control_frames_are_known() {
        #expect(Opcode.allCases.filter(\.isControl) == [.close, .ping, .pong])
    }
}
