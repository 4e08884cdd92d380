import Foundation
import Glibc
import TestSupport

/// One of the two versions of the sample app, and what somebody answers to its questions.
enum Version: String, CaseIterable, Sendable {
    case yesterday, today

    var other: Version { self == .yesterday ? .today : .yesterday }
    var program: String { self == .yesterday ? "YesterdaysApp" : "TodaysApp" }

    /// The answers differ between the versions, so that a stored one tells where it was given.
    func answer(to step: String, country: String) -> String {
        let yesterday = [
            "email": "ada+door@example.org", "userName": "ada_l", "referral": "Charles", "company": "Engines",
            "password": "correct horse battery", "firstName": "ada", "lastName": "Lovelace",
        ]
        let today = [
            "email": "ada@example.org", "country": country, "lastName": "King", "firstName": "Augusta",
            "handle": "ada_k", "company": "Engines Ltd", "password": "correct horse battery",
        ]
        return (self == .yesterday ? yesterday : today)[step] ?? ""
    }
}

/// What a step asks: its name on the wire and on the screen.
struct Asked: Sendable {
    let step: String
    let field: String
    let label: String

    init?(_ step: String) {
        let all = [
            "email": ("email_field", "Email Address"), "userName": ("user_name", "User Name"),
            "handle": ("user_name", "User Name"), "referral": ("referral", "Who told you"),
            "company": ("company", "Company"), "password": ("password", "Password"),
            "firstName": ("first_name", "First Name"), "lastName": ("last_name", "Last Name"),
            "country": ("country", "Country"),
        ]
        guard let (field, label) = all[step] else { return nil }
        (self.step, self.field, self.label) = (step, field, label)
    }
}

/// How a run of the app ends that is not to finish the registration.
enum Ending: String, CaseIterable, Sendable {
    /// There are no more lines to read.
    case endOfInput
    /// Killed after the last answer was acknowledged by the next question.
    case kill
    /// One more answer is on its way when the app is killed.
    case killInTheAnswer
}

/// What one run of the app did.
struct Visit: Sendable {
    /// The steps that were asked, in order.
    var asked: [String] = []
    /// Those of them whose answers were acknowledged: by the next question, or by the end of the program.
    var answered: [String] = []
    /// The step whose answer nobody has acknowledged.
    var unacknowledged: String?
    /// The sentences about the resume.
    var report: [String] = []
    /// How the program ended.
    var exit = Exit.code(0)
}

/// One folder, in which both versions of the app find the same files.
final class Installation: Sendable {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a version of the app, gives it so many answers, and ends it.
    func visit(
        _ version: Version, answers count: Int = .max, then ending: Ending = .endOfInput, country: String = "SE"
    ) async throws -> Visit {
        let report = folder.appending("report")
        // The shell becomes the app, whose report goes to a file.
        let files = [try builtProduct(version.program), folder.appending("data/db"), folder.appending("key"), report]
        let app = try Dialogue(Program("/bin/sh", ["-c", "exec \"$0\" \"$1\" \"$2\" 2> \"$3\""] + files))
        var visit = Visit()
        var step = try? await app.nextLine()
        while let asked = step {
            visit.asked.append(asked)
            if visit.answered.count == count { break }
            try await app.send(version.answer(to: asked, country: country))
            step = try? await app.nextLine()
            visit.answered.append(asked)
        }
        if ending == .killInTheAnswer, let step {
            try await app.send(version.answer(to: step, country: country))
            visit.unacknowledged = step
        }
        if ending != .endOfInput, step != nil { app.signal(SIGKILL) }
        visit.exit = try await app.end()
        let text = String(decoding: try Data(contentsOf: URL(filePath: report)), as: UTF8.self)
        visit.report = text.split(separator: "\n").map { String($0) }
        return visit
    }

    /// The rows of a query on the app's file.
    func rows(_ sql: String) async throws -> [String] { try await rows(sql, in: "data/db") }

    /// The accounts at the network, without the passwords' hashes.
    func accounts() async throws -> [String] {
        try await rows(
            "SELECT email, user_name, first_name, last_name FROM accounts", in: "data/db.mock-network")
    }

    private func rows(_ sql: String, in name: String) async throws -> [String] {
        let path = folder.appending(name)
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        let finished = try await Program("sqlite3", ["-cmd", ".timeout 10000", path, sql]).run()
        guard finished.exit == .code(0) else { throw Failure("sqlite3 \(sql): \(finished.stderr)") }
        return finished.stdout.split(separator: "\n").map { String($0) }
    }
}
