/*
 * Tool `palyra-examples.crc32`: the CRC-32 of a text (ISO 3309, as zip and PNG use it). Built without
 * any library: what clang and the linker give is enough.
 */
#include "../../sdk/c/palyra_skill.h"

#define POLYNOMIAL 0xedb88320u

static uint32_t crc32(palyra_text text) {
    uint32_t crc = 0xffffffffu;
    for (int32_t i = 0; i < text.len; i++) {
        crc ^= (unsigned char)text.ptr[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (POLYNOMIAL & (0u - (crc & 1)));
        }
    }
    return ~crc;
}

PALYRA_TOOL(palyra_call) {
    static const char hex[] = "0123456789abcdef";
    palyra_text text = palyra_string(palyra_member(palyra_input(), "text"));
    if (text.ptr == NULL) {
        return palyra_fail("invalid", "text is missing");
    }
    uint32_t crc = crc32(text);
    char digits[8];
    for (int i = 0; i < 8; i++) {
        digits[i] = hex[crc >> (28 - 4 * i) & 15];
    }
    palyra_out out = {0};
    palyra_begin_object(&out);
    palyra_key_string(&out, "crc32", (palyra_text){digits, 8});
    palyra_end_object(&out);
    return palyra_succeed(&out);
}
