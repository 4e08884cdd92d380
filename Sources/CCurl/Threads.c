#include "CCurl.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* How long an exit waits for the threads. They end within milliseconds: nothing of libcurl that they call waits, except
   for a file of certificates that cannot be read to its end. */
enum { LIMIT_SECONDS = 2 };

/* All but `process` and `stop` under `lock`. */
static struct {
    pthread_mutex_t lock;
    int running;
    /* The last thread that ended, which nobody has joined yet. */
    pthread_t ended;
    bool has_ended;
    pid_t process;
    void (*stop)(void);
} threads = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* What a new thread does. */
struct start {
    void (*body)(void *);
    void *context;
};

static void *run(void *pointer) {
    struct start start = *(struct start *)pointer;
    free(pointer);
    start.body(start.context);

    pthread_mutex_lock(&threads.lock);
    pthread_t before = threads.ended;
    bool has_before = threads.has_ended;
    threads.ended = pthread_self();
    threads.has_ended = true;
    threads.running--;
    pthread_mutex_unlock(&threads.lock);
    /* Each joins the one before it, so that whoever joins the last one has joined them all. */
    if (has_before) pthread_join(before, NULL);
    return NULL;
}

static void thread_begins(void) {
    pthread_mutex_lock(&threads.lock);
    threads.running++;
    pthread_mutex_unlock(&threads.lock);
}

void foyer_curl_thread_ended(void) {
    pthread_mutex_lock(&threads.lock);
    threads.running--;
    pthread_mutex_unlock(&threads.lock);
}

int foyer_curl_start_thread(void (*body)(void *), void *context) {
    struct start *start = malloc(sizeof *start);
    if (!start) return ENOMEM;
    *start = (struct start){body, context};
    thread_begins();
    /* The new thread, and those that libcurl makes from it, inherit the mask: neither a SIGPIPE of a connection nor a
       signal that the app waits for arrives there. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int error = pthread_create(&thread, NULL, run, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!error) return 0;
    free(start);
    foyer_curl_thread_ended();
    return error;
}

static void end_threads(void) {
    /* A child of `fork` has none of them. */
    if (getpid() != threads.process) return;
    threads.stop();
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    now = start;
    pthread_mutex_lock(&threads.lock);
    while (threads.running > 0 && now.tv_sec - start.tv_sec < LIMIT_SECONDS + 1) {
        /* No condition variable: not every system lets one wait by the clock that nobody sets. */
        pthread_mutex_unlock(&threads.lock);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        pthread_mutex_lock(&threads.lock);
        clock_gettime(CLOCK_MONOTONIC, &now);
    }
    bool joins = threads.running == 0 && threads.has_ended;
    pthread_t last = threads.ended;
    threads.has_ended = false;
    pthread_mutex_unlock(&threads.lock);
    /* What OpenSSL has for each thread goes when the thread is gone. */
    if (joins) pthread_join(last, NULL);
}

int foyer_curl_end_threads_at_exit(void (*stop)(void)) {
    threads.process = getpid();
    threads.stop = stop;
    thread_begins();
    return atexit(end_threads);
}
