#include "RawSQLite.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *sql;
    char *expanded;
} note;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static note *notes;
static size_t count, capacity;
static char wanted[256];
static int is_recording;

static void forget(void) {
    for (size_t i = 0; i < count; i++) {
        free(notes[i].sql);
        sqlite3_free(notes[i].expanded);
    }
    count = 0;
}

static int trace(unsigned kind, void *context, void *statement, void *text) {
    (void)kind;
    (void)context;
    // What a trigger does is told as a comment: whoever runs the statement again has it done again.
    if (text && strncmp(text, "--", 2) == 0) return 0;
    const char *sql = sqlite3_sql(statement);
    if (!sql) return 0;
    pthread_mutex_lock(&lock);
    if (is_recording) {
        if (count == capacity) {
            capacity = capacity ? capacity * 2 : 1024;
            notes = realloc(notes, capacity * sizeof(note));
        }
        notes[count].sql = strdup(sql);
        notes[count].expanded = sqlite3_expanded_sql(statement);
        count++;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

static int opened(sqlite3 *db, char **message, const struct sqlite3_api_routines *routines) {
    (void)message;
    (void)routines;
    const char *path = sqlite3_db_filename(db, "main");
    size_t length = path ? strlen(path) : 0, tail = strlen(wanted);
    if (tail && length >= tail && strcmp(path + length - tail, wanted) == 0)
        sqlite3_trace_v2(db, SQLITE_TRACE_STMT, trace, 0);
    return SQLITE_OK;
}

void raw_record(const char *suffix) {
    pthread_mutex_lock(&lock);
    forget();
    strncpy(wanted, suffix, sizeof wanted - 1);
    is_recording = 1;
    pthread_mutex_unlock(&lock);
    sqlite3_auto_extension((void (*)(void))opened);
}

void raw_record_stop(void) {
    sqlite3_cancel_auto_extension((void (*)(void))opened);
    pthread_mutex_lock(&lock);
    is_recording = 0;
    pthread_mutex_unlock(&lock);
}

size_t raw_recorded(void) { return count; }
const char *raw_recorded_sql(size_t index) { return notes[index].sql; }
const char *raw_recorded_expanded(size_t index) { return notes[index].expanded; }
