/*
 * libsimplex: the C interface of the SimpleX Chat core, served by tacit.
 *
 * The functions have the names, arguments and results of the official library, so that programs and language bindings written for
 * it run unchanged. tacit-api(7) describes the commands and what differs.
 *
 * Stores. The path of chat_migrate_init is the prefix that the official library puts before the names of its two databases. tacit
 * keeps a store in a folder: PATH itself if it is a folder with a store, or else PATH.tacit, which is created if it does not exist.
 * `TACIT_DIR=PATH.tacit tacit status` reads the same store. One process at a time has a store open.
 *
 * Results. A returned text is UTF-8 and ends with a zero byte. It belongs to the caller, who releases it with free(3). A null
 * pointer is returned without memory only.
 *
 * Threads. Every function may be called from any thread, and several controllers may be open in one process. Commands of one
 * controller that are sent from several threads run side by side.
 *
 * Wrong arguments. A null pointer stands for an empty text, and for no content of a file. A controller that is closed, null or any
 * other number is an error in the answer. Texts may have any size and any bytes; bytes that are not UTF-8 are replaced. A call that
 * waits returns an error when another thread closes its controller.
 *
 * Undefined. The library cannot check other pointers. The behaviour is undefined for a text without a zero byte at its end, for
 * memory that was released or that another thread changes during the call, for a `data` with fewer than `len` bytes, for a `ctrl`
 * that points to no place for a controller, and for a result that is released twice or not with free(3).
 *
 * fork(2). A controller works only in the process that opened it. In a child that was forked later, every call with a controller
 * returns an error. A child that calls execve(2) is not affected.
 *
 * Signals. The library sets SIGPIPE to be ignored when it connects for the first time. It installs handlers for the signals of
 * faults (SIGSEGV and others), which note the message that was being handled and then end the process as before.
 */
#ifndef TACIT_SIMPLEX_H
#define TACIT_SIMPLEX_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A controller: an opaque value, never null. */
typedef long *chat_ctrl;

/* Prepares the library. Optional; the arguments are not read. */
void hs_init_with_rtsopts(int *argc, char **argv[]);

/*
 * Opens a store, or creates it. An empty key stands for a store without encryption. `confirm` says which changes of the database
 * schema are allowed: yesUp, yesUpDown, error or console (the same as error).
 *
 * Returns DBMigrationResult: {"type":"ok"}, and then `ctrl` is set. Other types are errorNotADatabase (the key is wrong),
 * errorMigration, errorSQL and invalidConfirmation.
 */
char *chat_migrate_init(const char *path, const char *key, const char *confirm, chat_ctrl *ctrl);

/* The same. With keep_key the key stays in memory for chat_reopen_store. `background` is not read. */
char *chat_migrate_init_key(const char *path, const char *key, int keep_key, const char *confirm, int background,
                            chat_ctrl *ctrl);

/* Closes the store of a controller. Returns an empty text, or an error. */
char *chat_close_store(chat_ctrl ctrl);

/* Opens the store of a controller again. Returns an empty text, or an error. */
char *chat_reopen_store(chat_ctrl ctrl);

/* Runs a command. Returns {"result":{...}} or {"error":{...}}. */
char *chat_send_cmd(chat_ctrl ctrl, const char *cmd);

/* The same. The number of the attempt is not read. */
char *chat_send_cmd_retry(chat_ctrl ctrl, const char *cmd, int retry_num);

/* Commands for another device. Not supported: returns the error that the device is not connected. */
char *chat_send_remote_cmd(chat_ctrl ctrl, int rh_id, const char *cmd);
char *chat_send_remote_cmd_retry(chat_ctrl ctrl, int rh_id, const char *cmd, int retry_num);

/*
 * Waits for an event and returns it: {"result":{...}} or {"error":{...}}. Each event is returned once. Events that nobody takes
 * are kept up to a number of 16384; then the oldest ones are dropped. Received messages are in the store in any case.
 */
char *chat_recv_msg(chat_ctrl ctrl);

/* The same, with a limit in microseconds. Returns an empty text if there was no event. */
char *chat_recv_msg_wait(chat_ctrl ctrl, int wait);

/* Returns {"formattedText":[...]}, or {} for a text without marks. */
char *chat_parse_markdown(const char *str);

/* Returns {"serverAddress":{...},"parseError":""}, or {"parseError":"..."}. */
char *chat_parse_server(const char *str);

/*
 * Returns {"uriInfo":{"scheme":"https","sanitized":"..."},"parseError":""}, or {"parseError":"..."}. The field sanitized is there
 * if parameters that track readers were removed; with `safe` only well-known ones are.
 */
char *chat_parse_uri(const char *str, int safe);

/* Returns the SHA-512 of the password and the salt. Salt and result are in base64url. */
char *chat_password_hash(const char *pwd, const char *salt);

/* Returns the name without characters that names cannot have. */
char *chat_valid_name(const char *name);

/* Returns the size of a text in JSON in bytes, without its quotation marks. */
int chat_json_length(const char *str);

/* Writes an encrypted file. Returns {"type":"result","cryptoArgs":{...}} or {"type":"error","writeError":"..."}. */
char *chat_write_file(chat_ctrl ctrl, const char *path, const char *data, int len);

/*
 * Reads an encrypted file. The first byte is 0; then follow the size in 4 bytes, in the byte order of the machine, and the content.
 * Or the first byte is 1, and a text with the error follows. The memory belongs to the caller, who releases it with free(3).
 */
char *chat_read_file(const char *path, const char *key, const char *nonce);

/* Encrypts a file. Returns the same as chat_write_file. */
char *chat_encrypt_file(chat_ctrl ctrl, const char *from_path, const char *to_path);

/* Decrypts a file. Returns an empty text, or an error; then there is no file at `to_path`. */
char *chat_decrypt_file(const char *from_path, const char *key, const char *nonce, const char *to_path);

#ifdef __cplusplus
}
#endif

#endif
