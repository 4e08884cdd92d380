import Foyer

extension Command {
    static let config = Command(
        name: "config", summary: "each setting, its value, and where that comes from",
        details: "A flag overrules the environment, that the config files, and those the defaults. "
            + "`foyer help config-files` tells where the files are and how they are written.",
        examples: ["foyer config", "foyer config --network offline --json"], exitCodes: [.configuration]
    ) { invocation in
        let options = invocation.options
        let rows = Flag.everywhere.filter { $0.isSetting || !$0.variables.isEmpty }.map { flag in
            let given = options.given[flag.name]
            return (flag.key, given?.text ?? (try? flag.standard(options)), given?.origin)
        }
        if options.json {
            Output.json([
                "config": .array(
                    rows.map { key, text, origin in
                        .object([
                            "name": .string(key), "value": JSONValue(text), "origin": .string(kind(of: origin)),
                            "source": JSONValue(origin.flatMap { $0 == .flag ? nil : $0.description }),
                        ])
                    }),
                "files": .array(Locations.configFiles().map(JSONValue.string)),
            ])
        } else {
            Output.table(
                ["SETTING", Table.Column("VALUE", shrinks: true), "FROM"],
                rows.map { [Table.Cell($0), Table.Cell($1 ?? "-"), Table.Cell($2?.description ?? "default")] })
            Output.error("Settings are read from: \(Locations.configFiles().joined(separator: ", "))")
        }
        return .done
    }

    private static func kind(of origin: Settings.Origin?) -> String {
        switch origin {
        case .flag: "flag"
        case .environment: "environment"
        case .config: "config"
        case nil: "default"
        }
    }
}
