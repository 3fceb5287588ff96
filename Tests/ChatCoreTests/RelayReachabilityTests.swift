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
        let change1 = state.closed(first, server, .timedOut, at: start)
        #expect(change1)
        let change2 = state.closed(first, server, .unknownHost, at: later)
        #expect(!change2)
        #expect(state.unreachable.map(\.problem) == [.unknownHost] && state.unreachable.map(\.since) == [start])
        let change3 = state.closed(first, other, .timedOut, at: later)
        #expect(change3)
        let change4 = state.opened(first, server)
        #expect(change4)
        let change5 = state.opened(first, server)
        #expect(!change5)
        #expect(state.unreachable.map(\.server) == [other])
    }

    @Test func the_end_of_a_session_is_no_failure() {
        var state = RelayReachability()
        let change6 = state.opened(first, server)
        #expect(!change6)
        let change7 = state.closed(first, server, .closed, at: start)
        #expect(!change7)
        #expect(state.unreachable.isEmpty)
        let change8 = state.opened(first, server)
        #expect(!change8)
        let change9 = state.closed(first, server, .closed, at: start)
        #expect(!change9)
        let change10 = state.closed(first, server, .timedOut, at: later)
        #expect(change10)
    }

    @Test func a_relay_of_two_profiles_is_told_once() {
        var state = RelayReachability()
        let change11 = state.closed(first, server, .timedOut, at: start)
        #expect(change11)
        let change12 = state.closed(second, server, .timedOut, at: start)
        #expect(!change12)
        let change13 = state.opened(first, server)
        #expect(!change13)
        let change14 = state.opened(second, server)
        #expect(change14)
        #expect(state.unreachable.isEmpty)
    }

    @Test func offline_is_no_failure() {
        var state = RelayReachability()
        let change15 = state.closed(first, server, .offline, at: start)
        #expect(!change15)
        #expect(state.unreachable.isEmpty)
    }
}
