// What a relay can do and what that takes: its process is measured from outside, under the load of one process beside it.
//
//     relay-bench .build/release/tacit
//     relay-bench smp://FINGERPRINT@HOST:PORT --process ID
//
// prints a line for each value: name, median, unit. Both processes share the machine, so that the messages per second
// say as much about the load as about the relay; its processor time and memory are its own.
import ByteCoding
import Glibc
import SMPProtocol
import SystemIO

// Safe because the benchmark has one thread.
nonisolated(unsafe) var ownRelay: OwnRelay?

/// Ends the benchmark: a number that was measured beside an error would mislead.
func stop(_ reason: String) -> Never {
    unsafe ownRelay?.end()
    try? FileDescriptor(owning: 2).write(Array("relay-bench: \(reason)\n".utf8))
    exit(1)
}

guard let options = Options(CommandLine.arguments.dropFirst()) else { stop(Options.usage) }
do {
    if !options.relay.hasPrefix("smp://") { unsafe ownRelay = try OwnRelay(options.relay) }
    let server = try unsafe ownRelay?.server ?? ConfiguredServer(text: options.relay)
    let process = unsafe ownRelay?.process ?? options.process
    let benchmark = try Benchmark(options, server, process.map { ObservedProcess(id: $0) })
    try benchmark.run()
    print(benchmark.measurements.lines.joined(separator: "\n"))
} catch {
    stop("\(error)")
}
unsafe ownRelay?.end()
