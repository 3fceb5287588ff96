// What the parts of a client can do, each by itself.
//
//     client-bench ratchet              steps, and messages in and out
//     client-bench session ADDRESS      messages between two agents with open sessions
//     client-bench store FOLDER         databases in an empty folder, plain and encrypted
//     client-bench fill FOLDER [CHATS]  fills a store that `tacit init` made: 1,000 chats, 100,000 messages in all
//     client-bench groups FOLDER        fills a store that `tacit init` made: 500 groups of 100 members
//     client-bench team STORE FILE ADDRESS
//                                       gives the group of a store 199 members, whose side of the connections is in FILE
//     client-bench queues STORE RELAY ADDRESS COUNT
//                                       gives a store and a relay, which must not run, so many queues in common
//
// Prints a line for each round of each value: name, value, unit. `Benchmarks/run` takes the medians.
import Glibc
import SMPProtocol
import SystemIO

/// Ends the benchmark: a number that was measured beside an error would mislead.
func stop(_ reason: String) -> Never {
    try? FileDescriptor(owning: 2).write(Array("client-bench: \(reason)\n".utf8))
    exit(1)
}

do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.count) {
    case ("ratchet", 1): try RatchetBenchmark().run()
    case ("session", 2): try SessionBenchmark(ConfiguredServer(text: arguments[1])).run()
    case ("store", 2): try StoreBenchmark(arguments[1]).run()
    case ("fill", 2): try StoreFilling(arguments[1]).run()
    case ("fill", 3):
        guard let chats = Int(arguments[2]), chats > 0 else { stop("CHATS is a number") }
        try StoreFilling(arguments[1], chats: chats).run()
    case ("groups", 2): try GroupFilling(arguments[1]).run()
    case ("team", 4):
        try TeamFilling(store: arguments[1], members: arguments[2], ConfiguredServer(text: arguments[3])).run()
    case ("queues", 5):
        guard let count = Int(arguments[4]), count > 0 else { stop("COUNT is a number") }
        try QueueFilling(store: arguments[1], relay: arguments[2], count: count).run(arguments[3])
    default:
        stop(
            "ratchet | session ADDRESS | store FOLDER | fill FOLDER [CHATS] | groups FOLDER | "
                + "team STORE FILE ADDRESS | queues STORE RELAY ADDRESS COUNT")
    }
} catch {
    stop("\(error)")
}
