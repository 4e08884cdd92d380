import CLibFuzzer
import Glibc

// Fuzzer TARGET [ARGUMENT OF LIBFUZZER …]

let targets: [String: @Sendable ([UInt8]) -> Void] = [
    "boxes": fuzzBoxes, "fields": fuzzFields, "links": fuzzLinks, "replies": fuzzReplies, "requests": fuzzRequests,
]

guard CommandLine.argc > 1, let name = CommandLine.arguments.dropFirst().first, let target = targets[name] else {
    print("The targets: \(targets.keys.sorted().joined(separator: " "))")
    exit(64)
}
let fuzz = target

// libFuzzer knows its own arguments alone: the program's name takes the place of the target's.
var count = CommandLine.argc - 1
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
CommandLine.unsafeArgv[1] = CommandLine.unsafeArgv[0]
exit(
    LLVMFuzzerRunDriver(&count, &arguments) { data, size in
        fuzz(Array(UnsafeBufferPointer(start: data, count: size)))
        return 0
    })
