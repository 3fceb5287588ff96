import CommandKit
import JSONCoding
import Testing

/// The schema of a report.
@Suite struct SchemaTests {
    @Test func schema_matches_the_form() {
        let form = ReportForm(
            "boat", "A boat", plain: ["name", "crew"],
            [
                .always("name", .text, "Its name"), .sometimes("id", .id, "The boat"),
                .sometimes("state", .word(["afloat", "sunk"]), "How it is"), .always("crew", .texts, "Who sails"),
                .sometimes("made_at", .time, "When it was made"),
                .sometimes("made", .time, "When it was made").kept(for: "made_at"),
                .always("fast", .flag, "Whether it is fast"),
                .always("masts", .count, "How many"), .sometimes("cargo", .counts, "What it holds"),
                .always("decks", .numbers, "Rooms on each"),
                .always("boats", .objects([.sometimes("name", .text, "Its name")]), "Those on board"),
                .sometimes("home", .object([.always("port", .text, "Where")]), "Where it belongs"),
            ])
        #expect(
            form.schema.line == """
                {"$schema":"https://json-schema.org/draft/2020-12/schema","title":"boat","description":"A boat",\
                "type":"object","properties":{"v":{"const":1},"type":{"const":"boat"},\
                "name":{"type":"string","description":"Its name"},\
                "id":{"type":"string","pattern":"^[a-z][1-9][0-9]*$","description":"The boat"},\
                "state":{"type":"string","enum":["afloat","sunk"],"description":"How it is"},\
                "crew":{"type":"array","items":{"type":"string"},"description":"Who sails"},\
                "made_at":{"type":"string","format":"date-time","pattern":\
                "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\\\.[0-9]{3}Z$",\
                "description":"When it was made"},\
                "made":{"type":"string","format":"date-time","pattern":\
                "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\\\.[0-9]{3}Z$",\
                "description":"When it was made; the same as made_at, kept for version 1","deprecated":true},\
                "fast":{"type":"boolean","description":"Whether it is fast"},\
                "masts":{"type":"integer","minimum":0,"description":"How many"},\
                "cargo":{"type":"object","additionalProperties":{"type":"integer","minimum":0},\
                "description":"What it holds"},\
                "decks":{"type":"array","items":{"type":"integer","minimum":0},"description":"Rooms on each"},\
                "boats":{"type":"array","items":{"type":"object",\
                "properties":{"name":{"type":"string","description":"Its name"}},"required":[]},\
                "description":"Those on board"},\
                "home":{"type":"object","properties":{"port":{"type":"string","description":"Where"}},\
                "required":["port"],"description":"Where it belongs"}},\
                "required":["v","type","name","crew","fast","masts","decks","boats"],"x-plain":["name","crew"]}
                """)
    }

    @Test func reportsOfTheTreeAreThereOnce() {
        #expect(Sample.tree.reports == [Sample.report])
        #expect(Sample.report.renamed("sent", "A").fields == Sample.report.fields)
    }
}
