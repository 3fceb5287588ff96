// What the post-quantum KEM costs, alone and in the ratchet.
//
//     post-quantum-bench                         a line for each value: name, median, unit, between tabs
//     valgrind post-quantum-bench --undefined    branches and indices that depend on secrets
import CryptoCore
import Glibc

/// Ends the benchmark: a number that was measured beside an error would mislead.
func stop(_ reason: String) -> Never {
    print("post-quantum-bench: \(reason)")
    exit(1)
}

do {
    if CommandLine.arguments.contains("--undefined") {
        try UndefinedMemory.run()
    } else {
        try measureKEM()
        try measureRatchet()
    }
} catch {
    stop("\(error)")
}
