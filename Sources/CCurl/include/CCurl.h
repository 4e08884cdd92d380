#pragma once

#include <stddef.h>

/* What the HTTP client needs of libcurl, opened at its first use.

   This header includes nothing of <curl/curl.h>: that one brings the system's socket headers along, and Swift would
   take this module for the home of their types. Handles are `void *`, codes of libcurl are `int`. */

/* Opens libcurl. Returns null, or why that is impossible; comes before all others, and not from two threads at once.
   `stop` is called when the process exits: it makes all threads end, and no others begin. */
const char *foyer_curl_open(void (*stop)(void));

/* One request. What it points to stays where it is until the handle was removed from its group. */
struct foyer_curl_request {
    /* Null for a request without a body. */
    const void *body;
    size_t body_size;
    /* Whether a proxy that the environment names may be used. */
    int may_use_proxy;
    /* Whether a connection that was used before may not be. */
    int needs_fresh_connection;
    long connect_milliseconds;
    long total_milliseconds;

    /* Handed to the callbacks, and given back when the request is done. */
    void *context;
    /* Called with each line of the head, and with each part of the body; what is not taken ends the request. */
    size_t (*take_head)(char *bytes, size_t size, size_t count, void *context);
    size_t (*take_body)(char *bytes, size_t size, size_t count, void *context);
    /* Called when a connection stands and the request is sent next; nothing of it was before. Not zero: do not send.
       libcurl does not tell here which descriptor it is; the port on this side does. */
    int (*will_send)(void *context, char *address, char *local_address, int port, int local_port);
};

/* A handle for one request at a time; null without memory. */
void *foyer_curl_handle_make(void);
void foyer_curl_handle_free(void *handle);

/* libcurl would write the keys of the connection to the file that SSLKEYLOGFILE names, and cannot be kept from it. */
enum { FOYER_CURL_LOGS_KEYS = -1 };

/* Adds a line of the request's head. Returns libcurl's code. */
int foyer_curl_handle_add_header(void *handle, const char *line);

/* Prepares the handle for the request; without a file, the system's certificate authorities are trusted.
   Returns libcurl's code: 0, or why this libcurl cannot do what is asked; or FOYER_CURL_LOGS_KEYS. */
int foyer_curl_handle_prepare(
    void *handle, const char *method, const char *url, const char *ca_file, const struct foyer_curl_request *request);

/* Forgets the request, but keeps the memory of the handle. */
void foyer_curl_handle_reset(void *handle);

/* OpenSSL's result of the check of the certificate. */
long foyer_curl_handle_certificate(void *handle);

/* The descriptor of the connection that a request, now done, leaves open for others, and its port here; -1 without. */
int foyer_curl_handle_connection(void *handle, long *local_port);

/* Whether bytes, or the end of them, can be read from the connection. */
int foyer_curl_has_unread(int connection);

/* Many requests on one thread; null without memory. */
void *foyer_curl_group_make(long connections);
void foyer_curl_group_free(void *group);
int foyer_curl_group_add(void *group, void *handle);
void foyer_curl_group_remove(void *group, void *handle);

/* Does what can be done without waiting. */
void foyer_curl_group_perform(void *group);

/* The context of a request that is done, with libcurl's code for how; null when no other is done. */
void *foyer_curl_group_next_done(void *group, int *code);

/* Waits for the network, for `wake`, or for so many milliseconds. */
void foyer_curl_group_wait(void *group, int milliseconds);

/* Ends the wait of another thread, or the next one. */
void foyer_curl_group_wake(void *group);

/* Runs `body` on a thread of its own that takes no signals of the process; 0, or an error number. */
int foyer_curl_start_thread(void (*body)(void *), void *context);

/* Calls `stop` when the process exits, and waits until the threads have ended; 0, or not. Until it calls
   `foyer_curl_thread_ended`, the calling thread counts as one of them. */
int foyer_curl_end_threads_at_exit(void (*stop)(void));
void foyer_curl_thread_ended(void);

/* Overwrites memory with zeros, even if nobody reads it any more. */
void foyer_curl_wipe(void *bytes, size_t count);
