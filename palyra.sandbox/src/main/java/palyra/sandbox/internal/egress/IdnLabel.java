package palyra.sandbox.internal.egress;

import java.lang.Character.UnicodeScript;
import java.net.IDN;
import java.text.Normalizer;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * One label of an internationalised name, turned into ASCII (RFC 3490, by {@link IDN}). A label
 * that mixes scripts is refused (UTS 39, single script, with the mixtures of Japanese, Korean and
 * Chinese), and so is one that does not survive the way to ASCII and back: full-width letters and
 * {@code ß} turn into other names silently.
 */
final class IdnLabel {
    private static final String PREFIX = "xn--";
    private static final List<Set<UnicodeScript>> TOGETHER =
            List.of(
                    EnumSet.of(UnicodeScript.HAN, UnicodeScript.HIRAGANA, UnicodeScript.KATAKANA),
                    EnumSet.of(UnicodeScript.HAN, UnicodeScript.HANGUL),
                    EnumSet.of(UnicodeScript.HAN, UnicodeScript.BOPOMOFO));

    private IdnLabel() {}

    /**
     * Returns the ASCII form of a label that is not ASCII, or checks one that begins with {@code
     * xn--}; any other ASCII label is returned as it is.
     *
     * @throws RefusedException when it is refused
     */
    static String ascii(String label) {
        boolean encoded = label.startsWith(PREFIX);
        if (!encoded && label.chars().allMatch(c -> c < 0x80)) {
            return label;
        }
        String unicode = encoded ? decoded(label) : composed(label);
        String ascii = encoded(unicode, label);
        boolean same =
                encoded
                        ? ascii.equals(label)
                        : ascii.startsWith(PREFIX) && decoded(ascii).equals(unicode);
        if (!same) {
            throw refused(label, "is not in its canonical form");
        }
        requireOneScript(unicode, label);
        return ascii;
    }

    private static String composed(String label) {
        return Normalizer.normalize(label.toLowerCase(Locale.ROOT), Normalizer.Form.NFC);
    }

    private static String encoded(String unicode, String label) {
        try {
            return IDN.toASCII(unicode, IDN.USE_STD3_ASCII_RULES);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw refused(label, "has characters that are not allowed in host names");
        }
    }

    private static String decoded(String label) {
        String unicode = IDN.toUnicode(label, IDN.USE_STD3_ASCII_RULES);
        if (unicode.equals(label)) {
            throw refused(label, "cannot be decoded");
        }
        return unicode;
    }

    private static void requireOneScript(String unicode, String label) {
        Set<UnicodeScript> scripts = EnumSet.noneOf(UnicodeScript.class);
        unicode.codePoints().mapToObj(UnicodeScript::of).forEach(scripts::add);
        scripts.removeAll(EnumSet.of(UnicodeScript.COMMON, UnicodeScript.INHERITED));
        boolean known = scripts.size() <= 1 && !scripts.contains(UnicodeScript.UNKNOWN);
        if (!known && TOGETHER.stream().noneMatch(set -> set.containsAll(scripts))) {
            throw refused(label, "mixes scripts, as lookalike names do");
        }
    }

    private static RefusedException refused(String label, String why) {
        return RefusedException.denied(
                Reason.HOST,
                "The part '" + DisplayText.text(label) + "' of the host name " + why + ".");
    }
}
