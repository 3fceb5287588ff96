import Testing

/// The shape of the program: arrows point down.
@Suite(.timeLimit(.minutes(60))) struct LayeringTests {
    @Test func everyDependencyIsInTheTable() throws {
        let targets = try DeclaredPackage.current.get().targets.filter(\.isInProgram)
        #expect(targets.count > 10)
        let known = Set(Layer.all.flatMap(\.targets).map(\.name))
        #expect(targets.map(\.name).filter { !known.contains($0) } == [], "targets without a layer")
        let refused = targets.flatMap { target in
            Layer.refused(target.dependencies, of: target.name).map { "\(target.name) -> \($0)" }
        }
        #expect(refused == [])
    }

    @Test func theTablePointsDown() {
        #expect(Layer.upward() == [])
    }

    /// Connections, their frames and the files of a store are behind the host.
    @Test(arguments: Layer.faces) func faces_know_no_connection_and_no_store_file(face: String) throws {
        let target = try #require(try DeclaredPackage.current.get().targets.first { $0.name == face })
        #expect(Layer.hidden.intersection(target.dependencies) == [])
        #expect(target.dependencies.contains("Host"))
        for file in try SourceFile.all(in: target.folder) where file.path.hasSuffix(".swift") {
            #expect(file.code.imports.intersection(Layer.hidden) == [], "\(file.path)")
        }
    }

    @Test func noOtherPackageIsNeeded() throws {
        #expect(try DeclaredPackage.current.get().packageCount == 0)
    }

    // MARK: - The rules themselves

    private static let sample = [
        Layer("low", [("a", []), ("b", ["a"])]),
        Layer("high", [("c", ["a", "b"]), ("d", ["b", "c"])]),
    ]

    @Test func edgesOutsideOfTheTableAreRefused() {
        #expect(Layer.refused(["a", "b"], of: "c", by: Self.sample) == [])
        #expect(Layer.refused(["a", "b"], of: "d", by: Self.sample) == ["a"])
        #expect(Layer.refused(["a"], of: "new", by: Self.sample) == ["a"])
        #expect(Layer.upward(in: Self.sample) == [])
        let wrong = [Layer("low", [("a", ["c"]), ("b", ["b"])]), Layer("high", [("c", ["d"]), ("d", []), ("a", [])])]
        #expect(Layer.upward(in: wrong) == ["a -> c", "b -> b", "c -> d", "a twice"])
    }
}
