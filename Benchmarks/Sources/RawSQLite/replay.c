#define _GNU_SOURCE
#include "RawSQLite.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    int kind;  // an SQLITE_ storage class
    int count;
    int64_t number;
    char *bytes;
} value;

typedef struct {
    int sql;  // which of the program's texts
    size_t first;
    int count;
} step;

struct raw_program {
    char **texts;
    int text_count;
    step *steps;
    size_t step_count, step_capacity;
    value *values;
    size_t value_count, value_capacity;
};

raw_program *raw_program_make(void) { return calloc(1, sizeof(raw_program)); }

void raw_program_free(raw_program *program) {
    for (int i = 0; i < program->text_count; i++) free(program->texts[i]);
    for (size_t i = 0; i < program->value_count; i++) free(program->values[i].bytes);
    free(program->texts);
    free(program->steps);
    free(program->values);
    free(program);
}

void raw_program_add(raw_program *program, const char *sql) {
    int index = 0;
    while (index < program->text_count && strcmp(program->texts[index], sql) != 0) index++;
    if (index == program->text_count) {
        program->texts = realloc(program->texts, (size_t)(index + 1) * sizeof(char *));
        program->texts[program->text_count++] = strdup(sql);
    }
    if (program->step_count == program->step_capacity) {
        program->step_capacity = program->step_capacity ? program->step_capacity * 2 : 256;
        program->steps = realloc(program->steps, program->step_capacity * sizeof(step));
    }
    program->steps[program->step_count++] = (step){index, program->value_count, 0};
}

static void append(raw_program *program, value value_) {
    if (program->value_count == program->value_capacity) {
        program->value_capacity = program->value_capacity ? program->value_capacity * 2 : 1024;
        program->values = realloc(program->values, program->value_capacity * sizeof(value));
    }
    program->values[program->value_count++] = value_;
    program->steps[program->step_count - 1].count++;
}

static char *copy(const void *bytes, int count) {
    char *own = malloc((size_t)count + 1);
    if (count > 0) memcpy(own, bytes, (size_t)count);
    return own;
}

void raw_program_text(raw_program *program, const char *bytes, int count) {
    append(program, (value){SQLITE_TEXT, count, 0, copy(bytes, count)});
}

void raw_program_blob(raw_program *program, const void *bytes, int count) {
    append(program, (value){SQLITE_BLOB, count, 0, copy(bytes, count)});
}

void raw_program_integer(raw_program *program, int64_t number) {
    append(program, (value){SQLITE_INTEGER, 0, number, 0});
}

void raw_program_null(raw_program *program) { append(program, (value){SQLITE_NULL, 0, 0, 0}); }

struct raw {
    sqlite3 *db;
    const raw_program *prepared_for;
    sqlite3_stmt **statements;
    int statement_count;
    volatile int64_t sink;  // what was read goes somewhere
};

raw *raw_open(const char *path, int full, int query_only) {
    raw *self = calloc(1, sizeof(raw));
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &self->db, flags, 0) != SQLITE_OK) goto failed;
    sqlite3_busy_timeout(self->db, 5000);
    sqlite3_wal_autocheckpoint(self->db, 0);
    if (sqlite3_exec(self->db,
                     "PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
                     "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192; PRAGMA secure_delete = ON",
                     0, 0, 0) != SQLITE_OK)
        goto failed;
    if (sqlite3_exec(self->db, full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL", 0, 0, 0) != SQLITE_OK)
        goto failed;
    if (query_only && sqlite3_exec(self->db, "PRAGMA query_only = ON", 0, 0, 0) != SQLITE_OK) goto failed;
    return self;
failed:
    raw_close(self);
    return 0;
}

static void forget(raw *self) {
    for (int i = 0; i < self->statement_count; i++) sqlite3_finalize(self->statements[i]);
    free(self->statements);
    self->statements = 0;
    self->statement_count = 0;
    self->prepared_for = 0;
}

void raw_close(raw *self) {
    forget(self);
    sqlite3_close_v2(self->db);
    free(self);
}

static int prepare(raw *self, const raw_program *program) {
    if (self->prepared_for == program) return SQLITE_OK;
    forget(self);
    self->statements = calloc((size_t)program->text_count, sizeof(sqlite3_stmt *));
    self->statement_count = program->text_count;
    for (int i = 0; i < program->text_count; i++) {
        int code = sqlite3_prepare_v3(
            self->db, program->texts[i], -1, SQLITE_PREPARE_PERSISTENT, &self->statements[i], 0);
        if (code != SQLITE_OK) return code;
    }
    self->prepared_for = program;
    return SQLITE_OK;
}

static void bind(sqlite3_stmt *statement, int index, const value *value_) {
    switch (value_->kind) {
    case SQLITE_TEXT: sqlite3_bind_text(statement, index, value_->bytes, value_->count, SQLITE_STATIC); break;
    case SQLITE_BLOB:
        if (value_->count == 0) sqlite3_bind_zeroblob(statement, index, 0);
        else sqlite3_bind_blob(statement, index, value_->bytes, value_->count, SQLITE_STATIC);
        break;
    case SQLITE_INTEGER: sqlite3_bind_int64(statement, index, value_->number); break;
    default: sqlite3_bind_null(statement, index);
    }
}

/// Copies a row's texts, as who reads one for later use has to.
static int64_t take(sqlite3_stmt *statement) {
    char kept[512];
    int64_t sum = 0;
    int columns = sqlite3_data_count(statement);
    for (int i = 0; i < columns; i++) {
        switch (sqlite3_column_type(statement, i)) {
        case SQLITE_INTEGER: sum += sqlite3_column_int64(statement, i); break;
        case SQLITE_TEXT:
        case SQLITE_BLOB: {
            const void *bytes = sqlite3_column_blob(statement, i);
            int count = sqlite3_column_bytes(statement, i);
            if (count > (int)sizeof kept) count = sizeof kept;
            if (count > 0) memcpy(kept, bytes, (size_t)count);
            sum += count > 0 ? kept[count - 1] : 0;
            break;
        }
        default: break;
        }
    }
    return sum;
}

int raw_run(raw *self, const raw_program *program) {
    int code = prepare(self, program);
    if (code != SQLITE_OK) return code;
    for (size_t i = 0; i < program->step_count; i++) {
        const step *step_ = &program->steps[i];
        sqlite3_stmt *statement = self->statements[step_->sql];
        for (int j = 0; j < step_->count; j++) bind(statement, j + 1, &program->values[step_->first + (size_t)j]);
        while ((code = sqlite3_step(statement)) == SQLITE_ROW) self->sink += take(statement);
        sqlite3_reset(statement);
        if (code != SQLITE_DONE) return code;
    }
    return SQLITE_OK;
}

int raw_checkpoint(raw *self) {
    return sqlite3_wal_checkpoint_v2(self->db, "main", SQLITE_CHECKPOINT_TRUNCATE, 0, 0);
}

int raw_fdatasync(const char *path, int count) {
    static const char page[4096];
    int file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0) return 1;
    for (int i = 0; i < count; i++) {
        if (write(file, page, sizeof page) != (ssize_t)sizeof page || fdatasync(file) != 0) {
            close(file);
            return 1;
        }
    }
    return close(file);
}
