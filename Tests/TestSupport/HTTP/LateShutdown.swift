import Foundation

/// A library to preload that makes a race at the end of a program certain: each connection with TLS is closed half a second
/// late, or when OpenSSL has cleaned up, and the program does not end before.
public struct LateShutdown: Sendable {
    private let folder: TemporaryFolder

    /// Compiles the library.
    public init() async throws {
        folder = try TemporaryFolder()
        try Data(Self.source.utf8).write(to: URL(filePath: folder.appending("late.c")))
        try await compileC(folder.appending("late.c"), to: library, options: ["-shared", "-fPIC"])
    }

    private var library: String { folder.appending("late.so") }

    /// What a program needs in its environment to be slowed down.
    public var environment: [String: String] { ["LD_PRELOAD": library] }

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <stdlib.h>
        #include <time.h>
        #include <unistd.h>

        static volatile int has_cleaned, is_closed;

        // By the clock: on a busy machine each sleep takes longer than it was asked for.
        static void wait_for(volatile int *sign, double seconds) {
            struct timespec begin, now;
            clock_gettime(CLOCK_MONOTONIC, &begin);
            do {
                usleep(1000);
                clock_gettime(CLOCK_MONOTONIC, &now);
            } while (!*sign && now.tv_sec - begin.tv_sec + (now.tv_nsec - begin.tv_nsec) / 1e9 < seconds);
        }

        static void linger(void) {
            has_cleaned = 1;
            wait_for(&is_closed, 2);
        }

        // Registered first, and so called last.
        __attribute__((constructor)) static void begin(void) { atexit(linger); }

        int SSL_shutdown(void *connection) {
            wait_for(&has_cleaned, 0.5);
            void *library = dlopen("libssl.so.3", RTLD_NOW | RTLD_NOLOAD);
            int result = ((int (*)(void *))dlsym(library, "SSL_shutdown"))(connection);
            is_closed = 1;
            return result;
        }

        """
}
