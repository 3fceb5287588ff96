import CLinux
import Glibc

extension Subprocess {
    /// Runs a program to its end, with `input` on its standard input; its output and errors go where those of this process
    /// go. The program is found at `path`; the first argument is its name.
    public static func run(
        _ path: String, _ arguments: [String], environment: [String: String], input: [UInt8]
    ) throws(SystemError) -> Ending {
        // Not a pipe: a program that reads nothing, or late, must not keep this one waiting.
        let number = try systemCall("lend the input") { unsafe memfd_create("input", MFD_CLOEXEC) }
        let file = FileDescriptor(owning: number)
        try file.write(input, "lend the input")
        try systemCall("lend the input") { lseek(file.number, 0, SEEK_SET) }
        let pid = try Spawning.start(
            path, arguments, environment: environment, input: file.number, output: 1, errors: 2)
        return try wait(for: pid)
    }
}
