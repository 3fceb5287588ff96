import ChatCore
import SystemIO
import TerminalKit

/// What a service has to know that starts tacit outside of any shell of the user.
struct ServicePlace: Hashable {
    /// The program.
    let program: String
    /// The file with the key of the store, if it is opened with one.
    let keyFile: String?
    /// Variables that say where the store is, and how relays are reached.
    let variables: [Variable]

    struct Variable: Hashable {
        let name: String
        let value: String
    }

    /// What goes on into a service.
    ///
    /// SECURITY: without those about the network a service would connect past the user's proxy.
    private static let names = [
        "TACIT_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "TACIT_CONFIG", "TACIT_KEY_COMMAND",
        "TACIT_PROXY", "ALL_PROXY", "TACIT_REQUIRE_PROXY", "TACIT_ONION", "TACIT_SMP_PROXY", "TACIT_SMP_PROXY_FALLBACK",
    ]

    init(program: String, keyFile: String?, variables: [Variable] = []) {
        self.program = program
        self.keyFile = keyFile
        self.variables = variables
    }

    /// The place that a run of this program is in.
    init(_ invocation: Invocation) throws {
        let environment = invocation.environment
        guard let program = ProcessEnvironment.executable() else {
            throw Reason.unknownProgramPath
        }
        let folder = try invocation.storeFolder()
        let isEncrypted = folder.exists ? try StoreProtection(of: folder) != nil : true
        var named = invocation[KeyOptions.file] ?? environment["TACIT_KEY_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        named = named.map { Files.resolved($0) ?? $0 }
        let own = try KeySource.ownPath(invocation)
        let keyFile = named ?? (Files.exists(own) ? own : nil)
        let variables = ServicePlace.names.compactMap { name -> Variable? in
            environment[name].flatMap { $0.isEmpty ? nil : Variable(name: name, value: $0) }
        }
        self.init(program: program, keyFile: isEncrypted ? keyFile : nil, variables: variables)
        let texts = [program, self.keyFile ?? ""] + variables.map(\.value)
        guard texts.allSatisfy(ServicePlace.canBeWritten), self.keyFile.map(ServicePlace.canBeCredential) ?? true else {
            throw Reason.unusableServicePath
        }
    }

    /// Returns true if a line with the text is the same in a file, on a terminal and when it is copied from there.
    ///
    /// U+FFFD stands for bytes that are not UTF-8: the path would be another one.
    private static func canBeWritten(_ text: String) -> Bool {
        UntrustedText(text).singleLine == text && !text.unicodeScalars.contains("\u{fffd}")
    }

    /// Returns true if systemd reads a path as it is written at the end of a line: it has no quotes there, removes spaces, and takes
    /// a backslash for a continuation.
    private static func canBeCredential(_ path: String) -> Bool {
        path.last != " " && path.last != "\\"
    }
}
