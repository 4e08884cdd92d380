#ifndef RAW_SQLITE_H
#define RAW_SQLITE_H

#include <stddef.h>
#include <stdint.h>

// What every figure is compared with: SQLite's C interface alone, doing the statements that Foyer does.

// MARK: Recording what a program does

/// Notes each statement that connections to files whose names end in `suffix`, opened from now on, begin to run.
void raw_record(const char *suffix);
/// Ends that, and forgets nothing yet.
void raw_record_stop(void);
/// How many statements were noted; the noted ones are forgotten at the next `raw_record`.
size_t raw_recorded(void);
/// The text of a statement, and the same with its values in it.
const char *raw_recorded_sql(size_t index);
const char *raw_recorded_expanded(size_t index);

// MARK: Doing it

typedef struct raw_program raw_program;

raw_program *raw_program_make(void);
void raw_program_free(raw_program *program);
/// Appends a statement; its values follow.
void raw_program_add(raw_program *program, const char *sql);
void raw_program_text(raw_program *program, const char *bytes, int count);
void raw_program_blob(raw_program *program, const void *bytes, int count);
void raw_program_integer(raw_program *program, int64_t value);
void raw_program_null(raw_program *program);

typedef struct raw raw;

/// Opens a database file with the settings that Foyer's connections have; `full` syncs every commit. NULL when it fails.
raw *raw_open(const char *path, int full, int query_only);
void raw_close(raw *raw);
/// Runs the whole program, and reads every column of every row. 0 when all went well.
int raw_run(raw *raw, const raw_program *program);
/// Empties the log into the file, as Foyer does when it is long.
int raw_checkpoint(raw *raw);

// MARK: The floor below the floor

/// Appends a page to a file and syncs it, so many times; 0 when all went well.
int raw_fdatasync(const char *path, int count);

#endif
