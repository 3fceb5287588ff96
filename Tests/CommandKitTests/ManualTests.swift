import CommandKit
import Testing

/// The pages of the manual.
@Suite struct ManualTests {
    private let pages = Sample.tree.manual(.init(version: "1.2", date: "2026-11-21"))

    @Test func thereIsAPageForEachCommandAndNoun() {
        #expect(
            pages.map(\.fileName) == [
                "tacit.1", "tacit-send.1", "tacit-connect.1", "tacit-contact.1", "tacit-daemon.8", "tacit-help.1",
                "tacit-json.5", "tacit.conf.5",
            ])
    }

    @Test func aVerb() throws {
        let page = try #require(pages.first { $0.name == "tacit-connect" })
        #expect(
            page.text == #"""
                .\" Made from the command model: change that, then run make generated.
                .TH TACIT\-CONNECT 1 2026-11-21 "tacit 1.2" "Manual of tacit"
                .nh
                .ad l
                .SH NAME
                tacit\-connect \-
                Connect with somebody
                .SH SYNOPSIS
                .SY "tacit connect"
                [\fILINK\fR]
                [\fB\-\-[no\-]qr\fR]
                [\fB\-\-since\fR\~\fITIME\fR]
                .YS
                Global options: tacit(1).
                .SH DESCRIPTION
                Connect with somebody.
                .SH OPTIONS
                .TP
                \fILINK\fR
                Where to connect to.
                .TP
                \fB\-\-[no\-]qr\fR
                Draw the link [default: yes].
                .TP
                \fB\-\-since\fR\~\fITIME\fR
                Only what came after this time.
                .SH EXAMPLES
                .EX
                \fBtacit connect > invite.txt 2>&1\fR
                .EE
                .RS 4
                Invite somebody.
                .RE
                .SH EXIT STATUS
                .TP
                0
                The invitation is stored.
                .TP
                64
                Bad command line.
                .SH ENVIRONMENT
                .TP
                \fBTACIT_CONNECT_OPTION\fR
                The value of any option, in capitals with _ for \-.
                .SH SEE ALSO
                \fBtacit\fR(1)

                """#)
    }

    @Test func theColumnsOfPlainRecords() throws {
        let page = try #require(pages.first { $0.name == "tacit-send" })
        #expect(page.text.contains("selects others:\n.TP\n\\fBsend\\fR\nid, state\n.SH"))
        let json = try #require(pages.first { $0.name == "tacit-json" })
        #expect(json.text.contains("Plain columns: id, state.\n"))
    }

    @Test func everyVerbOfANounIsOnItsPage() throws {
        let page = try #require(pages.first { $0.name == "tacit-contact" })
        for line in [
            ".SY \"tacit contact list\"", ".SS tacit contact rename", "\\fITIME\\fR", "\\fINAME\\fR\\&.\\|.\\|.",
        ] {
            #expect(page.text.contains(line) == (line != "\\fITIME\\fR"), "\(line)")
        }
    }

    @Test func parts_of_a_page_stand_before_its_contract() throws {
        let page = try #require(pages.first { $0.name == "tacit-daemon" }).text
        let parts = #"""
            .SH FILES
            In the folder:
            .SS Logs
            .TP
            \fBa\-b\fR\~\fI(restart)\fR
            The log.
            .TP
            \fBc\fR
            Nothing.
            .SH EXIT STATUS
            """#
        #expect(page.contains(parts))
    }

    @Test func text_is_never_a_roff_request() {
        for page in pages {
            for line in page.text.split(separator: "\n") {
                #expect(!line.hasPrefix("'"))
                #expect(line.utf8.allSatisfy { $0 < 0x80 }, "\(line)")
                #expect(!line.hasPrefix(".") || line.hasPrefix(".\\\"") || line.dropFirst().first?.isLetter == true)
            }
        }
    }

    @Test func textIsKeptAsItIs() throws {
        let page = try #require(pages.first { $0.name == "tacit-send" })
        #expect(page.text.contains("It is never lost.\n.PP\n.EX\n  indented as written\n.EE\n.PP\nThe end."))
        #expect(page.text.contains(#"\-\-once \(dqdisk\-$(date +%F)\(dq"#))
    }
}
