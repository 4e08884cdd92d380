#ifndef FOYER_CSQLITE_SHIM_H
#define FOYER_CSQLITE_SHIM_H

#include <sqlite3.h>
#include <string.h>

/// Switches one flag of `sqlite3_db_config`, which is variadic and so out of Swift's reach.
static inline int foyer_sqlite3_db_config(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}

/// Binds text that SQLite copies: `SQLITE_TRANSIENT` is a cast, which Swift does not import.
static inline int foyer_sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds bytes that SQLite copies.
static inline int foyer_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// SQLite's own handle of the main file, or null.
static inline sqlite3_file *foyer_sqlite3_main_file(sqlite3 *db) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    return code == SQLITE_OK && file && file->pMethods ? file : 0;
}

/// The size of the main file in bytes, asked through SQLite's own descriptor.
static inline int foyer_sqlite3_file_size(sqlite3 *db, sqlite3_int64 *size) {
    sqlite3_file *file = foyer_sqlite3_main_file(db);
    return file ? file->pMethods->xFileSize(file, size) : SQLITE_CANTOPEN;
}

/// Reads the first `count` bytes of the main file through SQLite's own descriptor.
///
/// A descriptor of ours would, when closed, drop the POSIX locks that SQLite holds on the file.
static inline int foyer_sqlite3_read_header(sqlite3 *db, unsigned char *bytes, int count) {
    sqlite3_file *file = foyer_sqlite3_main_file(db);
    return file ? file->pMethods->xRead(file, bytes, count, 0) : SQLITE_CANTOPEN;
}

/// SQLite's own handle of the write-ahead log, or null where there is none.
static inline sqlite3_file *foyer_sqlite3_log_file(sqlite3 *db) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
    return code == SQLITE_OK && file && file->pMethods ? file : 0;
}

/// The length in bytes of a file that SQLite has open.
static inline int foyer_sqlite3_length(sqlite3_file *file, sqlite3_int64 *length) {
    return file->pMethods->xFileSize(file, length);
}

/// Reads from a file that SQLite has open; what lies behind its end is read as zeros.
static inline int foyer_sqlite3_read(sqlite3_file *file, unsigned char *bytes, int count, sqlite3_int64 offset) {
    int code = file->pMethods->xRead(file, bytes, count, offset);
    return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

/// The bytes in one region of the WAL's index, the file that ends in -shm.
#define FOYER_SQLITE3_INDEX_REGION 32768

/// Copies one region of the WAL's index, as SQLite has mapped it; false where there is no such region.
static inline int foyer_sqlite3_copy_index(sqlite3 *db, int region, unsigned char *bytes) {
    sqlite3_file *file = foyer_sqlite3_main_file(db);
    volatile void *mapped = 0;
    if (!file || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
    if (file->pMethods->xShmMap(file, region, FOYER_SQLITE3_INDEX_REGION, 0, &mapped) != SQLITE_OK || !mapped) return 0;
    memcpy(bytes, (const void *)mapped, FOYER_SQLITE3_INDEX_REGION);
    return 1;
}

/// How often `needle` begins at one of the first `starts` bytes.
static inline long foyer_count(
    const unsigned char *bytes, size_t count, size_t starts, const unsigned char *needle, size_t length
) {
    long found = 0;
    size_t last = count < length ? 0 : count - length + 1;
    size_t end = starts < last ? starts : last, at = 0;
    while (at < end) {
        const unsigned char *next = (const unsigned char *)memchr(bytes + at, needle[0], end - at);
        if (!next) break;
        found += memcmp(next, needle, length) == 0;
        at = (size_t)(next - bytes) + 1;
    }
    return found;
}

/// Takes the lock of the WAL's one writer, or confirms that this connection has it; SQLITE_BUSY if another one does.
///
/// Lock 0 is the writer's in the documented WAL-index format. Only for a busy handler inside a checkpoint, which takes
/// the same lock next and gives it back itself.
static inline int foyer_sqlite3_take_wal_write_lock(sqlite3 *db) {
    sqlite3_file *file = foyer_sqlite3_main_file(db);
    if (!file || file->pMethods->iVersion < 2 || !file->pMethods->xShmLock) return SQLITE_OK;
    return file->pMethods->xShmLock(file, 0, 1, SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE);
}

/// Whether the main file's name leads to another file by now, or to none: SQLite compares the inodes.
static inline int foyer_sqlite3_has_moved(sqlite3 *db) {
    int moved = 1;
    return sqlite3_file_control(db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) != SQLITE_OK || moved;
}

/// Takes a lock on the main file: one of the SQLITE_LOCK levels. Closing the connection releases it.
static inline int foyer_sqlite3_lock(sqlite3 *db, int level) {
    sqlite3_file *file = foyer_sqlite3_main_file(db);
    return file ? file->pMethods->xLock(file, level) : SQLITE_CANTOPEN;
}

/// What tells whether there was a checkpoint: fields of the WAL-index, whose format is documented.
struct foyer_checkpoint_marks {
    /// Raised by every commit.
    unsigned int change;
    /// How many frames the log has.
    unsigned int frames;
    /// New with every beginning of the log; zero until the first commit of all.
    unsigned int salts[2];
    /// How many frames are in the main file, and how many were about to be.
    unsigned int backfilled, attempted;
};

/// Reads the marks; false where there is no index.
static inline int foyer_sqlite3_checkpoint_marks(sqlite3 *db, struct foyer_checkpoint_marks *marks) {
    sqlite3_file *file = foyer_sqlite3_main_file(db);
    volatile void *mapped = 0;
    if (!file || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
    if (file->pMethods->xShmMap(file, 0, FOYER_SQLITE3_INDEX_REGION, 0, &mapped) != SQLITE_OK || !mapped) return 0;
    const volatile unsigned int *index = (const volatile unsigned int *)mapped;
    marks->change = index[2];
    marks->frames = index[4];
    marks->salts[0] = index[8];
    marks->salts[1] = index[9];
    marks->backfilled = index[24];
    marks->attempted = index[32];
    return 1;
}

#endif
