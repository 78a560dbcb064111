/*
 * A skill for tests: its tools say which build of the module answers, leave a mark once, and stay in a
 * call until somebody opens a gate. The build is a text in the module's data, so that a test makes
 * another version by other bytes of the same length.
 */
#include "../../../../../../examples/skills/sdk/c/palyra_skill.h"

static const char BUILD[] = "build-1";

static palyra_text member(const char *name) {
    return palyra_string(palyra_member(palyra_input(), name));
}

/* Writes the answer: which build it is, the text given, and one number. */
static int32_t answer(palyra_text text, int64_t number) {
    const volatile char *build = BUILD; /* read when it runs, so that the data counts */
    char name[sizeof BUILD];
    int32_t len = 0;
    for (; build[len] != 0; len++) {
        name[len] = build[len];
    }
    palyra_out out = {0};
    palyra_begin_object(&out);
    palyra_key_string(&out, "build", (palyra_text){name, len});
    palyra_key_string(&out, "text", text);
    palyra_key_integer(&out, "number", number);
    palyra_end_object(&out);
    return palyra_succeed(&out);
}

/* Computes for a while and answers: {"text", "rounds"}. */
PALYRA_TOOL(stamp) {
    palyra_text text = member("text");
    int64_t rounds = palyra_integer_or(palyra_member(palyra_input(), "rounds"), 0);
    uint32_t sum = 2166136261u;
    for (int64_t round = 0; round < rounds; round++) {
        for (int32_t i = 0; i < text.len; i++) {
            sum = (sum ^ (unsigned char)text.ptr[i]) * 16777619u;
        }
    }
    return answer(text, sum);
}

static palyra_text key(const char *prefix, palyra_text name) {
    palyra_out out = {0};
    palyra_put_cstr(&out, prefix);
    palyra_put(&out, name);
    return palyra_written(&out);
}

/* Returns whether a key is there; takes no memory, however often it is asked. */
static bool there(palyra_text request) {
    char begin[8];
    int32_t handle = palyra_import_storage_get(request.ptr, request.len);
    int32_t len = palyra_import_buffer_read(handle, 0, begin, 8);
    palyra_import_buffer_close(handle);
    return len == 8 && palyra_equal((palyra_text){begin, 7}, palyra_cstr("{\"value"));
}

static int64_t wait_for(palyra_text gate) {
    palyra_out request = {0};
    palyra_begin_object(&request);
    palyra_key_string(&request, "key", key("gates/", gate));
    palyra_end_object(&request);
    int64_t looks = 1;
    while (!there(palyra_written(&request))) {
        looks++;
    }
    return looks;
}

/* Answers when the gate is open: {"text": name of the gate}. Changes nothing. */
PALYRA_TOOL(wait) {
    palyra_text gate = member("text");
    int64_t looks = wait_for(gate);
    return answer(gate, looks > 0 ? 1 : 0);
}

/* Leaves a mark that must not be there yet: {"text": name of the mark}. */
PALYRA_TOOL(mark) {
    palyra_text name = member("text");
    palyra_text put = palyra_storage_put(key("marks/", name), palyra_context(), 0);
    return palyra_failed(put) ? palyra_fail_with(put) : answer(name, 1);
}

/* Leaves a mark, then waits for the gate of the same name. */
PALYRA_TOOL(mark_and_wait) {
    palyra_text name = member("text");
    palyra_text put = palyra_storage_put(key("marks/", name), palyra_context(), 0);
    return palyra_failed(put) ? palyra_fail_with(put) : answer(name, wait_for(name) > 0 ? 1 : 0);
}

/* Opens a gate: {"text": name of the gate}. */
PALYRA_TOOL(open) {
    palyra_text gate = member("text");
    palyra_text put = palyra_storage_put(key("gates/", gate), palyra_cstr("open"), -1);
    return palyra_failed(put) ? palyra_fail_with(put) : answer(gate, 1);
}

/* Answers how many marks there are whose names begin like the text. */
PALYRA_TOOL(count) {
    palyra_text prefix = member("text");
    palyra_text after = PALYRA_NONE;
    int64_t count = 0;
    bool more = true;
    while (more) {
        palyra_text page = palyra_storage_list(palyra_cstr("marks/"), after);
        if (palyra_failed(page)) {
            return palyra_fail_with(page);
        }
        palyra_text keys = palyra_member(page, "keys");
        palyra_text one;
        int32_t cursor = 0;
        palyra_text begins = key("marks/", prefix);
        while (palyra_next(keys, &cursor, NULL, &one)) {
            after = palyra_string(palyra_member(one, "key"));
            bool counts = after.len >= begins.len &&
                          palyra_equal((palyra_text){after.ptr, begins.len}, begins);
            count += counts ? 1 : 0;
        }
        more = palyra_true(palyra_member(page, "more"));
    }
    return answer(prefix, count);
}
