import AgentProtocol
import ByteCoding
import SMPProtocol
import Testing

@testable import ChatCore

@Suite struct RelayReachabilityTests {
    private let server = ServerAddress(hosts: [.domain("relay.example.org")], port: 5223, fingerprint: Bytes(0..<32))
    private let other = ServerAddress(hosts: [.domain("other.example.org")], port: 5223, fingerprint: Bytes(0..<32))
    private let first = ProfileID(1), second = ProfileID(2)
    private let start = Timestamp(milliseconds: 1_000), later = Timestamp(milliseconds: 9_000)

    @Test func attempts_that_fail_are_told_once() {
        var state = RelayReachability()
        #expect(state.closed(first, server, .timedOut, at: start) == true)
        #expect(state.closed(first, server, .unknownHost, at: later) == false)
        #expect(state.unreachable.map(\.problem) == [.unknownHost] && state.unreachable.map(\.since) == [start])
        #expect(state.closed(first, other, .timedOut, at: later) == true)
        #expect(state.opened(first, server) == true)
        #expect(state.opened(first, server) == false)
        #expect(state.unreachable.map(\.server) == [other])
    }

    @Test func the_end_of_a_session_is_no_failure() {
        var state = RelayReachability()
        #expect(state.opened(first, server) == false)
        #expect(state.closed(first, server, .closed, at: start) == false)
        #expect(state.unreachable.isEmpty)
        #expect(state.opened(first, server) == false)
        #expect(state.closed(first, server, .closed, at: start) == false)
        #expect(state.closed(first, server, .timedOut, at: later) == true)
    }

    @Test func a_relay_of_two_profiles_is_told_once() {
        var state = RelayReachability()
        #expect(state.closed(first, server, .timedOut, at: start) == true)
        #expect(state.closed(second, server, .timedOut, at: start) == false)
        #expect(state.opened(first, server) == false)
        #expect(state.opened(second, server) == true)
        #expect(state.unreachable.isEmpty)
    }

    @Test func offline_is_no_failure() {
        var state = RelayReachability()
        #expect(state.closed(first, server, .offline, at: start) == false)
        #expect(state.unreachable.isEmpty)
    }
}
