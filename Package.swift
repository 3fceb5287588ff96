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

func layer(_ name: String, _ dependencies: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies.map { .byName(name: $0) }, swiftSettings: settings)
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
    products: [.executable(name: "tacit", targets: ["tacit"])],
    targets: [
        // C libraries of the distribution
        .systemLibrary(name: "CSodium"),
        .systemLibrary(name: "COpenSSL"),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CSQLite"),

        // Ground
        layer("ByteCoding"),
        layer("CryptoCore", ["ByteCoding", "CSodium", "COpenSSL"]),
        layer("SystemIO", ["CLinux"]),

        // Protocols: pure, no sockets, no SQL, no clock
        layer("SMPProtocol", ["ByteCoding", "CryptoCore"]),

        // Engines: sockets, files, databases
        layer("SecureTransport", ["ByteCoding", "CryptoCore", "SystemIO", "COpenSSL"]),
        layer("Store", ["ByteCoding", "CryptoCore", "CSQLite"]),
        layer("Relay", ["ByteCoding", "CryptoCore", "SystemIO", "SMPProtocol", "SecureTransport", "Store"]),

        // Product
        .executableTarget(
            name: "tacit", dependencies: ["ByteCoding", "Relay", "SMPProtocol", "SystemIO"], swiftSettings: settings),

        // Benchmarks, which are no products
        .executableTarget(
            name: "relay-bench",
            dependencies: ["ByteCoding", "CryptoCore", "SMPProtocol", "SecureTransport", "SystemIO"],
            path: "Benchmarks/Relay", swiftSettings: settings),

        // Tests
        .target(
            name: "TestSupport", dependencies: ["ByteCoding", "CryptoCore", "SystemIO"], path: "Tests/TestSupport",
            swiftSettings: settings),
        tests("ByteCoding"),
        tests("CryptoCore", ["ByteCoding"]),
        tests("SystemIO"),
        tests("SMPProtocol", ["ByteCoding", "CryptoCore"]),
        tests("SecureTransport", ["ByteCoding", "CryptoCore", "SystemIO"]),
        tests("Store", ["ByteCoding", "CryptoCore", "SystemIO"]),
        tests("Relay", ["ByteCoding", "CryptoCore", "SystemIO", "SMPProtocol", "SecureTransport", "Store"]),
    ]
)
