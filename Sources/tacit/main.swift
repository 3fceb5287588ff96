// The relay's commands for the time being: the command line proper takes their place.
//
//     tacit relay init DIR --host HOST [--port PORT] [--listen ADDRESS] [--password-file FILE]
//     tacit relay start DIR [--ready-fd NUMBER]
import ByteCoding
import Glibc
import Relay
import SMPProtocol
import SystemIO

/// Writes a line to standard error and ends the process.
func fail(_ line: String, status: Int32) -> Never {
    try? FileDescriptor(owning: 2).write(Array("tacit: \(line)\n".utf8))
    exit(status)
}

/// `--name value` pairs behind the folder.
func options(_ arguments: ArraySlice<String>) -> [String: String] {
    var options: [String: String] = [:]
    var rest = arguments
    while let name = rest.popFirst() {
        guard name.hasPrefix("--"), let value = rest.popFirst() else { fail("unexpected \(name)", status: 64) }
        options[String(name.dropFirst(2))] = value
    }
    return options
}

func initialise(_ path: String, _ options: [String: String]) throws {
    guard let host = options["host"].flatMap({ try? TransportHost(text: $0) }) else { fail("no host", status: 64) }
    var settings = RelaySettings(hosts: [host])
    if let port = options["port"] {
        guard let port = UInt16(port) else { fail("no such port", status: 64) }
        settings.port = port
    }
    settings.listen = try options["listen"].map { try TransportHost(text: $0) }
    if let file = options["password-file"] {
        let text = String(decoding: try Files.read(file, limit: 1024), as: UTF8.self)
        settings.password = try ServerPassword(String(text.prefix { !$0.isNewline }))
    }
    print(try RelayFolder.create(at: path, settings: settings))
}

func start(_ path: String, _ options: [String: String]) throws {
    let loop = try EventLoop()
    let server = try RelayServer(RelayFolder(opening: path), on: loop)
    var failure: RelayError?
    server.whenFailed = { failure = $0 }
    var isInterrupted = false
    let signals = try SignalWatch([SIGTERM, SIGINT], on: loop) { _ in isInterrupted = true }
    if let number = options["ready-fd"].flatMap(Int32.init) {
        try FileDescriptor(owning: number).write(Array("\(server.address)\n".utf8))
    }
    loop.run { isInterrupted || failure != nil }
    server.stop()
    _ = consume signals
    if let failure { throw failure }
}

let arguments = CommandLine.arguments.dropFirst()
do {
    switch Array(arguments.prefix(2)) {
    case ["relay", "init"] where arguments.count >= 3: try initialise(arguments[3], options(arguments.dropFirst(3)))
    case ["relay", "start"] where arguments.count >= 3: try start(arguments[3], options(arguments.dropFirst(3)))
    default: fail("relay init DIR --host HOST [...] | relay start DIR [--ready-fd N]", status: 64)
    }
} catch let error as RelayError {
    fail(error.code, status: 1)
} catch {
    fail("\(error)", status: 1)
}
