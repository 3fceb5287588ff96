// swift-tools-version: 6.2

import PackageDescription

// One settings list for every target. Strict memory safety makes each step through a pointer say `unsafe`,
// so a reviewer can search for one word; the pure targets contain none.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

// `scripts/sanitize` builds with the thread sanitizer. Swift 6.3 fails to compile CryptoCore with it, which has no threads.
let isSanitized = Context.environment["TACIT_SANITIZE"] != nil

let optimized: Set = ["ByteCoding", "CryptoCore", "JSONCoding", "PageCipher", "Store"]

func layer(_ name: String, _ dependencies: [String] = []) -> Target {
    var flags: [SwiftSetting] = isSanitized && name != "CryptoCore" ? [.unsafeFlags(["-sanitize=thread"])] : []
    // Post-quantum arithmetic, JSON and rows are most of the time of the tests, and ten times slower without optimization.
    if optimized.contains(name) { flags.append(.unsafeFlags(["-O"], .when(configuration: .debug))) }
    return .target(name: name, dependencies: dependencies.map { .byName(name: $0) }, swiftSettings: settings + flags)
}

func tests(_ name: String, _ dependencies: [String] = []) -> Target {
    .testTarget(
        name: name + "Tests",
        dependencies: ([name, "TestSupport"] + dependencies).map { .byName(name: $0) },
        swiftSettings: settings)
}

// Arrows only point down: a target may depend on targets written above it. `LayeringTests` checks every edge.
let package = Package(
    name: "tacit",
    products: [
        .executable(name: "tacit", targets: ["tacit"]),
        .library(name: "simplex", type: .dynamic, targets: ["LibSimplex"]),
    ],
    targets: [
        // C libraries of the distribution
        .systemLibrary(name: "CSodium"),
        .systemLibrary(name: "COpenSSL"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "CZstd"),
        .systemLibrary(name: "CZlib"),
        .systemLibrary(name: "CNghttp2"),
        .systemLibrary(name: "CTurboJPEG"),
        .systemLibrary(name: "CPNG"),
        .systemLibrary(name: "CGIF"),
        .systemLibrary(name: "CWebP"),
        .systemLibrary(name: "CReadline"),

        // Ground
        layer("ByteCoding"),
        layer("CryptoCore", ["ByteCoding", "CSodium", "COpenSSL"]),
        layer("JSONCoding", ["ByteCoding"]),
        layer("SystemIO", ["CLinux"]),
        layer("Compression", ["ByteCoding", "CZstd"]),
        layer("Pictures", ["ByteCoding", "CTurboJPEG", "CPNG", "CGIF", "CWebP", "CZlib"]),

        // Protocols: pure, no sockets, no SQL, no clock
        layer("Ratchet", ["ByteCoding", "CryptoCore"]),
        layer("SMPProtocol", ["ByteCoding", "CryptoCore", "JSONCoding"]),
        layer("XFTPProtocol", ["ByteCoding", "CryptoCore", "SMPProtocol"]),
        layer("AgentProtocol", ["ByteCoding", "CryptoCore", "Ratchet", "SMPProtocol"]),
        layer("ChatProtocol", ["ByteCoding", "JSONCoding", "Compression"]),
        layer("Navigation", ["ByteCoding", "JSONCoding"]),
        layer("WebSocket", ["ByteCoding", "CryptoCore"]),
        layer("SQLCipherFormat", ["ByteCoding", "CryptoCore"]),

        // Engines: sockets, files, databases
        layer("SecureTransport", ["ByteCoding", "CryptoCore", "SystemIO", "COpenSSL"]),
        layer("HTTP2", ["ByteCoding", "CNghttp2"]),
        layer("PageCipher", ["ByteCoding", "CryptoCore", "CSQLite"]),
        layer("Store", ["ByteCoding", "CryptoCore", "PageCipher", "CSQLite"]),
        layer("Archive", ["ByteCoding", "SystemIO", "CZlib"]),
        layer("SMPClient", ["ByteCoding", "CryptoCore", "SystemIO", "SMPProtocol", "SecureTransport"]),
        layer(
            "XFTPClient",
            [
                "ByteCoding", "CryptoCore", "SystemIO", "SMPProtocol", "XFTPProtocol", "SecureTransport", "HTTP2",
                "SMPClient",
            ]),
        layer(
            "Agent",
            [
                "ByteCoding", "CryptoCore", "SystemIO", "Ratchet", "SMPProtocol", "AgentProtocol", "SecureTransport",
                "PageCipher", "Store", "SMPClient", "XFTPProtocol", "XFTPClient", "JSONCoding",
            ]),
        layer(
            "ChatCore",
            [
                "ByteCoding", "JSONCoding", "CryptoCore", "SystemIO", "Ratchet", "SMPProtocol", "AgentProtocol",
                "ChatProtocol", "SQLCipherFormat", "SecureTransport", "PageCipher", "Store", "Archive",
                "SMPClient", "XFTPProtocol", "XFTPClient", "Agent",
            ]),
        layer(
            "Relay",
            [
                "ByteCoding", "CryptoCore", "SystemIO", "SMPProtocol", "XFTPProtocol", "SecureTransport", "HTTP2",
                "Store",
                "SMPClient",
            ]),

        layer(
            "Host",
            [
                "ByteCoding", "JSONCoding", "SystemIO", "AgentProtocol", "WebSocket", "SecureTransport", "ChatCore",
            ]),

        // Faces
        layer("CommandKit", ["ByteCoding", "JSONCoding"]),
        layer("TerminalKit", ["ByteCoding", "JSONCoding", "SystemIO"]),
        layer(
            "Commands",
            [
                "ByteCoding", "CryptoCore", "JSONCoding", "SystemIO", "SMPProtocol", "AgentProtocol", "ChatProtocol",
                "Navigation", "Archive", "Pictures", "ChatCore", "Host", "Relay",
                "CommandKit", "TerminalKit",
            ]),
        layer(
            "REPL",
            [
                "ByteCoding", "CryptoCore", "JSONCoding", "SystemIO", "AgentProtocol", "ChatProtocol", "Navigation",
                "ChatCore", "Host", "CommandKit", "TerminalKit", "Commands", "CReadline",
            ]),
        layer(
            "LibSimplex",
            [
                "ByteCoding", "CryptoCore", "JSONCoding", "SystemIO", "SMPProtocol", "AgentProtocol", "ChatProtocol",
                "ChatCore", "Host", "COpenSSL",
            ]),

        // Product
        .executableTarget(name: "tacit", dependencies: ["Commands", "REPL", "SystemIO"], swiftSettings: settings),

        // Benchmarks, which are no products
        .executableTarget(
            name: "relay-bench",
            dependencies: ["ByteCoding", "CryptoCore", "SMPProtocol", "SecureTransport", "SystemIO"],
            path: "Benchmarks/Relay", swiftSettings: settings),
        .executableTarget(
            name: "client-bench",
            dependencies: [
                "ByteCoding", "CryptoCore", "SystemIO", "Ratchet", "SMPProtocol", "AgentProtocol", "SMPClient",
                "PageCipher", "Store", "Agent",
            ],
            path: "Benchmarks/Client", swiftSettings: settings),
        .executableTarget(
            name: "post-quantum-bench", dependencies: ["ByteCoding", "CryptoCore", "Ratchet"],
            path: "Benchmarks/PostQuantum", swiftSettings: settings),

        // The attack suite, which is no product
        .target(
            name: "AttackSupport",
            dependencies: [
                "ByteCoding", "CryptoCore", "HTTP2", "Relay", "SMPProtocol", "SecureTransport", "SystemIO",
                "XFTPProtocol",
            ],
            path: "Tests/Attack/Support", swiftSettings: settings),
        .executableTarget(
            name: "attacker",
            dependencies: [
                "AttackSupport", "ByteCoding", "CryptoCore", "JSONCoding", "SystemIO", "Ratchet", "SMPProtocol",
                "AgentProtocol", "ChatProtocol", "SecureTransport", "Store", "SMPClient", "Agent", "ChatCore", "Relay",
                "HTTP2", "XFTPProtocol",
            ],
            path: "Tests/Attack/Attacker", swiftSettings: settings),

        // Tests
        .target(
            name: "TestSupport", dependencies: ["ByteCoding", "CryptoCore", "JSONCoding", "SystemIO", "Ratchet"],
            path: "Tests/TestSupport",
            swiftSettings: settings),
        .target(
            name: "ChatSamples",
            dependencies: ["ByteCoding", "JSONCoding", "SMPProtocol", "AgentProtocol", "ChatProtocol", "ChatCore"],
            path: "Tests/ChatSamples", swiftSettings: settings),
        tests("ByteCoding"),
        tests("CryptoCore", ["ByteCoding"]),
        tests("JSONCoding", ["ByteCoding"]),
        tests("SystemIO"),
        tests("Compression", ["ByteCoding", "CryptoCore"]),
        tests("Pictures", ["ByteCoding", "CryptoCore"]),
        tests("Ratchet", ["ByteCoding", "CryptoCore"]),
        tests("SMPProtocol", ["ByteCoding", "CryptoCore"]),
        tests("XFTPProtocol", ["ByteCoding", "CryptoCore", "SMPProtocol"]),
        tests("AgentProtocol", ["ByteCoding", "CryptoCore", "Ratchet", "SMPProtocol"]),
        tests("ChatProtocol", ["ByteCoding", "CryptoCore", "JSONCoding", "Compression"]),
        tests("Navigation", ["ByteCoding", "CryptoCore", "JSONCoding"]),
        tests("WebSocket", ["ByteCoding", "CryptoCore"]),
        tests("SQLCipherFormat", ["ByteCoding", "CryptoCore"]),
        tests("SecureTransport", ["ByteCoding", "CryptoCore", "SystemIO", "AttackSupport"]),
        tests("HTTP2", ["ByteCoding", "CryptoCore"]),
        tests("PageCipher", ["ByteCoding", "CryptoCore", "SystemIO", "Store", "CSQLite"]),
        tests("Store", ["ByteCoding", "CryptoCore", "SystemIO", "PageCipher"]),
        tests("Archive", ["ByteCoding", "CryptoCore"]),
        tests(
            "SMPClient", ["ByteCoding", "CryptoCore", "SystemIO", "SMPProtocol", "SecureTransport", "AttackSupport"]),
        tests(
            "XFTPClient",
            ["ByteCoding", "CryptoCore", "SystemIO", "SMPProtocol", "XFTPProtocol", "SecureTransport", "HTTP2"]),
        tests(
            "Agent",
            [
                "ByteCoding", "CryptoCore", "SystemIO", "SMPProtocol", "AgentProtocol", "SecureTransport", "Store",
                "Ratchet", "SMPClient", "XFTPProtocol", "XFTPClient",
            ]),
        tests(
            "ChatCore",
            [
                "ByteCoding", "CryptoCore", "JSONCoding", "SystemIO", "Ratchet", "SMPProtocol", "AgentProtocol",
                "ChatProtocol", "PageCipher", "Store", "SMPClient", "XFTPProtocol", "XFTPClient", "Agent", "Relay",
                "ChatSamples",
            ]),
        tests(
            "Relay",
            [
                "ByteCoding", "CryptoCore", "SystemIO", "SMPProtocol", "XFTPProtocol", "SecureTransport", "HTTP2",
                "XFTPClient", "Store", "AttackSupport",
            ]),
        tests("Host", ["ByteCoding", "JSONCoding", "SystemIO", "AgentProtocol", "WebSocket", "ChatCore"]),
        tests("CommandKit", ["JSONCoding"]),
        tests("TerminalKit", ["ByteCoding", "JSONCoding", "SystemIO"]),
        tests(
            "Commands",
            [
                "ByteCoding", "CryptoCore", "JSONCoding", "SystemIO", "SMPProtocol", "Navigation", "AgentProtocol",
                "ChatProtocol", "SecureTransport", "Store", "Archive", "ChatCore", "Host", "Relay", "CommandKit",
                "TerminalKit", "ChatSamples",
            ]),
        tests(
            "REPL",
            [
                "ByteCoding", "CryptoCore", "JSONCoding", "SystemIO", "AgentProtocol", "ChatProtocol", "Navigation",
                "ChatCore", "Host", "CommandKit", "TerminalKit", "Commands",
            ]),
        tests(
            "LibSimplex",
            [
                "ByteCoding", "CryptoCore", "JSONCoding", "SystemIO", "WebSocket", "ChatCore", "Host",
            ]),
        .testTarget(
            name: "TranscriptTests",
            dependencies: [
                "ByteCoding", "CryptoCore", "Ratchet", "SMPProtocol", "AgentProtocol", "TestSupport",
            ], swiftSettings: settings),
        .testTarget(
            name: "LayeringTests", dependencies: ["ByteCoding", "JSONCoding", "SystemIO", "TestSupport"],
            // It reads the whole source.
            swiftSettings: settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
    ]
)

// The fuzzer is built by `make fuzz` only: everything in it carries the instruments of libFuzzer.
if Context.environment["TACIT_FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CFuzzer", path: "Fuzz/CFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CFuzzer", "ByteCoding", "CryptoCore", "JSONCoding", "Compression", "Ratchet", "SMPProtocol",
                "XFTPProtocol", "AgentProtocol", "ChatProtocol", "SecureTransport", "Archive", "SMPClient", "Agent",
                "ChatCore", "Relay", "WebSocket", "Pictures", "SystemIO", "Store", "TerminalKit", "AttackSupport",
                "HTTP2",
            ],
            path: "Fuzz/Sources", swiftSettings: settings),
    ]
}
