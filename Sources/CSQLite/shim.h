#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift cannot see: SQLite copies what is bound.
static inline int tacit_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int tacit_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

// sqlite3_db_config is variadic.
static inline int tacit_set_defensive(sqlite3 *database) {
    int status = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, 0);
    if (status == SQLITE_OK) status = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, 0);
    return status;
}

// sqlite3_config is variadic.
static inline int tacit_page_overhead(void) {
    int size = 0;
    return sqlite3_config(SQLITE_CONFIG_PCACHE_HDRSZ, &size) == SQLITE_OK ? size : 0;
}

static inline int tacit_set_page_memory(void *memory, int slotSize, int slotCount) {
    return sqlite3_config(SQLITE_CONFIG_PAGECACHE, memory, slotSize, slotCount);
}
