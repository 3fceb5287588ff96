import AgentProtocol
import ByteCoding
import ChatProtocol
import Testing

@testable import ChatCore

/// The calls of hooks.
@Suite struct HookQueueTests {
    /// A hook for each new item.
    private static let hooks = ChatHooks(
        calls: { event in
            guard let items = event as? NewItemsEvent else { return [] }
            return [HookCall(hook: "on-message", profileID: items.profile.id, event: "{}", chatID: "c1")]
        },
        objection: { utterances in utterances.contains { $0.content.text == "no" } ? "not this" : nil })

    @Test func a_call_is_written_with_its_event() throws {
        let bench = try Workbench(hooks: HookQueueTests.hooks), bob = try bench.contact()
        bench.inbox().handle(bench.text("hello", from: bob))
        #expect(try bench.context.hooks.runs().map(\.call.hook) == ["on-message"])
    }

    @Test func no_hook_is_called_for_a_hidden_profile() throws {
        let bench = try Workbench(hooks: HookQueueTests.hooks), bob = try bench.contact()
        try bench.hideProfile()
        bench.inbox().handle(bench.text("hello", from: bob))
        #expect(try bench.texts(bob) == ["hello"] && bench.context.hooks.runs().isEmpty)
    }

    @Test func a_call_that_keeps_failing_is_given_up() throws {
        let bench = try Workbench(hooks: HookQueueTests.hooks), bob = try bench.contact(), queue = bench.context.hooks
        bench.inbox().handle(bench.text("hello", from: bob))
        for _ in 0..<HookRun.mostFailures {
            let run = try #require(try queue.next(afterOneOf: nil, besides: []))
            try queue.settle(run.id, .failed("exit 1"))
        }
        #expect(try queue.next(afterOneOf: nil, besides: []) == nil)
        #expect(try queue.runs().map(\.isGivenUp) == [true])
    }

    @Test func a_call_that_was_made_is_removed() throws {
        let bench = try Workbench(hooks: HookQueueTests.hooks), bob = try bench.contact(), queue = bench.context.hooks
        for text in ["one", "two"] { bench.inbox().handle(bench.text(text, from: bob)) }
        let first = try #require(try queue.next(afterOneOf: nil, besides: []))
        #expect(try queue.next(afterOneOf: nil, besides: [first.id])?.id != first.id)
        try queue.settle(first.id, .done)
        #expect(try queue.runs().count == 1)
    }
}
