import Foyer

/// Moments as people tell them: `3 min ago`, `in 2 h`.
enum RelativeTime {
    static func text(_ moment: Timestamp, from now: Timestamp) -> String {
        let (seconds, _) = (moment - now).components
        guard let length = length(seconds.magnitude) else { return String(moment.description.prefix(10)) }
        if seconds.magnitude < 2 { return "just now" }
        return seconds < 0 ? "\(length) ago" : "in \(length)"
    }

    /// A time in its largest unit, such as `12 s`.
    static func length(_ time: Duration) -> String {
        let (seconds, _) = time.components
        return length(seconds.magnitude) ?? "\(Int((time / .seconds(86400)).rounded())) days"
    }

    /// Nil for what is so far away that its date tells more.
    private static func length(_ seconds: UInt64) -> String? {
        switch seconds {
        case 0: "under 1 s"
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        case ..<5_184_000: "\(seconds / 86400) days"
        default: nil
        }
    }
}
