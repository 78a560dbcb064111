/*
 * Tool `palyra-examples.wordcount`: counts the words of a text and names the most frequent ones.
 * Built with wasi-libc as a reactor: malloc, qsort and ctype come from there; nothing of WASI is
 * imported.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../../sdk/c/palyra_skill.h"

#define DEFAULT_TOP 10
#define MOST_TOP 100

/* A word of the text, in lower case, and how often it occurs. */
typedef struct {
    char *text;
    int32_t len;
    int32_t count;
} word;

/* Words by hash, with open addressing; `room` is a power of two. */
typedef struct {
    word *slots;
    uint32_t room;
    uint32_t used;
} words;

typedef struct {
    int64_t characters;
    int64_t words;
    int64_t lines;
} totals;

/* FNV-1a, 32 bits. */
static uint32_t hash(const char *text, int32_t len) {
    uint32_t value = 2166136261u;
    for (int32_t i = 0; i < len; i++) {
        value = (value ^ (unsigned char)text[i]) * 16777619u;
    }
    return value;
}

static word *find(words *all, const char *text, int32_t len) {
    uint32_t at = hash(text, len) & (all->room - 1);
    while (all->slots[at].text != NULL &&
           (all->slots[at].len != len || memcmp(all->slots[at].text, text, (size_t)len) != 0)) {
        at = (at + 1) & (all->room - 1);
    }
    return &all->slots[at];
}

static void grow(words *all) {
    words larger = {NULL, all->room == 0 ? 256 : all->room * 2, all->used};
    larger.slots = palyra_alloc((int32_t)(larger.room * sizeof(word)));
    memset(larger.slots, 0, larger.room * sizeof(word));
    for (uint32_t i = 0; i < all->room; i++) {
        if (all->slots[i].text != NULL) {
            *find(&larger, all->slots[i].text, all->slots[i].len) = all->slots[i];
        }
    }
    *all = larger;
}

static void add(words *all, char *text, int32_t len) {
    if (all->used * 2 >= all->room) {
        grow(all);
    }
    word *found = find(all, text, len);
    if (found->text == NULL) {
        *found = (word){text, len, 0};
        all->used++;
    }
    found->count++;
}

/* A word is letters, digits, apostrophes inside it, and everything outside of ASCII. */
static bool belongs(const char *text, int32_t at, int32_t len) {
    unsigned char one = (unsigned char)text[at];
    if (one == '\'') {
        return at > 0 && at + 1 < len && isalnum((unsigned char)text[at - 1]) &&
               isalnum((unsigned char)text[at + 1]);
    }
    return one >= 0x80 || isalnum(one);
}

/* Counts, and makes ASCII letters of the text lower case. */
static totals count(char *text, int32_t len, words *all) {
    totals found = {0, 0, len > 0 && text[len - 1] != '\n' ? 1 : 0};
    int32_t from = -1;
    for (int32_t i = 0; i <= len; i++) {
        bool inside = i < len && belongs(text, i, len);
        if (inside && from < 0) {
            from = i;
        } else if (!inside && from >= 0) {
            add(all, text + from, i - from);
            found.words++;
            from = -1;
        }
        if (i < len) {
            found.characters += ((unsigned char)text[i] & 0xc0) != 0x80;
            found.lines += text[i] == '\n';
            text[i] = (char)tolower((unsigned char)text[i]);
        }
    }
    return found;
}

/* Most frequent first, then by alphabet: the order is the same in every run. */
static int by_count(const void *left, const void *right) {
    const word *a = left;
    const word *b = right;
    if (a->count != b->count) {
        return a->count < b->count ? 1 : -1;
    }
    int32_t shorter = a->len < b->len ? a->len : b->len;
    int order = memcmp(a->text, b->text, (size_t)shorter);
    return order != 0 ? order : a->len - b->len;
}

/* Moves the words to the front of the slots, in order. */
static void sort(words *all) {
    uint32_t to = 0;
    for (uint32_t i = 0; i < all->room; i++) {
        if (all->slots[i].text != NULL) {
            all->slots[to++] = all->slots[i];
        }
    }
    qsort(all->slots, to, sizeof(word), by_count);
}

static void write_top(palyra_out *out, const words *all, int64_t top) {
    palyra_key(out, "top");
    palyra_begin_list(out);
    for (uint32_t i = 0; i < all->used && (int64_t)i < top; i++) {
        palyra_begin_object(out);
        palyra_key_string(out, "word", (palyra_text){all->slots[i].text, all->slots[i].len});
        palyra_key_integer(out, "count", all->slots[i].count);
        palyra_end_object(out);
    }
    palyra_end_list(out);
}

PALYRA_TOOL(palyra_call) {
    palyra_text input = palyra_input();
    palyra_text text = palyra_string(palyra_member(input, "text"));
    if (text.ptr == NULL) {
        return palyra_fail("invalid", "text is missing");
    }
    int64_t top = palyra_integer_or(palyra_member(input, "top"), DEFAULT_TOP);
    if (top < 0 || top > MOST_TOP) {
        return palyra_fail("invalid", "top is from 0 to 100");
    }
    words all = {NULL, 0, 0};
    totals found = count((char *)text.ptr, text.len, &all);
    sort(&all);

    palyra_out out = {0};
    palyra_begin_object(&out);
    palyra_key_integer(&out, "bytes", text.len);
    palyra_key_integer(&out, "characters", found.characters);
    palyra_key_integer(&out, "words", found.words);
    palyra_key_integer(&out, "different_words", all.used);
    palyra_key_integer(&out, "lines", found.lines);
    write_top(&out, &all, top);
    palyra_end_object(&out);
    return palyra_succeed(&out);
}
