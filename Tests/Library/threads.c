/*
 * Eight threads use the C interface at once: two stores talk to each other over a relay, others are opened and closed.
 *
 *     threads smp://RELAY FOLDER [MESSAGES]
 *
 * Prints the number of messages that arrived. scripts/sanitize runs it with the thread sanitizer.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <simplex.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *relay, *folder;
static int messages = 100;
static chat_ctrl alice, bob;
static char to_bob[32], to_alice[32];
static atomic_int received, senders = 3, failures;

static void fail(const char *what, const char *text) {
    fprintf(stderr, "%s: %s\n", what, text);
    atomic_fetch_add(&failures, 1);
}

/* Runs a command, and returns its answer. */
static char *run(chat_ctrl ctrl, const char *form, ...) {
    char command[4096];
    va_list arguments;
    va_start(arguments, form);
    vsnprintf(command, sizeof command, form, arguments);
    va_end(arguments);
    char *answer = chat_send_cmd(ctrl, command);
    if (strncmp(answer, "{\"result\":", 10)) fail(command, answer);
    return answer;
}

static chat_ctrl open_store(const char *name) {
    char path[4096];
    chat_ctrl ctrl = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *result = chat_migrate_init(path, "", "yesUp", &ctrl);
    if (!ctrl) fail(path, result);
    free(result);
    return ctrl;
}

static void close_store(chat_ctrl ctrl) {
    char *result = chat_close_store(ctrl);
    if (*result) fail("close", result);
    free(result);
}

/* The text of a field whose value is a text or a number. */
static char *field(const char *json, const char *name, char *value, size_t size) {
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *start = strstr(json, key);
    if (!start) return NULL;
    start += strlen(key);
    if (*start == '"') start++;
    size_t length = strcspn(start, "\",}");
    if (length >= size) return NULL;
    memcpy(value, start, length);
    value[length] = 0;
    return value;
}

/* The first event of a type. */
static char *await(chat_ctrl ctrl, const char *type) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "{\"result\":{\"type\":\"%s\"", type);
    for (int count = 0; count < 1200; count++) {
        char *event = chat_recv_msg_wait(ctrl, 100000);
        if (!strncmp(event, wanted, strlen(wanted))) return event;
        free(event);
    }
    fail("no event", type);
    exit(1);
}

static chat_ctrl person(const char *name) {
    chat_ctrl ctrl = open_store(name);
    free(run(ctrl, "/servers %s", relay));
    free(run(ctrl, "/_create user {\"profile\":{\"displayName\":\"%s\",\"fullName\":\"\"},\"pastTimestamp\":false}", name));
    free(run(ctrl, "/_start main=on"));
    return ctrl;
}

static void *send_messages(void *data) {
    for (int count = 0; count < messages; count++)
        free(run(
            alice, "/_send @%s json [{\"msgContent\":{\"type\":\"text\",\"text\":\"%ld %d\"},\"mentions\":{}}]", to_bob,
            (long)data, count));
    atomic_fetch_sub(&senders, 1);
    return NULL;
}

static void *take_events(void *data) {
    int silence = 0;
    while (atomic_load(&received) < 3 * messages && silence < 600) {
        char *event = chat_recv_msg_wait(bob, 100000);
        silence = *event ? 0 : silence + 1;
        if (strstr(event, "\"type\":\"newChatItems\""))
            for (const char *item = event; (item = strstr(item, "\"rcvMsgContent\"")); item++)
                atomic_fetch_add(&received, 1);
        free(event);
    }
    return NULL;
}

static void *drain_events(void *data) {
    while (atomic_load(&senders)) free(chat_recv_msg_wait(alice, 1000));
    return NULL;
}

static void *read_chats(void *data) {
    while (atomic_load(&senders)) {
        free(run(bob, "/_get chat @%s count=10", to_alice));
        free(chat_parse_markdown("*bold* https://example.org @name"));
        free(chat_parse_server("smp://abc@example.org"));
        free(chat_valid_name("name"));
    }
    return NULL;
}

static void *open_and_close(void *data) {
    while (atomic_load(&senders)) {
        chat_ctrl ctrl = open_store("other");
        free(run(ctrl, "/users"));
        close_store(ctrl);
        char *answer = chat_send_cmd(ctrl, "/users");
        if (!strstr(answer, "closed")) fail("closed", answer);
        free(answer);
        char *problem = chat_reopen_store(ctrl);
        if (*problem) fail("reopen", problem);
        free(problem);
        close_store(ctrl);
    }
    return NULL;
}

int main(int argc, char *argv[]) {
    if (argc < 3) return 64;
    relay = argv[1];
    folder = argv[2];
    if (argc > 3) messages = atoi(argv[3]);
    hs_init_with_rtsopts(&argc, &argv);
    alice = person("alice");
    bob = person("bob");
    char *invitation = run(alice, "/_connect 1"), link[2048];
    if (!field(invitation, "connShortLink", link, sizeof link)) field(invitation, "connFullLink", link, sizeof link);
    free(invitation);
    free(run(bob, "/connect %s", link));
    char *event = await(alice, "contactConnected");
    field(event, "contactId", to_bob, sizeof to_bob);
    free(event);
    event = await(bob, "contactConnected");
    field(event, "contactId", to_alice, sizeof to_alice);
    free(event);

    void *(*bodies[8])(void *) = {send_messages, send_messages, send_messages,   take_events,
                                  take_events,   drain_events,  read_chats,      open_and_close};
    pthread_t threads[8];
    for (long index = 0; index < 8; index++) pthread_create(&threads[index], NULL, bodies[index], (void *)index);
    for (int index = 0; index < 8; index++) pthread_join(threads[index], NULL);
    close_store(alice);
    close_store(bob);
    printf("%d of %d messages arrived\n", received, 3 * messages);
    return failures || received != 3 * messages;
}
