import FoyerPlatform

extension String {
    /// The text in Unicode Normalization Form C (UAX #15): canonically equal texts get the same bytes.
    var canonicallyComposed: String {
        #if canImport(Darwin)
        precomposedStringWithCanonicalMapping
        #else
        // The standard library's own NFC, the one behind String's ==; FoundationEssentials has none to offer.
        String(decoding: _nfcCodeUnits, as: UTF8.self)
        #endif
    }
}
