import FlowServer
import Foundation
import Foyer

/// The page, and the flow of whoever looks at it: its id is in a cookie, so a reload goes on where the person was.
struct Page: Sendable {
    private let sessions: FlowSessions
    private let flows: FlowRoutes
    private let files: [String: HTTPResponse]

    init(_ sessions: FlowSessions) throws {
        self.sessions = sessions
        flows = FlowRoutes(sessions)
        let script = "const purposes = \(String(decoding: try JSONEncoder().encode(Self.purposes), as: UTF8.self));\n"
        files = [
            "/": .file("text/html", PackageResources.page_html),
            "/page.css": .file("text/css", PackageResources.page_css),
            "/page.js": .file("text/javascript", Array(script.utf8) + PackageResources.page_js),
        ]
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        switch (request.method, request.path) {
        case ("GET", "/flow"): return await flows.show(request.flow)
        case ("POST", "/flow/input"): return await flows.show(request.flow, after: request)
        case ("POST", "/flow"):
            // Another site can send forms here, but not this type: nobody begins a flow in somebody else's browser.
            guard request.headers["content-type"] == "application/json" else { return .problem(415, "Send JSON.") }
            do throws(StoreError) {
                let answer = try await sessions.begin()
                let cookie = "flow=\(answer.flow); Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict"
                return .json(answer, status: 201).settingCookie(cookie)
            } catch {
                return .problem(error)
            }
        case ("GET", let path): return files[path] ?? .problem(404, "There is nothing here.")
        default: return .problem(404, "There is nothing here.")
        }
    }

    /// What each purpose of a field is in HTML's attributes, so that the page helps with it and needs no list of its own.
    private static let purposes = FieldPurpose.allCases.reduce(into: [String: [String: String]]()) { all, purpose in
        all[purpose.rawValue] = [
            "autocomplete": purpose.metadata.autocomplete, "inputmode": purpose.metadata.inputMode,
            "autocapitalize": purpose.metadata.capitalization,
        ]
    }
}

extension HTTPRequest {
    /// The id in the cookie; empty where there is none.
    fileprivate var flow: String {
        let cookies = headers["cookie"]?.split(separator: ";").map { $0.drop { $0 == " " } } ?? []
        return cookies.first { $0.hasPrefix("flow=") }.map { String($0.dropFirst("flow=".count)) } ?? ""
    }
}

extension HTTPResponse {
    /// A file of the page: it may load nothing, and be shown nowhere, but here.
    fileprivate static func file(_ type: String, _ body: [UInt8]) -> HTTPResponse {
        let policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"
        return HTTPResponse(
            200, type: "\(type); charset=utf-8",
            headers: [
                "Content-Security-Policy": "\(policy); base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            ], body: body)
    }

    fileprivate func settingCookie(_ cookie: String) -> HTTPResponse {
        var response = self
        response.headers["Set-Cookie"] = cookie
        return response
    }
}
