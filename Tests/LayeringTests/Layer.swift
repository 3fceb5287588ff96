/// One layer of the program: its targets in order, each with the targets that it may depend on.
struct Layer {
    let name: String
    let targets: [(name: String, dependencies: [String])]

    init(_ name: String, _ targets: [(name: String, dependencies: [String])]) {
        self.name = name
        self.targets = targets
    }
}

extension Layer {
    private static let ground = ["ByteCoding", "JSONCoding", "CryptoCore", "SystemIO", "Compression"]
    /// The protocols whose values go up: addresses, links, messages.
    private static let values = ["SMPProtocol", "AgentProtocol", "ChatProtocol"]

    /// The layers from the bottom up. A new target, or a new edge, needs its line here, and a good reason for it.
    /// Some targets are still to come.
    static let all = [
        Layer(
            "C",
            [
                ("CSodium", []), ("COpenSSL", []), ("CLinux", []), ("CSQLite", []), ("CReadline", []),
                ("CZstd", []), ("CZlib", []), ("CNghttp2", []), ("CTurboJPEG", []), ("CPNG", []), ("CGIF", []),
                ("CWebP", []),
            ]),
        Layer(
            "ground",
            [
                ("ByteCoding", []),
                ("JSONCoding", ["ByteCoding"]),
                ("CryptoCore", ["ByteCoding", "CSodium", "COpenSSL"]),
                ("SystemIO", ["CLinux"]),
                ("Compression", ["ByteCoding", "CZstd"]),
                ("Pictures", ["ByteCoding", "CTurboJPEG", "CPNG", "CGIF", "CWebP", "CZlib"]),
            ]),
        Layer(
            "protocols",
            [
                ("Ratchet", ["ByteCoding", "CryptoCore"]),
                ("SMPProtocol", ["ByteCoding", "JSONCoding", "CryptoCore"]),
                ("XFTPProtocol", ["ByteCoding", "CryptoCore", "SMPProtocol"]),
                ("AgentProtocol", ["ByteCoding", "CryptoCore", "Ratchet", "SMPProtocol"]),
                ("ChatProtocol", ["ByteCoding", "JSONCoding", "Compression"]),
                ("Navigation", ["ByteCoding", "JSONCoding"]),
                ("WebSocket", ["ByteCoding", "CryptoCore"]),
                ("SQLCipherFormat", ["ByteCoding", "CryptoCore"]),
            ]),
        Layer(
            "engines",
            [
                ("SecureTransport", ["ByteCoding", "CryptoCore", "SystemIO", "COpenSSL"]),
                ("HTTP2", ["ByteCoding", "CNghttp2"]),
                ("PageCipher", ["ByteCoding", "CryptoCore", "CSQLite"]),
                ("Store", ["ByteCoding", "CryptoCore", "PageCipher", "CSQLite"]),
                ("Archive", ["ByteCoding", "SystemIO", "CZlib"]),
                ("SMPClient", ["ByteCoding", "CryptoCore", "SystemIO", "SMPProtocol", "SecureTransport"]),
                (
                    "XFTPClient",
                    [
                        "ByteCoding", "CryptoCore", "SystemIO", "SMPProtocol", "XFTPProtocol", "SecureTransport",
                        "HTTP2", "SMPClient",
                    ]
                ),
                (
                    "Agent",
                    ground + [
                        "Ratchet", "SMPProtocol", "AgentProtocol", "PageCipher", "Store", "SecureTransport",
                        "SMPClient", "XFTPProtocol", "XFTPClient",
                    ]
                ),
                (
                    "ChatCore",
                    ground + values
                        + [
                            "Ratchet", "SQLCipherFormat", "SecureTransport", "PageCipher", "Store", "Archive",
                            "SMPClient", "XFTPProtocol", "XFTPClient", "Agent",
                        ]
                ),
                (
                    "Relay",
                    ground + ["SMPProtocol", "XFTPProtocol", "SecureTransport", "HTTP2", "Store", "SMPClient"]
                ),
            ]),
        Layer(
            "host",
            [
                (
                    "Host",
                    [
                        "ByteCoding", "JSONCoding", "SystemIO", "AgentProtocol", "WebSocket", "SecureTransport",
                        "ChatCore",
                    ]
                )
            ]),
        Layer(
            "faces",
            [
                ("CommandKit", ["ByteCoding", "JSONCoding"]),
                ("TerminalKit", ["ByteCoding", "JSONCoding", "SystemIO"]),
                (
                    "Commands",
                    ground + values
                        + [
                            "Navigation", "CommandKit", "TerminalKit", "Archive",
                            "Pictures", "ChatCore", "Host", "Relay",
                        ]
                ),
                ("LibSimplex", ground + values + ["ChatCore", "Host", "COpenSSL"]),
                (
                    "REPL",
                    ground + values + [
                        "Navigation", "CommandKit", "TerminalKit", "ChatCore", "Host", "Commands", "CReadline",
                    ]
                ),
            ]),
        Layer("product", [("tacit", ground + values + ["Relay", "Commands", "REPL"])]),
    ]

    /// What no face may know, not even by another target: an open store reaches it through ``Host``.
    static let hidden: Set = ["SecureTransport", "WebSocket", "StoreFiles"]
    /// The faces of an open store.
    static let faces = ["Commands", "REPL", "LibSimplex"]

    /// The targets without sockets, files, clocks and unsafe memory.
    static let pure =
        ["ByteCoding", "JSONCoding"] + all.filter { $0.name == "protocols" }.flatMap { $0.targets.map(\.name) }

    /// The dependencies of a target that its line in `layers` does not have, or all if it has no line.
    static func refused(_ dependencies: [String], of target: String, by layers: [Layer] = all) -> [String] {
        let line = layers.flatMap(\.targets).first { $0.name == target }
        return dependencies.filter { line?.dependencies.contains($0) != true }
    }

    /// The edges of `layers` themselves that do not lead to a lower layer, or to a target above in the same one.
    static func upward(in layers: [Layer] = all) -> [String] {
        var known: Set<String> = [], upward: [String] = []
        for target in layers.flatMap(\.targets) {
            upward += target.dependencies.filter { !known.contains($0) }.map { "\(target.name) -> \($0)" }
            if !known.insert(target.name).inserted { upward.append("\(target.name) twice") }
        }
        return upward
    }
}
