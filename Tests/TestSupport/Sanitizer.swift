import Glibc

/// Whether this build watches every access to memory.
///
/// It then has memory of its own, needs files while it starts, and starts ten times as slowly: tests that count memory,
/// limit files, or kill a program at each of its calls are left out.
public let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

/// Whether this build counts the lines that it runs, for which every program writes a file of its own.
public let isCountingLines = getenv("LLVM_PROFILE_FILE") != nil
