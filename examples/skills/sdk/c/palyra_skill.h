/*
 * Palyra skill SDK for C: the skill ABI, version 1, and a small JSON reader and writer.
 *
 * One header, no library. It works without a C library (clang --target=wasm32 -ffreestanding
 * -nostdlib -mbulk-memory) and with wasi-libc (--target=wasm32-wasi -mexec-model=reactor). A skill exports a
 * function of type `int32_t (void)` for each tool:
 *
 *     #include "palyra_skill.h"
 *
 *     PALYRA_TOOL(palyra_call) {
 *         palyra_text name = palyra_string(palyra_member(palyra_input(), "name"));
 *         palyra_out out = {0};
 *         palyra_begin_object(&out);
 *         palyra_key(&out, "greeting");
 *         palyra_put_string(&out, name);
 *         palyra_end_object(&out);
 *         return palyra_succeed(&out);
 *     }
 *
 * Memory: nothing is ever given back; an instance lives for one call. When memory ends, the call
 * traps. Errors are values: see palyra_failed. Only functions that you call become imports of your
 * module, so a module never asks for more than it uses.
 */
#ifndef PALYRA_SKILL_H
#define PALYRA_SKILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__wasi__)
#include <stdlib.h>
#endif

/* ---- the imports, one for one as the ABI names them ---- */

#define PALYRA_IMPORT(name) __attribute__((import_module("palyra"), import_name(#name)))

PALYRA_IMPORT(buffer_len) extern int32_t palyra_import_buffer_len(int32_t handle);
PALYRA_IMPORT(buffer_read)
extern int32_t palyra_import_buffer_read(int32_t handle, int32_t offset, char *ptr, int32_t len);
PALYRA_IMPORT(buffer_close) extern int32_t palyra_import_buffer_close(int32_t handle);
PALYRA_IMPORT(output_write) extern int32_t palyra_import_output_write(const char *ptr, int32_t len);
PALYRA_IMPORT(log) extern void palyra_import_log(int32_t level, const char *ptr, int32_t len);
PALYRA_IMPORT(now) extern int64_t palyra_import_now(void);
PALYRA_IMPORT(random) extern int32_t palyra_import_random(void *ptr, int32_t len);

#define PALYRA_CAPABILITY(name) \
    PALYRA_IMPORT(host_capability_##name) \
    extern int32_t palyra_import_##name(const char *ptr, int32_t len);

PALYRA_CAPABILITY(http_request)
PALYRA_CAPABILITY(secret_open)
PALYRA_CAPABILITY(secret_value)
PALYRA_CAPABILITY(storage_get)
PALYRA_CAPABILITY(storage_put)
PALYRA_CAPABILITY(storage_delete)
PALYRA_CAPABILITY(storage_list)
PALYRA_CAPABILITY(channel_send)
PALYRA_CAPABILITY(channel_edit)
PALYRA_CAPABILITY(channel_react)
PALYRA_CAPABILITY(channel_read)

/* Defines and exports a tool's function. */
#define PALYRA_TOOL(name) \
    __attribute__((export_name(#name))) int32_t name(void); \
    int32_t name(void)

#define PALYRA_FUNCTION static inline __attribute__((unused))

/* ---- memory ---- */

#if defined(__wasi__)
PALYRA_FUNCTION void *palyra_alloc(int32_t bytes) {
    void *made = bytes < 0 ? NULL : malloc(bytes == 0 ? 1 : (size_t)bytes);
    if (made == NULL) {
        __builtin_trap();
    }
    return made;
}
#else
extern unsigned char __heap_base; /* made by the linker: where the module's own data ends */

/* Returns memory from the end of the used memory; aligned to 16 bytes. */
PALYRA_FUNCTION void *palyra_alloc(int32_t bytes) {
    static uintptr_t next;
    if (next == 0) {
        next = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
    }
    uintptr_t made = next;
    uintptr_t end = made + (((uintptr_t)bytes + 15) & ~(uintptr_t)15);
    if (bytes < 0 || end < made) {
        __builtin_trap();
    }
    uintptr_t have = (uintptr_t)__builtin_wasm_memory_size(0) << 16;
    if (end > have && __builtin_wasm_memory_grow(0, (end - have + 65535) >> 16) == (size_t)-1) {
        __builtin_trap();
    }
    next = end;
    return (void *)made;
}
#endif

/* ---- text ---- */

/* Bytes with a length, usually UTF-8; not ended by a zero. ptr is NULL without a value. */
typedef struct {
    const char *ptr;
    int32_t len;
} palyra_text;

#define PALYRA_NONE ((palyra_text){NULL, 0})

/* Makes a text of a C string. */
PALYRA_FUNCTION palyra_text palyra_cstr(const char *text) {
    int32_t len = 0;
    while (text[len] != 0) {
        len++;
    }
    return (palyra_text){text, len};
}

PALYRA_FUNCTION bool palyra_equal(palyra_text a, palyra_text b) {
    if (a.len != b.len) {
        return false;
    }
    for (int32_t i = 0; i < a.len; i++) {
        if (a.ptr[i] != b.ptr[i]) {
            return false;
        }
    }
    return true;
}

PALYRA_FUNCTION bool palyra_is(palyra_text a, const char *text) {
    int32_t i = 0;
    while (i < a.len && text[i] != 0 && a.ptr[i] == text[i]) {
        i++;
    }
    return i == a.len && text[i] == 0;
}

/* ---- writing JSON ---- */

/* Text that grows. Begin with `palyra_out out = {0};`. */
typedef struct {
    char *ptr;
    int32_t len;
    int32_t room;
} palyra_out;

/* Appends bytes as they are. */
PALYRA_FUNCTION void palyra_put(palyra_out *out, palyra_text text) {
    if (text.len > out->room - out->len) {
        int32_t room = out->room < 128 ? 256 : out->room * 2;
        while (room - out->len < text.len) {
            room *= 2;
        }
        char *moved = palyra_alloc(room);
        for (int32_t i = 0; i < out->len; i++) {
            moved[i] = out->ptr[i];
        }
        out->ptr = moved;
        out->room = room;
    }
    for (int32_t i = 0; i < text.len; i++) {
        out->ptr[out->len + i] = text.ptr[i];
    }
    out->len += text.len;
}

PALYRA_FUNCTION void palyra_put_char(palyra_out *out, char one) {
    palyra_put(out, (palyra_text){&one, 1});
}

PALYRA_FUNCTION void palyra_put_cstr(palyra_out *out, const char *text) {
    while (*text != 0) {
        palyra_put_char(out, *text++);
    }
}

/* Writes the comma that is needed before the next element of a list or member of an object. */
PALYRA_FUNCTION void palyra_next_item(palyra_out *out) {
    char last = out->len == 0 ? '{' : out->ptr[out->len - 1];
    if (last != '{' && last != '[' && last != ':' && last != ',') {
        palyra_put_char(out, ',');
    }
}

/* Writes a JSON string; the text is UTF-8. */
PALYRA_FUNCTION void palyra_put_string(palyra_out *out, palyra_text text) {
    static const char hex[] = "0123456789abcdef";
    palyra_put_char(out, '"');
    for (int32_t i = 0; i < text.len; i++) {
        unsigned char one = (unsigned char)text.ptr[i];
        if (one == '"' || one == '\\') {
            palyra_put_char(out, '\\');
            palyra_put_char(out, (char)one);
        } else if (one >= 0x20) {
            palyra_put_char(out, (char)one);
        } else {
            char escape[6] = {'\\', 'u', '0', '0', hex[one >> 4], hex[one & 15]};
            palyra_put(out, (palyra_text){escape, 6});
        }
    }
    palyra_put_char(out, '"');
}

/* Writes a whole number. */
PALYRA_FUNCTION void palyra_put_integer(palyra_out *out, int64_t value) {
    char digits[20];
    int32_t at = 20;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left != 0);
    if (value < 0) {
        palyra_put_char(out, '-');
    }
    palyra_put(out, (palyra_text){digits + at, 20 - at});
}

PALYRA_FUNCTION void palyra_put_bool(palyra_out *out, bool value) {
    palyra_put_cstr(out, value ? "true" : "false");
}

PALYRA_FUNCTION void palyra_begin_object(palyra_out *out) {
    if (out->len > 0) {
        palyra_next_item(out);
    }
    palyra_put_char(out, '{');
}

PALYRA_FUNCTION void palyra_end_object(palyra_out *out) { palyra_put_char(out, '}'); }

PALYRA_FUNCTION void palyra_begin_list(palyra_out *out) {
    if (out->len > 0) {
        palyra_next_item(out);
    }
    palyra_put_char(out, '[');
}

PALYRA_FUNCTION void palyra_end_list(palyra_out *out) { palyra_put_char(out, ']'); }

/* Writes the name of a member; its value comes next. */
PALYRA_FUNCTION void palyra_key(palyra_out *out, const char *name) {
    palyra_next_item(out);
    palyra_put_string(out, palyra_cstr(name));
    palyra_put_char(out, ':');
}

PALYRA_FUNCTION void palyra_key_string(palyra_out *out, const char *name, palyra_text value) {
    palyra_key(out, name);
    palyra_put_string(out, value);
}

PALYRA_FUNCTION void palyra_key_integer(palyra_out *out, const char *name, int64_t value) {
    palyra_key(out, name);
    palyra_put_integer(out, value);
}

/* Returns what was written. */
PALYRA_FUNCTION palyra_text palyra_written(const palyra_out *out) {
    return (palyra_text){out->ptr, out->len};
}

/* ---- reading JSON: a value is the text between its first and its last character ---- */

#define PALYRA_JSON_DEPTH 64

PALYRA_FUNCTION const char *palyra_blanks(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) {
        at++;
    }
    return at;
}

/* Returns the end of a string that begins at `at`, or NULL. */
PALYRA_FUNCTION const char *palyra_skip_string(const char *at, const char *end) {
    if (at >= end || *at != '"') {
        return NULL;
    }
    for (at++; at < end; at++) {
        if (*at == '"') {
            return at + 1;
        }
        if ((unsigned char)*at < 0x20) {
            return NULL;
        }
        if (*at == '\\') {
            at++;
        }
    }
    return NULL;
}

/* Returns the end of a number, true, false or null that begins at `at`, or NULL. */
PALYRA_FUNCTION const char *palyra_skip_word(const char *at, const char *end) {
    const char *from = at;
    while (at < end && *at != ',' && *at != ']' && *at != '}' && *at != ' ' && *at != '\t' &&
           *at != '\n' && *at != '\r') {
        at++;
    }
    palyra_text word = {from, (int32_t)(at - from)};
    bool number = word.len > 0 && (*from == '-' || (*from >= '0' && *from <= '9'));
    bool known = palyra_is(word, "true") || palyra_is(word, "false") || palyra_is(word, "null");
    return number || known ? at : NULL;
}

/* Returns the end of a value that begins at `at`, or NULL. Lists and objects are followed by their
   brackets, at most PALYRA_JSON_DEPTH deep. */
PALYRA_FUNCTION const char *palyra_skip_value(const char *at, const char *end) {
    int32_t depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = palyra_skip_string(at, end);
        } else if (*at == '{' || *at == '[') {
            at = ++depth > PALYRA_JSON_DEPTH ? NULL : at + 1;
        } else if (*at == '}' || *at == ']') {
            at = --depth < 0 ? NULL : at + 1;
        } else if (depth > 0 && (*at == ',' || *at == ':')) {
            at++;
        } else {
            at = palyra_skip_word(at, end);
        }
        if (at == NULL || depth == 0) {
            return at;
        }
        at = palyra_blanks(at, end);
    }
    return NULL;
}

/* Steps through a list or an object. Begin with `*cursor == 0`. Returns false at the end.
   `name` gets the raw name of a member (a JSON string); it may be NULL. */
PALYRA_FUNCTION bool palyra_next(
        palyra_text container, int32_t *cursor, palyra_text *name, palyra_text *value) {
    const char *end = container.ptr + container.len;
    if (container.len < 2 || (*container.ptr != '{' && *container.ptr != '[')) {
        return false;
    }
    const char *at = palyra_blanks(container.ptr + (*cursor == 0 ? 1 : *cursor), end);
    if (at < end && *at == ',') {
        at = palyra_blanks(at + 1, end);
    }
    if (at >= end || *at == '}' || *at == ']') {
        return false;
    }
    if (*container.ptr == '{') {
        const char *after = palyra_skip_string(at, end);
        if (after == NULL) {
            return false;
        }
        if (name != NULL) {
            *name = (palyra_text){at, (int32_t)(after - at)};
        }
        at = palyra_blanks(after, end);
        if (at >= end || *at != ':') {
            return false;
        }
        at = palyra_blanks(at + 1, end);
    }
    const char *after = palyra_skip_value(at, end);
    if (after == NULL) {
        return false;
    }
    *value = (palyra_text){at, (int32_t)(after - at)};
    *cursor = (int32_t)(after - container.ptr);
    return true;
}

PALYRA_FUNCTION int32_t palyra_hex(const char *at) {
    int32_t value = 0;
    for (int32_t i = 0; i < 4; i++) {
        char c = at[i];
        int32_t digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
        if (digit < 0) {
            return -1;
        }
        value = value << 4 | digit;
    }
    return value;
}

/* Writes a code point as UTF-8; returns the bytes. */
PALYRA_FUNCTION int32_t palyra_utf8(char *to, int32_t point) {
    if (point < 0x80) {
        to[0] = (char)point;
        return 1;
    }
    int32_t more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const int32_t lead[] = {0, 0xc0, 0xe0, 0xf0};
    to[0] = (char)(lead[more] | point >> (6 * more));
    for (int32_t i = 1; i <= more; i++) {
        to[i] = (char)(0x80 | (point >> (6 * (more - i)) & 0x3f));
    }
    return more + 1;
}

/* Reads a \u escape (after the u), with its second half where there is one. Lone halves become
   U+FFFD. Returns the code point and moves `at`; -1 when it is malformed. */
PALYRA_FUNCTION int32_t palyra_unicode(const char **at, const char *end) {
    int32_t unit = end - *at >= 4 ? palyra_hex(*at) : -1;
    if (unit < 0) {
        return -1;
    }
    *at += 4;
    if (unit < 0xd800 || unit > 0xdfff) {
        return unit;
    }
    bool pair = unit < 0xdc00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u';
    int32_t low = pair ? palyra_hex(*at + 2) : -1;
    if (low < 0xdc00 || low > 0xdfff) {
        return 0xfffd;
    }
    *at += 6;
    return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
}

/* Returns the text of a JSON string, as UTF-8 in memory of its own; PALYRA_NONE for anything else. */
PALYRA_FUNCTION palyra_text palyra_string(palyra_text json) {
    if (json.len < 2 || *json.ptr != '"' || json.ptr[json.len - 1] != '"') {
        return PALYRA_NONE;
    }
    char *made = palyra_alloc(json.len);
    int32_t len = 0;
    const char *at = json.ptr + 1;
    const char *end = json.ptr + json.len - 1;
    while (at < end) {
        if (*at != '\\') {
            made[len++] = *at++;
            continue;
        }
        if (end - at < 2) {
            return PALYRA_NONE;
        }
        char what = at[1];
        at += 2;
        int32_t point = what == 'n'   ? '\n'
                        : what == 't' ? '\t'
                        : what == 'r' ? '\r'
                        : what == 'b' ? '\b'
                        : what == 'f' ? '\f'
                        : what == 'u' ? palyra_unicode(&at, end)
                        : what == '"' || what == '\\' || what == '/' ? what
                                                                     : -1;
        if (point < 0) {
            return PALYRA_NONE;
        }
        len += palyra_utf8(made + len, point);
    }
    return (palyra_text){made, len};
}

/* Returns the value of a member of an object, as JSON; PALYRA_NONE when it is not there. */
PALYRA_FUNCTION palyra_text palyra_member(palyra_text object, const char *name) {
    int32_t cursor = 0;
    palyra_text raw = PALYRA_NONE;
    palyra_text value = PALYRA_NONE;
    if (object.len < 1 || *object.ptr != '{') {
        return PALYRA_NONE;
    }
    while (palyra_next(object, &cursor, &raw, &value)) {
        palyra_text plain = {raw.ptr + 1, raw.len - 2};
        bool escaped = false;
        for (int32_t i = 0; i < plain.len; i++) {
            escaped = escaped || plain.ptr[i] == '\\';
        }
        if (palyra_is(escaped ? palyra_string(raw) : plain, name)) {
            return value;
        }
    }
    return PALYRA_NONE;
}

/* Reads a whole number of at most 18 digits; false for anything else (also for 1.0 and 1e3). */
PALYRA_FUNCTION bool palyra_integer(palyra_text json, int64_t *value) {
    bool minus = json.len > 0 && *json.ptr == '-';
    int32_t from = minus ? 1 : 0;
    int64_t sum = 0;
    if (json.len <= from || json.len > 18 + from) {
        return false;
    }
    for (int32_t i = from; i < json.len; i++) {
        if (json.ptr[i] < '0' || json.ptr[i] > '9') {
            return false;
        }
        sum = sum * 10 + (json.ptr[i] - '0');
    }
    *value = minus ? -sum : sum;
    return true;
}

/* Returns a whole number, or the fallback where the field is absent. */
PALYRA_FUNCTION int64_t palyra_integer_or(palyra_text json, int64_t fallback) {
    int64_t value = fallback;
    return palyra_integer(json, &value) ? value : fallback;
}

PALYRA_FUNCTION bool palyra_true(palyra_text json) { return palyra_is(json, "true"); }

/* ---- input, output, log, clock, random ---- */

/* Reads a buffer of the host into memory; PALYRA_NONE for an unknown handle. */
PALYRA_FUNCTION palyra_text palyra_read_buffer(int32_t handle) {
    int32_t len = palyra_import_buffer_len(handle);
    if (len < 0) {
        return PALYRA_NONE;
    }
    char *made = palyra_alloc(len);
    int32_t done = 0;
    while (done < len) {
        int32_t copied = palyra_import_buffer_read(handle, done, made + done, len - done);
        if (copied <= 0) {
            break;
        }
        done += copied;
    }
    return (palyra_text){made, done};
}

/* Returns a JSON text without the blanks around it. */
PALYRA_FUNCTION palyra_text palyra_trimmed(palyra_text text) {
    const char *end = text.ptr + text.len;
    const char *at = palyra_blanks(text.ptr, end);
    while (end > at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\n' || end[-1] == '\r')) {
        end--;
    }
    return (palyra_text){at, (int32_t)(end - at)};
}

/* Returns the input as JSON; the host has checked it against the tool's input schema. */
PALYRA_FUNCTION palyra_text palyra_input(void) { return palyra_trimmed(palyra_read_buffer(0)); }

/* Returns what the host says about this call: abi, skill, version, tool, call, attempt. */
PALYRA_FUNCTION palyra_text palyra_context(void) { return palyra_trimmed(palyra_read_buffer(1)); }

/* Writes the output. End the tool with `return palyra_succeed(&out);`. */
PALYRA_FUNCTION int32_t palyra_succeed(const palyra_out *out) {
    return palyra_import_output_write(out->ptr, out->len) == 0 ? 0 : 2;
}

/* Writes an error that the model and the operator get to read. `return palyra_fail(...)`. */
PALYRA_FUNCTION int32_t palyra_fail(const char *code, const char *message) {
    palyra_out out = {0};
    palyra_begin_object(&out);
    palyra_key(&out, "error");
    palyra_begin_object(&out);
    palyra_key_string(&out, "code", palyra_cstr(code));
    palyra_key_string(&out, "message", palyra_cstr(message));
    palyra_end_object(&out);
    palyra_end_object(&out);
    palyra_import_output_write(out.ptr, out.len);
    return 1;
}

/* Passes on what went wrong with a capability, word for word. */
PALYRA_FUNCTION int32_t palyra_fail_with(palyra_text answer) {
    palyra_import_output_write(answer.ptr, answer.len);
    return 1;
}

enum { PALYRA_DEBUG = 0, PALYRA_INFO = 1, PALYRA_WARN = 2, PALYRA_ERROR = 3 };

/* Writes a line for the operator; the model never sees it. At most 64 lines of 1 KiB per call. */
PALYRA_FUNCTION void palyra_log(int32_t level, palyra_text line) {
    palyra_import_log(level, line.ptr, line.len);
}

/* Returns the time in milliseconds since 1970. */
PALYRA_FUNCTION int64_t palyra_now(void) { return palyra_import_now(); }

/* Fills memory with random bytes of cryptographic quality; at most 65,536. */
PALYRA_FUNCTION bool palyra_random(void *ptr, int32_t len) {
    return palyra_import_random(ptr, len) == 0;
}

/* ---- capabilities: each returns the answer as a JSON object ---- */

/* Whether an answer is an error. */
PALYRA_FUNCTION bool palyra_failed(palyra_text answer) {
    return answer.len < 2 || palyra_member(answer, "error").ptr != NULL;
}

/* Whether an answer is an error of that code: denied, invalid, not_found, limit, unavailable,
   timeout or conflict. */
PALYRA_FUNCTION bool palyra_failed_as(palyra_text answer, const char *code) {
    return palyra_is(palyra_string(palyra_member(palyra_member(answer, "error"), "code")), code);
}

/* Reads and closes what a capability's import returned. */
PALYRA_FUNCTION palyra_text palyra_answer(int32_t handle) {
    palyra_text answer = palyra_trimmed(palyra_read_buffer(handle));
    palyra_import_buffer_close(handle);
    return answer;
}

/* A request for HTTP, built in the order url, headers, secrets, body, then palyra_http. */
typedef struct {
    palyra_out json;
    palyra_out headers;
    palyra_out secrets;
} palyra_http_request;

PALYRA_FUNCTION palyra_http_request palyra_request(const char *method, palyra_text url) {
    palyra_http_request made = {{0}, {0}, {0}};
    palyra_begin_object(&made.json);
    palyra_key_string(&made.json, "method", palyra_cstr(method));
    palyra_key_string(&made.json, "url", url);
    palyra_begin_object(&made.headers);
    palyra_begin_object(&made.secrets);
    return made;
}

PALYRA_FUNCTION void palyra_header(palyra_http_request *to, const char *name, palyra_text value) {
    palyra_key_string(&to->headers, name, value);
}

/* Has the host put a secret into a header; the secret itself never enters the module.
   `handle` is the answer's handle of palyra_secret_open. */
PALYRA_FUNCTION void palyra_secret_header(
        palyra_http_request *to, const char *name, int64_t handle, const char *prefix) {
    palyra_key(&to->secrets, name);
    palyra_begin_object(&to->secrets);
    palyra_key_integer(&to->secrets, "secret", handle);
    palyra_key_string(&to->secrets, "prefix", palyra_cstr(prefix));
    palyra_end_object(&to->secrets);
}

PALYRA_FUNCTION void palyra_body(palyra_http_request *to, palyra_text body) {
    palyra_key_string(&to->json, "body", body);
}

PALYRA_FUNCTION void palyra_timeout(palyra_http_request *to, int64_t millis) {
    palyra_key_integer(&to->json, "timeout_ms", millis);
}

/* Sends it. The answer has status, headers and body or body_base64. */
PALYRA_FUNCTION palyra_text palyra_http(palyra_http_request *request) {
    palyra_end_object(&request->headers);
    palyra_end_object(&request->secrets);
    palyra_key(&request->json, "headers");
    palyra_put(&request->json, palyra_written(&request->headers));
    palyra_key(&request->json, "secret_headers");
    palyra_put(&request->json, palyra_written(&request->secrets));
    palyra_end_object(&request->json);
    return palyra_answer(palyra_import_http_request(request->json.ptr, request->json.len));
}

/* Builds {"name":"value"} with up to three members; a value without a pointer is left out. */
PALYRA_FUNCTION palyra_text palyra_strings(
        const char *name1,
        palyra_text value1,
        const char *name2,
        palyra_text value2,
        const char *name3,
        palyra_text value3) {
    palyra_out out = {0};
    palyra_begin_object(&out);
    palyra_key_string(&out, name1, value1);
    if (value2.ptr != NULL) {
        palyra_key_string(&out, name2, value2);
    }
    if (value3.ptr != NULL) {
        palyra_key_string(&out, name3, value3);
    }
    palyra_end_object(&out);
    return palyra_written(&out);
}

/* Opens a secret; the answer has `handle`. */
PALYRA_FUNCTION palyra_text palyra_secret_open(palyra_text scope, palyra_text key) {
    palyra_text request = palyra_strings("scope", scope, "key", key, "", PALYRA_NONE);
    return palyra_answer(palyra_import_secret_open(request.ptr, request.len));
}

/* Reads a secret; the answer has `value`. Only where the manifest asks for the value. */
PALYRA_FUNCTION palyra_text palyra_secret_value(int64_t handle) {
    palyra_out out = {0};
    palyra_begin_object(&out);
    palyra_key_integer(&out, "handle", handle);
    palyra_end_object(&out);
    return palyra_answer(palyra_import_secret_value(out.ptr, out.len));
}

/* Reads a stored value; the answer has `value` or `value_base64`, and `version`. */
PALYRA_FUNCTION palyra_text palyra_storage_get(palyra_text key) {
    palyra_text request = palyra_strings("key", key, "", PALYRA_NONE, "", PALYRA_NONE);
    return palyra_answer(palyra_import_storage_get(request.ptr, request.len));
}

/* Stores a value; the answer has `version`. `if_version`: version that must be there now (0: nothing
   may be there), else the error `conflict`; -1 stores over any version. */
PALYRA_FUNCTION palyra_text palyra_storage_put(
        palyra_text key, palyra_text value, int64_t if_version) {
    palyra_out out = {0};
    palyra_begin_object(&out);
    palyra_key_string(&out, "key", key);
    palyra_key_string(&out, "value", value);
    if (if_version >= 0) {
        palyra_key_integer(&out, "if_version", if_version);
    }
    palyra_end_object(&out);
    return palyra_answer(palyra_import_storage_put(out.ptr, out.len));
}

/* Removes a stored value; the answer has `deleted`: whether there was one. */
PALYRA_FUNCTION palyra_text palyra_storage_delete(palyra_text key) {
    palyra_text request = palyra_strings("key", key, "", PALYRA_NONE, "", PALYRA_NONE);
    return palyra_answer(palyra_import_storage_delete(request.ptr, request.len));
}

/* Lists keys after `after` (PALYRA_NONE: from the first); the answer has `keys` and `more`. */
PALYRA_FUNCTION palyra_text palyra_storage_list(palyra_text prefix, palyra_text after) {
    palyra_text request = palyra_strings("prefix", prefix, "after", after, "", PALYRA_NONE);
    return palyra_answer(palyra_import_storage_list(request.ptr, request.len));
}

/* Sends a message; the answer has `outbox_id`. It is durable when this returns. `dedupe` makes a
   repeated send of this call one message; PALYRA_NONE for none. */
PALYRA_FUNCTION palyra_text palyra_channel_send(
        palyra_text channel, palyra_text text, palyra_text dedupe) {
    palyra_text request = palyra_strings("channel", channel, "text", text, "dedupe", dedupe);
    return palyra_answer(palyra_import_channel_send(request.ptr, request.len));
}

/* Changes a message that this skill sent; the answer has `outbox_id`, of the change. */
PALYRA_FUNCTION palyra_text palyra_channel_edit(
        palyra_text outbox_id, palyra_text text, palyra_text dedupe) {
    palyra_text request = palyra_strings("outbox_id", outbox_id, "text", text, "dedupe", dedupe);
    return palyra_answer(palyra_import_channel_edit(request.ptr, request.len));
}

/* Reacts to a message; the answer has `outbox_id`. `message`: the platform's id, as
   palyra_channel_read gives it; PALYRA_NONE for the one that the run answers. */
PALYRA_FUNCTION palyra_text palyra_channel_react(
        palyra_text channel, palyra_text reaction, palyra_text message) {
    palyra_text request =
            palyra_strings("channel", channel, "reaction", reaction, "message", message);
    return palyra_answer(palyra_import_channel_react(request.ptr, request.len));
}

/* Reads the last messages of a conversation (PALYRA_NONE: the one in which the run was asked for);
   the answer has `messages`, oldest first, and `more`. `limit`: most messages; 0 for the usual. */
PALYRA_FUNCTION palyra_text palyra_channel_read(
        palyra_text channel, palyra_text conversation, int64_t limit) {
    palyra_out out = {0};
    palyra_begin_object(&out);
    palyra_key_string(&out, "channel", channel);
    if (conversation.ptr != NULL) {
        palyra_key_string(&out, "conversation", conversation);
    }
    if (limit > 0) {
        palyra_key_integer(&out, "limit", limit);
    }
    palyra_end_object(&out);
    return palyra_answer(palyra_import_channel_read(out.ptr, out.len));
}

#endif
