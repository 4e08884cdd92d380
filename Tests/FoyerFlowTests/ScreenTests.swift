import FoyerModel
import Testing

@testable import FoyerFlow

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@FlowActor
@Suite struct ScreenTests {
    @Test("The screens of a whole flow are the same after a way through JSON")
    func coding() async throws {
        try await Story.tell(resuming: try await saved(answers: 3)) { story in
            var seen: [ScreenTree] = [story.host.screens]
            for _ in 0..<3 {
                try await story.send(.back)
                seen.append(story.host.screens)
            }
            try await story.send(.accept, "bad")
            seen.append(story.host.screens)
            try await story.answer("a", "b", "c")
            try await story.send(.submit)
            seen.append(story.host.screens)
            for screens in seen {
                let data = try JSONEncoder().encode(screens)
                #expect(try JSONDecoder().decode(ScreenTree.self, from: data) == screens)
            }
            #expect(Set(seen.compactMap { $0.active?.id }).count == 5, "every kind of screen was among them")
        }
    }

    @Test("The visible screen is the last of the innermost stack")
    func active() {
        func screen(_ id: String) -> ScreenTree {
            .screen(Screen(id: id, title: "", content: .message(""), actions: []))
        }
        #expect(screen("a").active?.id == "a")
        #expect(ScreenTree.stack([screen("a"), .stack([screen("b"), screen("c")])]).active?.id == "c")
        #expect(ScreenTree.stack([]).active == nil)
    }

    @Test("An input is for the screen and the revision that it was made on")
    func input() {
        var screen = Screen(id: "a/b", title: "", content: .message(""), actions: [.back])
        screen.revision = 7
        let input = ScreenInput(for: screen, .back)
        #expect(input.screen == "a/b" && input.revision == 7 && input.action == "back" && input.values.isEmpty)
    }

    @Test("Printing an input, or a coordinator's draft, shows nothing of what was entered as a secret")
    func printing() async throws {
        try await Story.tell { story in
            try await story.answer("ada")
            let input = try story.input(.accept, "xyzzy")
            var dumped = ""
            dump(input, to: &dumped)
            #expect(try await story.host.send(input) == .taken)
            dump(story.host.screens, to: &dumped)
            for commit in await story.store.commits { dump(commit, to: &dumped) }
            #expect(!dumped.contains("xyzzy") && !"\(input)".contains("xyzzy"))
            #expect(!String(reflecting: input).contains("xyzzy"))
        }
    }
}
