import Testing

@Suite struct SwiftCodeTests {
    @Test(arguments: [
        ("a // try!\nb", "a \nb"), ("a /* x /* try! */ y */ b", "a   b"), (#"a "try! \" x" b"#, #"a "" b"#),
        (#"f("\(try! g("x)")) y")"#, #"f("(try! g(""))")"#), ("\"\" + a", "\"\" + a"),
        (#########"#"a"try! \(x) \#(y)"# b"#########, #""(y)" b"#),
        ("\"\"\"\n  a \"x\" try!\n  \"\"\" b", "\"\n\n\" b"),
        ("#if os(Linux)", "#if os(Linux)"), (#""\\" + "try!""#, #""" + """#), ("\"// no comment\" a", "\"\" a"),
    ])
    func commentsAndLiteralsGo(source: String, code: String) {
        #expect(SwiftCode(source).text == code)
    }

    @Test func wordsAreWhole() {
        let words = SwiftCode("unsafe x.unsafely(try! a as! B) // fatalError\n@unsafe y != z").words
        #expect(words == ["unsafe", "x", "unsafely", "try", "try!", "a", "as", "as!", "B", "y", "z"])
    }

    @Test func importsHaveManyForms() {
        let source = """
            import A
            public import B
            @testable import C
            @preconcurrency package import struct D.E
            // import F
            let important = "import G"
              internal import H.I
            """
        #expect(SwiftCode(source).imports == ["A", "B", "C", "D", "H"])
    }

    @Test func top_level_types_are_found() {
        let source = """
            public import struct A.B
            @safe public final class C<D>: E {
                struct F {}
            }
            private enum G { case struct }
            extension H where I: class {
                enum J {}
            }
            package typealias K = [L]
            public typealias M = N.M
            public typealias S = N::S
            // struct O
            let p = "struct Q"
            indirect enum R {
            }
            """
        #expect(SwiftCode(source).topLevelTypes == ["C", "G", "K", "R"])
    }

    @Test func aFileThatEndsTooEarlyIsReadToItsEnd() {
        for source in ["\"", "\"\\", "\"\\(", "/*", "#", "\"\"\"", "#\"\"", "\"\\(\"", "//"] {
            #expect(SwiftCode(source).words.isEmpty)
        }
    }
}
