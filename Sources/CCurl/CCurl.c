#include "CCurl.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#ifdef __APPLE__
#define LIBRARY "libcurl.4.dylib"
#define HELP "libcurl cannot be opened"
#else
#define LIBRARY "libcurl.so.4"
#define HELP "libcurl.so.4 cannot be opened: please install libcurl (on Debian the package libcurl4)"
#endif

#define FUNCTIONS(F) \
    F(global_init) F(easy_init) F(easy_cleanup) F(easy_reset) F(easy_setopt) F(easy_getinfo) \
    F(slist_append) F(slist_free_all) \
    F(multi_init) F(multi_cleanup) F(multi_setopt) F(multi_add_handle) F(multi_remove_handle) F(multi_perform) \
    F(multi_info_read) F(multi_poll) F(multi_wakeup)

/* libcurl's functions by their names; set once, by foyer_curl_open. */
static struct {
#define MEMBER(name) __typeof__(curl_##name) *name;
    FUNCTIONS(MEMBER)
} curl;

/* Functions of the very OpenSSL that libcurl uses; null where it uses another library. */
static struct {
    void (*set_keylog_callback)(void *context, void (*callback)(const void *, const char *));
    int (*get_security_level)(const void *context);
    void (*set_security_level)(void *context, int level);
    unsigned long (*version)(void);
    int (*init_crypto)(uint64_t options, const void *settings);
} openssl;

const char *foyer_curl_open(void (*stop)(void)) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return HELP;
#define FIND(name) \
    curl.name = (__typeof__(curl.name))dlsym(library, "curl_" #name); \
    if (!curl.name) return "libcurl is too old: it has no curl_" #name;
    FUNCTIONS(FIND)
#define FIND_OPENSSL(member, name) openssl.member = (__typeof__(openssl.member))dlsym(library, name)
    FIND_OPENSSL(set_keylog_callback, "SSL_CTX_set_keylog_callback");
    FIND_OPENSSL(get_security_level, "SSL_CTX_get_security_level");
    FIND_OPENSSL(set_security_level, "SSL_CTX_set_security_level");
    FIND_OPENSSL(version, "OpenSSL_version_num");
    FIND_OPENSSL(init_crypto, "OPENSSL_init_crypto");
    /* Unless the app has used OpenSSL before, OpenSSL does not clean up at the exit: it could not wait for a thread that
       is inside it, and the system takes back all memory anyway. Where it does, it has registered that before us, and
       what is registered later runs earlier: the threads end first, and so does libcurl's beginning. */
    if (openssl.init_crypto) openssl.init_crypto(0x00080000 /* OPENSSL_INIT_NO_ATEXIT */, NULL);
    if (foyer_curl_end_threads_at_exit(stop) != 0) return "the program is ending, or there is no memory left";
    CURLcode code = curl.global_init(CURL_GLOBAL_DEFAULT);
    foyer_curl_thread_ended();
    return code == CURLE_OK ? NULL : "libcurl cannot begin its work";
}

/* Called with each new SSL_CTX, after the machine's configuration of OpenSSL was applied to it. */
static CURLcode harden(CURL *easy, void *context, void *unused) {
    (void)easy, (void)unused;
    openssl.set_keylog_callback(context, NULL);
    /* 112 bits of security; level 0 would allow connections without encryption. */
    if (openssl.get_security_level(context) < 2) openssl.set_security_level(context, 2);
    return CURLE_OK;
}

/* Makes the handle harden its encryption. Returns libcurl's code, or FOYER_CURL_LOGS_KEYS. */
static int handle_harden(CURL *easy) {
    bool can_harden = openssl.set_keylog_callback && openssl.get_security_level && openssl.set_security_level
        && curl.easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, harden) == CURLE_OK;
    /* From 3.5 on, OpenSSL itself may have been built to write the keys there, which nothing turns off. */
    bool can_silence = can_harden && openssl.version && openssl.version() < 0x30500000L;
    return can_silence || !getenv("SSLKEYLOGFILE") ? CURLE_OK : FOYER_CURL_LOGS_KEYS;
}

/* A handle, with the list of headers that libcurl does not copy. */
struct handle {
    CURL *easy;
    struct curl_slist *headers;
};

void *foyer_curl_handle_make(void) {
    struct handle *handle = calloc(1, sizeof *handle);
    if (!handle) return NULL;
    handle->easy = curl.easy_init();
    if (handle->easy) return handle;
    free(handle);
    return NULL;
}

void foyer_curl_handle_reset(void *pointer) {
    struct handle *handle = pointer;
    curl.easy_reset(handle->easy);
    curl.slist_free_all(handle->headers);
    handle->headers = NULL;
}

void foyer_curl_handle_free(void *pointer) {
    struct handle *handle = pointer;
    curl.easy_cleanup(handle->easy);
    curl.slist_free_all(handle->headers);
    free(handle);
}

int foyer_curl_handle_add_header(void *pointer, const char *line) {
    struct handle *handle = pointer;
    struct curl_slist *list = curl.slist_append(handle->headers, line);
    if (!list) return CURLE_OUT_OF_MEMORY;
    handle->headers = list;
    return CURLE_OK;
}

int foyer_curl_handle_prepare(
    void *pointer, const char *method, const char *url, const char *ca_file, const struct foyer_curl_request *request) {
    struct handle *handle = pointer;
    int code = CURLE_OK;
#define SET(option, value) if (code == CURLE_OK) code = curl.easy_setopt(handle->easy, CURLOPT_##option, value)
    SET(URL, url);
    /* New in 7.85; since 7.78 "localhost" is this machine, whatever the name is said to mean elsewhere. */
    SET(PROTOCOLS_STR, "http,https");
    SET(HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(HTTP09_ALLOWED, 0L);
    SET(FOLLOWLOCATION, 0L);
    SET(NOSIGNAL, 1L);
    SET(CONNECTTIMEOUT_MS, request->connect_milliseconds);
    SET(TIMEOUT_MS, request->total_milliseconds);
    SET(SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(PROXY_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(SSL_VERIFYPEER, 1L);
    SET(SSL_VERIFYHOST, 2L);
    SET(SUPPRESS_CONNECT_HEADERS, 1L);
    SET(FRESH_CONNECT, (long)request->needs_fresh_connection);
    SET(HTTPHEADER, handle->headers);
    SET(CUSTOMREQUEST, method);
    SET(PRIVATE, request->context);
    SET(HEADERDATA, request->context);
    SET(WRITEDATA, request->context);
    SET(PREREQDATA, request->context);
    SET(HEADERFUNCTION, request->take_head);
    SET(WRITEFUNCTION, request->take_body);
    SET(PREREQFUNCTION, request->will_send);
    if (ca_file) SET(CAINFO, ca_file);
    if (!request->may_use_proxy) SET(PROXY, "");
    if (request->body) {
        SET(POST, 1L);
        SET(POSTFIELDSIZE_LARGE, (curl_off_t)request->body_size);
        SET(POSTFIELDS, request->body);
    }
    if (code == CURLE_OK && !strncmp(url, "https:", 6)) code = handle_harden(handle->easy);
    /* Without it, a name server that does not answer would hold up every other request when this one is given up. */
    if (code == CURLE_OK) curl.easy_setopt(handle->easy, CURLOPT_QUICK_EXIT, 1L);
    return code;
}

long foyer_curl_handle_certificate(void *pointer) {
    struct handle *handle = pointer;
    long result = 0;
    curl.easy_getinfo(handle->easy, CURLINFO_SSL_VERIFYRESULT, &result);
    return result;
}

int foyer_curl_handle_connection(void *pointer, long *local_port) {
    struct handle *handle = pointer;
    curl_socket_t connection = CURL_SOCKET_BAD;
    curl.easy_getinfo(handle->easy, CURLINFO_LOCAL_PORT, local_port);
    curl.easy_getinfo(handle->easy, CURLINFO_ACTIVESOCKET, &connection);
    return connection;
}

int foyer_curl_has_unread(int connection) {
    char byte;
    return recv(connection, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0;
}

void *foyer_curl_group_make(long connections) {
    CURLM *group = curl.multi_init();
    if (!group) return NULL;
    curl.multi_setopt(group, CURLMOPT_MAX_HOST_CONNECTIONS, connections);
    curl.multi_setopt(group, CURLMOPT_MAXCONNECTS, connections);
    return group;
}

void foyer_curl_group_free(void *group) { curl.multi_cleanup(group); }

int foyer_curl_group_add(void *group, void *pointer) {
    return curl.multi_add_handle(group, ((struct handle *)pointer)->easy);
}

void foyer_curl_group_remove(void *group, void *pointer) {
    curl.multi_remove_handle(group, ((struct handle *)pointer)->easy);
}

void foyer_curl_group_perform(void *group) {
    int running = 0;
    curl.multi_perform(group, &running);
}

void *foyer_curl_group_next_done(void *group, int *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl.multi_info_read(group, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        char *context = NULL;
        *code = message->data.result;
        curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &context);
        return context;
    }
    return NULL;
}

void foyer_curl_group_wait(void *group, int milliseconds) { curl.multi_poll(group, NULL, 0, milliseconds, NULL); }

void foyer_curl_group_wake(void *group) { curl.multi_wakeup(group); }

void foyer_curl_wipe(void *bytes, size_t count) {
    for (volatile char *byte = bytes; count > 0; count--) *byte++ = 0;
}
