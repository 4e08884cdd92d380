import Foundation

/// A library to preload that makes a race at the end of a program certain: each connection with TLS is closed late, and
/// the program lingers when OpenSSL has cleaned up.
public struct LateShutdown: Sendable {
    private let folder: TemporaryFolder

    /// Compiles the library.
    public init() async throws {
        folder = try TemporaryFolder()
        try Data(Self.source.utf8).write(to: URL(filePath: folder.appending("late.c")))
        try await compileC(folder.appending("late.c"), to: library, options: ["-shared", "-fPIC"])
    }

    private var library: String { folder.appending("late.so") }

    /// What a program needs in its environment to be slowed down, and to have used OpenSSL before anything else did.
    public func environment(usingOpenSSL: Bool = false) -> [String: String] {
        ["LD_PRELOAD": library].merging(usingOpenSSL ? ["USES_OPENSSL": "1"] : [:]) { $1 }
    }

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <stdlib.h>
        #include <unistd.h>

        static void linger(void) { usleep(300000); }

        // Registered first, and so called last.
        __attribute__((constructor)) static void begin(void) {
            atexit(linger);
            if (!getenv("USES_OPENSSL")) return;
            void *library = dlopen("libssl.so.3", RTLD_NOW);
            ((int (*)(unsigned long, void *))dlsym(library, "OPENSSL_init_ssl"))(0, NULL);
        }

        int SSL_shutdown(void *connection) {
            usleep(100000);
            void *library = dlopen("libssl.so.3", RTLD_NOW | RTLD_NOLOAD);
            return ((int (*)(void *))dlsym(library, "SSL_shutdown"))(connection);
        }

        """
}
