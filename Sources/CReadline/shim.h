// The editing of readline without its drawing. Its state is in global variables, which Swift reaches by functions here.
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <readline/readline.h>
#include <readline/history.h>

static inline void tacit_no_preparation(int meta) { (void)meta; }
static inline void tacit_no_restoration(void) {}

// Everything that readline would do with the terminal is done by its user: modes, signals, drawing, reading.
static inline void tacit_prepare_readline(
    const char *name, FILE *output, rl_getc_func_t *getc, rl_hook_func_t *has_input, rl_voidfunc_t *redisplay) {
    rl_readline_name = name;
    rl_outstream = output;
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_change_environment = 0;
    rl_prep_term_function = tacit_no_preparation;
    rl_deprep_term_function = tacit_no_restoration;
    rl_getc_function = getc;
    rl_input_available_hook = has_input;
    rl_redisplay_function = redisplay;
}

// The keymaps that a user may be in.
enum { TACIT_MAPS = 3 };
static inline Keymap tacit_map(int number) {
    return number == 0 ? emacs_standard_keymap : number == 1 ? vi_insertion_keymap : vi_movement_keymap;
}

// Binds to `function` whatever sequence of keys does what readline calls `name` in any of its maps.
static inline void tacit_replace_function(const char *name, rl_command_func_t *function) {
    rl_command_func_t *former = rl_named_function(name);
    if (!former) return;
    for (int map = 0; map < TACIT_MAPS; map++) {
        char **sequences = rl_invoking_keyseqs_in_map(former, tacit_map(map));
        if (!sequences) continue;
        for (int index = 0; sequences[index]; index++) {
            rl_bind_keyseq_in_map(sequences[index], function, tacit_map(map));
            rl_free(sequences[index]);
        }
        rl_free(sequences);
    }
}

// Readline keeps the changes of a line of the history with that line when somebody walks on, and has two owners for them then:
// an accepted or replaced line frees them, and the history still has them. So changes are given up where a walk begins, and no
// line of the history ever has any. What was called last is what readline would know, as a search by prefix goes on from it.
static inline int tacit_walk(rl_command_func_t *own, rl_command_func_t *walk, int count, int key) {
    static rl_command_func_t *last_own, *last_walk;
    if (last_own && rl_last_func == last_own) rl_last_func = last_walk;
    last_own = own;
    last_walk = walk;
    rl_free_undo_list();
    return walk(count, key);
}

#define TACIT_WALKS(each) \
    each("previous-history", rl_get_previous_history) \
    each("next-history", rl_get_next_history) \
    each("beginning-of-history", rl_beginning_of_history) \
    each("end-of-history", rl_end_of_history) \
    each("history-search-backward", rl_history_search_backward) \
    each("history-search-forward", rl_history_search_forward) \
    each("history-substring-search-backward", rl_history_substr_search_backward) \
    each("history-substring-search-forward", rl_history_substr_search_forward) \
    each("vi-fetch-history", rl_vi_fetch_history) \
    each("vi-search", rl_vi_search) \
    each("vi-search-again", rl_vi_search_again)

#define TACIT_DEFINE_WALK(name, function) \
    static inline int tacit_##function(int count, int key) { return tacit_walk(tacit_##function, function, count, key); }
TACIT_WALKS(TACIT_DEFINE_WALK)

// Puts the walks above in the place of readline's.
static inline void tacit_replace_walks(void) {
#define TACIT_REPLACE_WALK(name, function) tacit_replace_function(name, tacit_##function);
    TACIT_WALKS(TACIT_REPLACE_WALK)
}

// The same for Ctrl-R and Ctrl-S, which are told by what they are bound to while they search. To be called when it draws.
static inline void tacit_drop_searched_changes(void) {
    if (RL_ISSTATE(RL_STATE_ISEARCH)) rl_free_undo_list();
}

// The library gives up by a jump to where it began to read a key. Of one call it may read several keys, those that it has put back,
// and the place of the first is left then. So all jumps go to the function below, which lasts as long as any of that: the place
// is set anew whenever the library draws, and that it does at the end of each key.
extern sigjmp_buf _rl_top_level;

static inline sigjmp_buf *tacit_place(void) {
    static sigjmp_buf place;
    return &place;
}

static inline int *tacit_is_reading(void) {
    static int is_reading;
    return &is_reading;
}

static inline void tacit_keep_place(void) {
    if (*tacit_is_reading()) memcpy(&_rl_top_level, tacit_place(), sizeof(sigjmp_buf));
}

// Takes a key, and whatever was put back.
static inline void tacit_read_char(void) {
    if (sigsetjmp(*tacit_place(), 0) == 0) {
        *tacit_is_reading() = 1;
        rl_callback_read_char();
    } else {
        rl_redisplay_function();
    }
    *tacit_is_reading() = 0;
}

// Has `found` called for each macro of the user's inputrc with the keymap and the key that it is bound to, and `function` called in
// its place. `function` learns which one it is by rl_executing_keymap and its key.
static inline void tacit_replace_macros_in(
    Keymap map, int depth, rl_command_func_t *function, void (*found)(const void *map, int key, const char *keys)) {
    for (int key = 0; key < KEYMAP_SIZE; key++) {
        if (map[key].type == ISKMAP && depth < 8) {
            tacit_replace_macros_in((Keymap)map[key].function, depth + 1, function, found);
        } else if (map[key].type == ISMACR) {
            found(map, key, (const char *)map[key].function);
            map[key].type = ISFUNC;
            map[key].function = function;
        }
    }
}

static inline void tacit_replace_macros(
    rl_command_func_t *function, void (*found)(const void *map, int key, const char *keys)) {
    for (int map = 0; map < TACIT_MAPS; map++) tacit_replace_macros_in(tacit_map(map), 0, function, found);
}

static inline const void *tacit_executing_keymap(void) { return rl_executing_keymap; }
static inline int tacit_executing_key(void) { return rl_executing_key; }

static inline void tacit_bind(const char *sequence, rl_command_func_t *function) {
    rl_bind_keyseq_in_map(sequence, function, emacs_standard_keymap);
    rl_bind_keyseq_in_map(sequence, function, vi_insertion_keymap);
}

// The same in all maps, for what the user has not bound to something else.
static inline void tacit_bind_if_free(const char *sequence, rl_command_func_t *function) {
    for (int map = 0; map < TACIT_MAPS; map++) rl_bind_keyseq_if_unbound_in_map(sequence, function, tacit_map(map));
}

// The same for a key with Alt, which is Escape and then the key where keys are those of vi.
static inline void tacit_bind_alt_if_free(const char *sequence, rl_command_func_t *function) {
    rl_bind_keyseq_if_unbound_in_map(sequence, function, emacs_standard_keymap);
}

// Keys of terminals that are bound to nothing (CSI sequences, ECMA-48 5.4) would leave the rest of their sequence in the line.
static inline void tacit_skip_unknown_keys(void) {
    rl_command_func_t *skip = rl_named_function("skip-csi-sequence");
    for (int map = 0; skip && map < TACIT_MAPS; map++) rl_bind_keyseq_in_map("\\e[", skip, tacit_map(map));
}

static inline const char *tacit_line(void) { return rl_line_buffer; }
static inline int tacit_end(void) { return rl_end; }
static inline int tacit_point(void) { return rl_point; }
static inline void tacit_set_point(int point) { rl_point = point < 0 ? 0 : point > rl_end ? rl_end : point; }
// What stands before the line if it is not the prompt: a search, a number that was typed. Null if it is the prompt.
static inline const char *tacit_message(void) { return rl_display_prompt == rl_prompt ? 0 : rl_display_prompt; }
// Whether keys mean something else than usual for now: a search, a count, the beginning of a sequence.
static inline int tacit_is_busy(void) {
    return RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH | RL_STATE_CHARSEARCH | RL_STATE_NUMERICARG
        | RL_STATE_MULTIKEY | RL_STATE_METANEXT | RL_STATE_VIMOTION) != 0;
}
