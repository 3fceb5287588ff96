import ByteCoding
import CFuzzer
import Glibc

// libFuzzer starts this program again to merge a corpus, with its own options only, so the target is in the environment.
var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
if CommandLine.arguments == [CommandLine.arguments.first, "list"] {
    for target in FuzzTarget.all { print(target.name) }
    exit(0)
}
let status = unsafe LLVMFuzzerRunDriver(&argumentCount, &arguments) { start, count in
    FuzzTarget.chosen.run(unsafe Bytes(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
exit(status)
