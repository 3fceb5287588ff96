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
        for text in [program, keyFile ?? ""] + variables.map(\.value)
        where text.unicodeScalars.contains(where: \.isControl) {
            throw Reason.unusableServicePath
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || value == 0x7f }
}
