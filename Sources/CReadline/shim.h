// The editing of readline without its drawing. Its state is in global variables, which Swift reaches by functions here.
#include <stdio.h>
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

// Binds to `function` whatever sequence of keys does what readline calls `name` in any of its maps.
static inline void tacit_replace_function(const char *name, rl_command_func_t *function) {
    Keymap maps[] = {emacs_standard_keymap, vi_insertion_keymap, vi_movement_keymap};
    rl_command_func_t *former = rl_named_function(name);
    if (!former) return;
    for (int map = 0; map < 3; map++) {
        char **sequences = rl_invoking_keyseqs_in_map(former, maps[map]);
        if (!sequences) continue;
        for (int index = 0; sequences[index]; index++) {
            rl_bind_keyseq_in_map(sequences[index], function, maps[map]);
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

// Ctrl-X ends a search. It would be put back together with the key behind it, and if these mean nothing, readline jumps back to
// where it read the first of them: a place on the stack that is left already.
static inline void tacit_end_searches(void) {
    rl_variable_bind("isearch-terminators", "\\e\\C-j\\C-x");
}

static inline void tacit_bind(const char *sequence, rl_command_func_t *function) {
    rl_bind_keyseq_in_map(sequence, function, emacs_standard_keymap);
    rl_bind_keyseq_in_map(sequence, function, vi_insertion_keymap);
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
