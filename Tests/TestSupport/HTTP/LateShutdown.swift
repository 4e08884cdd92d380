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
        #include <unistd.h>

        static volatile int has_cleaned, is_closed;

        static void linger(void) {
            has_cleaned = 1;
            for (int i = 0; i < 2000 && !is_closed; i++) usleep(1000);
        }

        // Registered first, and so called last.
        __attribute__((constructor)) static void begin(void) { atexit(linger); }

        int SSL_shutdown(void *connection) {
            for (int i = 0; i < 500 && !has_cleaned; i++) usleep(1000);
            void *library = dlopen("libssl.so.3", RTLD_NOW | RTLD_NOLOAD);
            int result = ((int (*)(void *))dlsym(library, "SSL_shutdown"))(connection);
            is_closed = 1;
            return result;
        }

        """
}
