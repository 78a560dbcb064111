package palyra.vault.internal.known;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * The forms in which a value may occur in a text: as it is, in a JSON text, percent-encoded, in
 * hexadecimal digits, and in base64 and base64url, also inside of something longer. Of the latter
 * only the characters count that depend on nothing beside the value. Arrays are overwritten by the
 * caller. Pure.
 */
final class Forms {
    /** How many characters of a form are looked up first. */
    static final int HEAD = 8;

    private static final int BASE64_GROUP = 3;

    private Forms() {}

    /**
     * Returns the forms of a value, without repetitions; empty for one that {@link SecretStrength}
     * refuses.
     */
    static List<char[]> of(byte[] value) {
        List<char[]> forms = new ArrayList<>();
        byte[] core = stripped(value);
        if (SecretStrength.suffices(core)) {
            char[] text = text(core);
            if (text != null) {
                add(forms, text);
                add(forms, json(text));
                add(forms, percent(core, "0123456789ABCDEF"));
                add(forms, percent(core, "0123456789abcdef"));
            }
            add(forms, hex(core, "0123456789abcdef"));
            add(forms, hex(core, "0123456789ABCDEF"));
            for (int shift = 0; shift < BASE64_GROUP; shift++) {
                add(forms, base64(core, shift, Base64.getEncoder()));
                add(forms, base64(core, shift, Base64.getUrlEncoder()));
            }
        }
        Arrays.fill(core, (byte) 0);
        return forms;
    }

    private static void add(List<char[]> forms, char[] form) {
        boolean known = forms.stream().anyMatch(other -> Arrays.equals(other, form));
        if (form.length >= SecretStrength.LEAST_BYTES && !known) {
            forms.add(form);
        } else {
            Arrays.fill(form, '\0');
        }
    }

    /** Without white space at its ends: sent values are mostly trimmed. */
    private static byte[] stripped(byte[] value) {
        int from = 0;
        int to = value.length;
        while (from < to && value[from] >= 0 && value[from] <= ' ') {
            from++;
        }
        while (from < to && value[to - 1] >= 0 && value[to - 1] <= ' ') {
            to--;
        }
        return Arrays.copyOfRange(value, from, to);
    }

    private static char[] text(byte[] value) {
        try {
            CharBuffer decoded = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value));
            char[] text = Arrays.copyOf(decoded.array(), decoded.limit());
            Arrays.fill(decoded.array(), '\0');
            return text;
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static char[] json(char[] text) {
        char[] out = new char[6 * text.length];
        int length = 0;
        for (char c : text) {
            int escaped = "\"\\\n\r\t\b\f".indexOf(c);
            if (escaped >= 0) {
                out[length++] = '\\';
                out[length++] = "\"\\nrtbf".charAt(escaped);
            } else if (c < ' ') {
                length = hex4(c, out, length);
            } else {
                out[length++] = c;
            }
        }
        return cut(out, length);
    }

    private static int hex4(char c, char[] out, int at) {
        out[at] = '\\';
        out[at + 1] = 'u';
        for (int i = 0; i < 4; i++) {
            out[at + 2 + i] = Character.forDigit(c >> (12 - 4 * i) & 15, 16);
        }
        return at + 6;
    }

    private static char[] percent(byte[] value, String digits) {
        char[] out = new char[3 * value.length];
        int length = 0;
        for (byte b : value) {
            boolean open =
                    b >= 'a' && b <= 'z'
                            || b >= 'A' && b <= 'Z'
                            || b >= '0' && b <= '9'
                            || b == '-'
                            || b == '.'
                            || b == '_'
                            || b == '~';
            if (open) {
                out[length++] = (char) b;
            } else {
                out[length++] = '%';
                out[length++] = digits.charAt(b >> 4 & 15);
                out[length++] = digits.charAt(b & 15);
            }
        }
        return cut(out, length);
    }

    private static char[] hex(byte[] value, String digits) {
        char[] out = new char[2 * value.length];
        for (int i = 0; i < value.length; i++) {
            out[2 * i] = digits.charAt(value[i] >> 4 & 15);
            out[2 * i + 1] = digits.charAt(value[i] & 15);
        }
        return out;
    }

    /** The value behind {@code shift} other bytes: only what no neighbour has a part in. */
    private static char[] base64(byte[] value, int shift, Base64.Encoder encoder) {
        byte[] shifted = new byte[shift + value.length];
        System.arraycopy(value, 0, shifted, shift, value.length);
        byte[] encoded = encoder.withoutPadding().encode(shifted);
        int from = (8 * shift + 5) / 6;
        int to = 8 * shifted.length / 6;
        char[] out = new char[Math.max(0, to - from)];
        for (int i = 0; i < out.length; i++) {
            out[i] = (char) encoded[from + i];
        }
        Arrays.fill(shifted, (byte) 0);
        Arrays.fill(encoded, (byte) 0);
        return out;
    }

    private static char[] cut(char[] out, int length) {
        char[] exact = Arrays.copyOf(out, length);
        Arrays.fill(out, '\0');
        return exact;
    }
}
