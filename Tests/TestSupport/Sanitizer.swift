import Glibc

/// Whether this build watches every access to memory, which takes memory and time of its own, files under a limit, and the
/// place of a preloaded library: tests of such things say nothing then.
public let isSanitized = ["__tsan_init", "__asan_init"].contains { dlsym(nil, $0) != nil }
