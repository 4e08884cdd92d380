/*
 * Preloaded into a program under test. It sets the time of day that the program sees, and no other clock: as if somebody
 * had set the clock of the machine while it was running.
 *
 * CLOCKSHIFT_SECONDS  by how much the time of day is ahead; negative when it is behind
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long shift;

/* A test that silently ran with the right clock would pass: so a missing setting ends the program. */
__attribute__((constructor)) static void prepare(void) {
    const char *seconds = getenv("CLOCKSHIFT_SECONDS");
    if (!seconds) {
        dprintf(2, "clockshift: CLOCKSHIFT_SECONDS is needed\n");
        _exit(97);
    }
    shift = strtoll(seconds, 0, 10);
}

int clock_gettime(clockid_t clock, struct timespec *moment) {
    int status = (int)syscall(SYS_clock_gettime, clock, moment);
    if (!status && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) moment->tv_sec += shift;
    return status;
}

int gettimeofday(struct timeval *restrict moment, void *restrict zone) {
    struct timespec now;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
    *moment = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *seconds) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds) *seconds = now.tv_sec;
    return now.tv_sec;
}
