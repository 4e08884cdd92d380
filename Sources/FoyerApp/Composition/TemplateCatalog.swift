import Foyer
import FoyerPlatform

/// The templates of a module, which were compiled into it.
public struct TemplateCatalog: Sendable {
    private let files: [String: String]

    /// Takes JSON texts by their files' names, without the ending.
    public init(files: [String: String]) {
        self.files = files
    }

    /// The template in the file of that name, which has to be meant for `type`.
    public func template(named name: String, for type: Any.Type) throws(TemplateError) -> ScreenTemplate {
        let type = String(describing: type)
        guard let file = files[name] else { throw .missing(template: name, type: type) }
        guard let template = try? JSONDecoder().decode(ScreenTemplate.self, from: Data(file.utf8)) else {
            throw .malformed(template: name, type: type)
        }
        guard template.screens.contains(type) else {
            throw .mismatched(template: name, type: type, screens: template.screens)
        }
        return template
    }
}

/// Why a screen has no template.
public enum TemplateError: Error, Equatable, CustomStringConvertible {
    /// There is no file of that name.
    case missing(template: String, type: String)
    /// The file is not a template.
    case malformed(template: String, type: String)
    /// The file is meant for other screens.
    case mismatched(template: String, type: String, screens: [String])

    public var description: String {
        switch self {
        case .missing(let template, let type):
            "\(type) has no template: add \(template).json to the folder Templates of its module."
        case .malformed(let template, let type):
            "The template \(template).json of \(type) is not one: it needs screens, title, labels and order."
        case .mismatched(let template, let type, let screens):
            "The template \(template).json is of \(screens.joined(separator: ", ")), not of \(type)."
        }
    }
}
