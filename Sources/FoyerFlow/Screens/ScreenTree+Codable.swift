// Every node says what it is under the key `kind`, so that a program in any language can draw it.

extension ScreenTree {
    private enum Key: String, CodingKey {
        case kind, screen, stack, over, top, tabs, selected, shown
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .screen(let screen):
            try container.encode("screen", forKey: .kind)
            try container.encode(screen, forKey: .screen)
        case .stack(let trees):
            try container.encode("stack", forKey: .kind)
            try container.encode(trees, forKey: .stack)
        case .modal(let under, let top):
            try container.encode("modal", forKey: .kind)
            try container.encode(under, forKey: .over)
            try container.encode(top, forKey: .top)
        case .tabs(let items, let selected, let shown):
            try container.encode("tabs", forKey: .kind)
            try container.encode(items, forKey: .tabs)
            try container.encode(selected, forKey: .selected)
            try container.encode(shown, forKey: .shown)
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        switch try container.decode(String.self, forKey: .kind) {
        case "screen": self = .screen(try container.decode(Screen.self, forKey: .screen))
        case "stack": self = .stack(try container.decode([ScreenTree].self, forKey: .stack))
        case "modal":
            self = .modal(
                over: try container.decode(ScreenTree.self, forKey: .over),
                try container.decode(ScreenTree.self, forKey: .top))
        case "tabs":
            self = .tabs(
                try container.decode([TabItem].self, forKey: .tabs),
                selected: try container.decode(String.self, forKey: .selected),
                try container.decode(ScreenTree.self, forKey: .shown))
        case let kind:
            throw DecodingError.dataCorruptedError(forKey: .kind, in: container, debugDescription: "no kind \(kind)")
        }
    }
}

extension Screen.Content {
    private enum Key: String, CodingKey {
        case kind, fields, lines, text
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .form(let fields):
            try container.encode("form", forKey: .kind)
            try container.encode(fields, forKey: .fields)
        case .review(let lines):
            try container.encode("review", forKey: .kind)
            try container.encode(lines, forKey: .lines)
        case .alert(let text): try encode("alert", text, in: &container)
        case .menu(let text): try encode("menu", text, in: &container)
        case .message(let text): try encode("message", text, in: &container)
        }
    }

    private func encode(_ kind: String, _ text: String, in container: inout KeyedEncodingContainer<Key>) throws {
        try container.encode(kind, forKey: .kind)
        try container.encode(text, forKey: .text)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        switch try container.decode(String.self, forKey: .kind) {
        case "form": self = .form(try container.decode([FieldView].self, forKey: .fields))
        case "review": self = .review(try container.decode([ReviewLine].self, forKey: .lines))
        case "alert": self = .alert(try container.decode(String.self, forKey: .text))
        case "menu": self = .menu(try container.decode(String.self, forKey: .text))
        case "message": self = .message(try container.decode(String.self, forKey: .text))
        case let kind:
            throw DecodingError.dataCorruptedError(forKey: .kind, in: container, debugDescription: "no kind \(kind)")
        }
    }
}
