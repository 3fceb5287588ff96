import JSONCoding
import SystemIO
import TestSupport

/// `Package.swift` as SwiftPM understands it.
struct DeclaredPackage {
    let targets: [DeclaredTarget]
    /// How many other packages it needs.
    let packageCount: Int

    /// Asks SwiftPM, or reads its answer from the file that `TACIT_PACKAGE_DUMP` names.
    static let current = Result { try DeclaredPackage() }

    private init() throws {
        let variables = ProcessEnvironment.variables()
        if let path = variables["TACIT_PACKAGE_DUMP"] {
            try self.init(dump: try Files.read(path, limit: 1 << 20))
            return
        }
        // The test may be run by a SwiftPM that holds the lock of the usual build folder.
        let scratch = try TemporaryFolder()
        let arguments = [
            "env", "swift", "package", "--package-path", VectorFile.repositoryPath(""), "--scratch-path", scratch.path,
            "dump-package",
        ]
        let result = try Subprocess("/usr/bin/env", arguments, environment: variables).finish()
        guard result.ending == .exited(0) else {
            throw DescriptionError.swiftPackageFailed(String(decoding: result.errors, as: UTF8.self))
        }
        try self.init(dump: result.output)
    }

    private init(dump: [UInt8]) throws {
        let fields = try JSONValue(decoding: dump).object
        guard let targets = fields?["targets"]?.array, let packages = fields?["dependencies"]?.array else {
            throw DescriptionError.notAPackage
        }
        self.targets = try targets.map(DeclaredTarget.init)
        packageCount = packages.count
    }
}

/// SwiftPM did not answer, or in a way that is not understood here.
enum DescriptionError: Error {
    case swiftPackageFailed(String)
    case notAPackage
    case notATarget(String)
}

/// A target of `Package.swift`.
struct DeclaredTarget {
    let name: String
    /// `regular`, `executable`, `system` or `test`.
    let kind: String
    /// Where its files are, inside of the repository.
    let folder: String
    /// The names of targets; something else, such as a product of a package, is no such name.
    let dependencies: [String]

    init(_ description: JSONValue) throws {
        let fields = description.object
        guard let name = fields?["name"]?.string, let kind = fields?["type"]?.string,
            let dependencies = fields?["dependencies"]?.array
        else { throw DescriptionError.notATarget(description.line) }
        self.name = name
        self.kind = kind
        folder = fields?["path"]?.string ?? (kind == "test" ? "Tests/" : "Sources/") + name
        self.dependencies = dependencies.map { dependency in
            let target = dependency.object?["byName"] ?? dependency.object?["target"]
            return target?.array?.first?.string ?? dependency.line
        }
    }

    /// Whether it is a part of the program.
    var isInProgram: Bool { folder.hasPrefix("Sources/") }
}
