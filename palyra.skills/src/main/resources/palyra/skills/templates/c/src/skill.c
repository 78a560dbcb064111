/*
 * Tool `@ID@.greet`. A tool is an exported function that reads its input, does its work, and ends
 * with palyra_succeed or palyra_fail. palyra_skill.h says what else there is: storage, HTTP, secrets,
 * channels, a log.
 */
#include "palyra_skill.h"

PALYRA_TOOL(palyra_call) {
    palyra_text name = palyra_string(palyra_member(palyra_input(), "name"));
    if (name.len == 0) {
        return palyra_fail("invalid", "name is missing or empty");
    }
    palyra_out greeting = {0};
    palyra_put_cstr(&greeting, "Hello, ");
    palyra_put(&greeting, name);
    palyra_put_char(&greeting, '!');

    palyra_out output = {0};
    palyra_begin_object(&output);
    palyra_key_string(&output, "greeting", palyra_written(&greeting));
    palyra_end_object(&output);
    return palyra_succeed(&output);
}
