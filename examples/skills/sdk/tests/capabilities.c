/* Calls everything that the SDK offers once, and returns what came of it. See run.sh. */
#include "../c/palyra_skill.h"

#define TEXT(literal) palyra_cstr(literal)

/* Writes a member whose value is JSON already. */
static void key_json(palyra_out *out, const char *name, palyra_text value) {
    palyra_key(out, name);
    palyra_put(out, value.ptr == NULL ? TEXT("null") : value);
}

static palyra_text code(palyra_text answer) {
    return palyra_member(palyra_member(answer, "error"), "code");
}

static int32_t count(palyra_text list) {
    int32_t cursor = 0;
    int32_t found = 0;
    palyra_text item;
    while (palyra_next(list, &cursor, NULL, &item)) {
        found++;
    }
    return found;
}

static bool random_works(void) {
    unsigned char bytes[32] = {0};
    unsigned char mixed = 0;
    bool given = palyra_random(bytes, sizeof bytes);
    for (int i = 0; i < 32; i++) {
        mixed |= bytes[i];
    }
    return given && mixed != 0;
}

static void network(palyra_out *out) {
    palyra_text opened = palyra_secret_open(TEXT("skill"), TEXT("api_token"));
    int64_t handle = palyra_integer_or(palyra_member(opened, "handle"), -1);
    palyra_text url = palyra_string(palyra_member(palyra_input(), "url"));
    palyra_http_request request = palyra_request(
            "POST", url.ptr == NULL ? TEXT("https://api.example.com/things") : url);
    palyra_header(&request, "x-test", TEXT("1"));
    palyra_secret_header(&request, "Authorization", handle, "Bearer ");
    palyra_body(&request, TEXT("{}"));
    palyra_timeout(&request, 1000);
    palyra_text response = palyra_http(&request);
    key_json(out, "status", palyra_member(response, "status"));
    key_json(out, "body", palyra_member(response, "body"));
    key_json(out, "secret", palyra_member(palyra_secret_value(handle), "value"));
    key_json(out, "denied", code(palyra_secret_open(TEXT("skill"), TEXT("other"))));
    palyra_http_request nowhere = palyra_request("GET", TEXT("https://nowhere.example.com/"));
    key_json(out, "unavailable", code(palyra_http(&nowhere)));
}

static void storage(palyra_out *out) {
    palyra_text key = TEXT("notes/a");
    key_json(out, "version", palyra_member(palyra_storage_put(key, TEXT("välue \"1\""), 0), "version"));
    key_json(out, "conflict", code(palyra_storage_put(key, TEXT("2"), 0)));
    key_json(out, "again", palyra_member(palyra_storage_put(key, TEXT("2"), -1), "version"));
    key_json(out, "value", palyra_member(palyra_storage_get(key), "value"));
    palyra_text all = palyra_storage_list(TEXT("notes/"), PALYRA_NONE);
    palyra_key_integer(out, "keys", count(palyra_member(all, "keys")));
    palyra_text none = palyra_storage_list(TEXT("notes/"), key);
    palyra_key_integer(out, "after", count(palyra_member(none, "keys")));
    key_json(out, "deleted", palyra_member(palyra_storage_delete(key), "deleted"));
    key_json(out, "gone", code(palyra_storage_get(key)));
}

PALYRA_TOOL(palyra_call) {
    palyra_out out = {0};
    palyra_begin_object(&out);
    key_json(&out, "tool", palyra_member(palyra_context(), "tool"));
    palyra_key_string(&out, "text", palyra_string(palyra_member(palyra_input(), "text")));
    palyra_key(&out, "clock");
    palyra_put_bool(&out, palyra_now() > 1600000000000);
    palyra_key(&out, "random");
    palyra_put_bool(&out, random_works());
    palyra_log(PALYRA_INFO, TEXT("a line"));
    network(&out);
    storage(&out);
    palyra_text sent = palyra_channel_send(TEXT("discord:main"), TEXT("hi ☃"), TEXT("once"));
    palyra_text id = palyra_string(palyra_member(sent, "outbox_id"));
    key_json(&out, "outbox", palyra_member(sent, "outbox_id"));
    palyra_text edited = palyra_channel_edit(id, TEXT("hi"), PALYRA_NONE);
    key_json(&out, "edited", palyra_member(edited, "outbox_id"));
    palyra_text reacted = palyra_channel_react(TEXT("discord:main"), TEXT("👍"), PALYRA_NONE);
    key_json(&out, "reacted", palyra_member(reacted, "outbox_id"));
    palyra_text read = palyra_channel_read(TEXT("discord:main"), PALYRA_NONE, 2);
    palyra_key_integer(&out, "read", count(palyra_member(read, "messages")));
    palyra_end_object(&out);
    return palyra_succeed(&out);
}
