// Preloaded: lets the main thread become libdispatch's worker late, and other threads wake it slowly, so that a wake-up
// meets a descriptor that was closed meanwhile.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_main_thread(void) { return getpid() == (pid_t)syscall(SYS_gettid); }

void pthread_exit(void *value) {
    void (*real)(void *) = (void (*)(void *))dlsym(RTLD_NEXT, "pthread_exit");
    if (is_main_thread()) usleep(100000);
    real(value);
    __builtin_unreachable();
}

int eventfd_write(int descriptor, eventfd_t value) {
    if (!is_main_thread()) usleep(400000);
    return write(descriptor, &value, sizeof value) == sizeof value ? 0 : -1;
}
