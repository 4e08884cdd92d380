/*
 * Preloaded into a program under test. It counts the calls by which the program changes files, over all threads and
 * all programs that it starts, and kills the program just before the N-th of them.
 *
 * KILLPOINT_NUMBER  N; 0 only counts
 * KILLPOINT_CALLS   the kinds of calls that count, separated by commas: write,sync,truncate,create,remove,rename
 * KILLPOINT_REPORT  a file into which `struct report` is mapped: it outlives the program
 *
 * The state of a program can only be told apart, from outside, by the calls that were done; so "before each call" and
 * "not at all" are all the moments there are. Memory-mapped files are the exception: they change without calls. Calls
 * that the C library makes inside itself are not seen, such as those of stdio.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct report {
    _Atomic uint32_t loaded;
    _Atomic uint32_t count;
    _Atomic int32_t killed;  /* the process that is killed, 0 while no kill was due */
    char killed_before[500]; /* the call and its file */
};

static struct report *report;
static uint32_t kill_number;
static const char *counted_kinds;
static pthread_once_t prepared = PTHREAD_ONCE_INIT;

/* A test that silently ran without kills would pass: so a missing setting ends the program. */
static void give_up(const char *problem) {
    dprintf(2, "killpoint: %s\n", problem);
    _exit(97);
}

static void prepare(void) {
    const char *path = getenv("KILLPOINT_REPORT"), *number = getenv("KILLPOINT_NUMBER");
    counted_kinds = getenv("KILLPOINT_CALLS");
    if (!path || !number || !counted_kinds) give_up("KILLPOINT_REPORT, _NUMBER and _CALLS are needed");
    kill_number = (uint32_t)strtoul(number, 0, 10);
    /* Not through open(), which is one of the calls that wait for this. */
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    if (file < 0) give_up("the report cannot be opened");
    report = mmap(0, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (report == MAP_FAILED) give_up("the report cannot be mapped");
    close(file);
    atomic_store(&report->loaded, 1);
}

__attribute__((constructor)) static void prepare_at_start(void) { pthread_once(&prepared, prepare); }

static int counts(const char *kind) {
    size_t length = strlen(kind);
    for (const char *found = counted_kinds; (found = strstr(found, kind)); found += length)
        if ((found == counted_kinds || found[-1] == ',') && (found[length] == 0 || found[length] == ',')) return 1;
    return 0;
}

static void count_call(const char *kind, const char *call, const char *path) {
    pthread_once(&prepared, prepare);
    if (!counts(kind)) return;
    uint32_t number = atomic_fetch_add(&report->count, 1) + 1;
    if (!kill_number || number < kill_number) return;
    if (number == kill_number) {
        snprintf(report->killed_before, sizeof report->killed_before, "%s %s", call, path);
        atomic_store(&report->killed, getpid());
        kill(getpid(), SIGKILL);
    }
    /* Other threads may run on for a moment after the kill: their later calls must not be done either. */
    while (!atomic_load(&report->killed)) sched_yield();
    while (atomic_load(&report->killed) == getpid()) pause();
}

/* Only regular files and folders keep what is done to them; pipes and terminals do not. */
static void count_descriptor(const char *kind, const char *call, int file) {
    struct stat status;
    if (fstat(file, &status) || !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) return;
    char link[32], path[448];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    count_call(kind, call, path);
}

/* The C library's function of this name. */
#define NEXT(name, result, ...)                                                      \
    static result (*_Atomic next)(__VA_ARGS__);                                      \
    if (!atomic_load(&next)) atomic_store(&next, (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

#define BY_DESCRIPTOR(kind, name, result, parameters, arguments, ...) \
    result name parameters {                                          \
        NEXT(name, result, __VA_ARGS__);                              \
        count_descriptor(kind, #name, file);                          \
        return atomic_load(&next) arguments;                          \
    }

#define BY_PATH(kind, name, parameters, arguments, ...) \
    int name parameters {                               \
        NEXT(name, int, __VA_ARGS__);                   \
        count_call(kind, #name, path);                  \
        return atomic_load(&next) arguments;            \
    }

BY_DESCRIPTOR("write", write, ssize_t, (int file, const void *bytes, size_t count), (file, bytes, count),
              int, const void *, size_t)
BY_DESCRIPTOR("write", pwrite, ssize_t, (int file, const void *bytes, size_t count, off_t offset),
              (file, bytes, count, offset), int, const void *, size_t, off_t)
BY_DESCRIPTOR("write", pwrite64, ssize_t, (int file, const void *bytes, size_t count, off64_t offset),
              (file, bytes, count, offset), int, const void *, size_t, off64_t)
BY_DESCRIPTOR("write", writev, ssize_t, (int file, const struct iovec *parts, int count), (file, parts, count),
              int, const struct iovec *, int)
BY_DESCRIPTOR("write", pwritev, ssize_t, (int file, const struct iovec *parts, int count, off_t offset),
              (file, parts, count, offset), int, const struct iovec *, int, off_t)
BY_DESCRIPTOR("write", pwritev64, ssize_t, (int file, const struct iovec *parts, int count, off64_t offset),
              (file, parts, count, offset), int, const struct iovec *, int, off64_t)
BY_DESCRIPTOR("write", copy_file_range, ssize_t,
              (int from, off64_t *at, int file, off64_t *to, size_t count, unsigned flags),
              (from, at, file, to, count, flags), int, off64_t *, int, off64_t *, size_t, unsigned)
BY_DESCRIPTOR("write", sendfile, ssize_t, (int file, int from, off_t *at, size_t count), (file, from, at, count),
              int, int, off_t *, size_t)
BY_DESCRIPTOR("write", sendfile64, ssize_t, (int file, int from, off64_t *at, size_t count), (file, from, at, count),
              int, int, off64_t *, size_t)

BY_DESCRIPTOR("sync", fsync, int, (int file), (file), int)
BY_DESCRIPTOR("sync", fdatasync, int, (int file), (file), int)

BY_DESCRIPTOR("truncate", ftruncate, int, (int file, off_t size), (file, size), int, off_t)
BY_DESCRIPTOR("truncate", ftruncate64, int, (int file, off64_t size), (file, size), int, off64_t)
BY_DESCRIPTOR("truncate", fallocate, int, (int file, int mode, off_t at, off_t size), (file, mode, at, size),
              int, int, off_t, off_t)
BY_DESCRIPTOR("truncate", fallocate64, int, (int file, int mode, off64_t at, off64_t size), (file, mode, at, size),
              int, int, off64_t, off64_t)
BY_DESCRIPTOR("truncate", posix_fallocate, int, (int file, off_t at, off_t size), (file, at, size), int, off_t, off_t)
BY_DESCRIPTOR("truncate", posix_fallocate64, int, (int file, off64_t at, off64_t size), (file, at, size),
              int, off64_t, off64_t)
BY_PATH("truncate", truncate, (const char *path, off_t size), (path, size), const char *, off_t)
BY_PATH("truncate", truncate64, (const char *path, off64_t size), (path, size), const char *, off64_t)

BY_PATH("remove", unlink, (const char *path), (path), const char *)
BY_PATH("remove", rmdir, (const char *path), (path), const char *)
BY_PATH("remove", remove, (const char *path), (path), const char *)
BY_PATH("remove", unlinkat, (int folder, const char *path, int flags), (folder, path, flags), int, const char *, int)

BY_PATH("rename", rename, (const char *path, const char *to), (path, to), const char *, const char *)
BY_PATH("rename", renameat, (int folder, const char *path, int other, const char *to), (folder, path, other, to),
        int, const char *, int, const char *)
BY_PATH("rename", renameat2, (int folder, const char *path, int other, const char *to, unsigned flags),
        (folder, path, other, to, flags), int, const char *, int, const char *, unsigned)
BY_PATH("rename", link, (const char *path, const char *to), (path, to), const char *, const char *)
BY_PATH("rename", linkat, (int folder, const char *path, int other, const char *to, int flags),
        (folder, path, other, to, flags), int, const char *, int, const char *, int)

BY_PATH("create", mkdir, (const char *path, mode_t mode), (path, mode), const char *, mode_t)
BY_PATH("create", mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode),
        int, const char *, mode_t)
BY_PATH("create", creat, (const char *path, mode_t mode), (path, mode), const char *, mode_t)
BY_PATH("create", creat64, (const char *path, mode_t mode), (path, mode), const char *, mode_t)
BY_PATH("create", symlink, (const char *target, const char *path), (target, path), const char *, const char *)

/* The mode is there only if a file may be created. */
static mode_t mode_of(int flags, va_list rest) {
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
}

/* O_TRUNC empties a file that is there: that, too, is a change. */
static void count_open(const char *call, const char *path, int flags) {
    if (flags & (O_CREAT | O_TRUNC)) count_call("create", call, path);
}

#define OPEN(name)                               \
    int name(const char *path, int flags, ...) { \
        va_list rest;                            \
        va_start(rest, flags);                   \
        mode_t mode = mode_of(flags, rest);      \
        va_end(rest);                            \
        NEXT(name, int, const char *, int, ...); \
        count_open(#name, path, flags);          \
        return atomic_load(&next)(path, flags, mode); \
    }

#define OPENAT(name)                                         \
    int name(int folder, const char *path, int flags, ...) { \
        va_list rest;                                        \
        va_start(rest, flags);                               \
        mode_t mode = mode_of(flags, rest);                  \
        va_end(rest);                                        \
        NEXT(name, int, int, const char *, int, ...);        \
        count_open(#name, path, flags);                      \
        return atomic_load(&next)(folder, path, flags, mode); \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
