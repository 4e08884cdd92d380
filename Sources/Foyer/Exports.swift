// What an app that embeds Foyer needs beside this module's own types.
@_exported public import FoyerFlow
@_exported public import FoyerModel
@_exported public import FoyerSync
