/* Preloaded, hides /proc from a program and moves its environment: then the Swift runtime finds no arguments. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static int is_hidden(const char *path) { return strncmp(path, "/proc", 5) == 0; }

__attribute__((constructor)) static void move_environment(void) {
    int count = 0;
    while (environ[count] != NULL) count++;
    char **moved = calloc(count + 1, sizeof *moved);
    for (int i = 0; moved != NULL && i < count; i++) moved[i] = strdup(environ[i]);
    if (moved != NULL) environ = moved;
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    if (is_hidden(path)) {
        errno = ENOENT;
        return -1;
    }
    return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open"))(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) {
    if (is_hidden(path)) {
        errno = ENOENT;
        return NULL;
    }
    return ((FILE *(*)(const char *, const char *))dlsym(RTLD_NEXT, "fopen"))(path, mode);
}
