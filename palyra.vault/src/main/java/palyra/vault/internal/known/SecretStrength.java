package palyra.vault.internal.known;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Whether a value is random enough to be looked for in texts: one that is made of ordinary words,
 * such as {@code https://} or {@code --file=evil.mk}, would hide what people have to read. The one
 * place of these bounds. Pure.
 */
final class SecretStrength {
    /** Fewest bytes of a value that is looked for. */
    static final int LEAST_BYTES = 12;

    /** Fewest bits of entropy, by estimate. */
    static final double LEAST_BITS = 40;

    /** What a letter of a word adds: between the entropy of prose and that of random words. */
    private static final double BITS_A_WORD_LETTER = 1.5;

    /** Letters that make a word; fewer are as likely part of something random. */
    private static final int SHORTEST_WORD = 3;

    private static final Pattern SEPARATORS = Pattern.compile("[^\\p{L}\\p{N}]+");

    private SecretStrength() {}

    /** Returns whether a value, without white space at its ends, is looked for. */
    static boolean suffices(byte[] value) {
        return value.length >= LEAST_BYTES && bits(value) >= LEAST_BITS;
    }

    /**
     * Returns an estimate of the entropy in bits. A value that is ordinary words for half of its
     * characters or more, with what joins them: {@value #BITS_A_WORD_LETTER} a letter of a word,
     * the Shannon entropy of its own characters for a word that mixes cases or digits, none for the
     * text between. Any other value: the Shannon entropy of its characters.
     */
    static double bits(byte[] value) {
        String text = text(value);
        List<String> words =
                Arrays.stream(SEPARATORS.split(text)).filter(word -> !word.isEmpty()).toList();
        int ordinary =
                words.stream()
                        .filter(word -> word.length() >= SHORTEST_WORD && isOrdinary(word))
                        .mapToInt(String::length)
                        .sum();
        return 2 * ordinary >= text.length()
                ? words.stream().mapToDouble(SecretStrength::wordBits).sum()
                : shannon(text);
    }

    /** Bytes that are no UTF-8 are taken as one character each. */
    private static String text(byte[] value) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString();
        } catch (CharacterCodingException e) {
            return new String(value, StandardCharsets.ISO_8859_1);
        }
    }

    private static double wordBits(String word) {
        return isOrdinary(word) ? BITS_A_WORD_LETTER * word.length() : shannon(word);
    }

    /** Letters alone, in one case or with a capital first. */
    private static boolean isOrdinary(String word) {
        boolean allLower = true;
        boolean allUpper = true;
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (!Character.isLetter(c)) {
                return false;
            }
            allLower &= i == 0 || !Character.isUpperCase(c);
            allUpper &= !Character.isLowerCase(c);
        }
        return allLower || allUpper;
    }

    private static double shannon(String word) {
        Map<Character, Integer> counts = new HashMap<>();
        for (int i = 0; i < word.length(); i++) {
            counts.merge(word.charAt(i), 1, Integer::sum);
        }
        double bits = 0;
        for (int count : counts.values()) {
            bits -= count * Math.log((double) count / word.length()) / Math.log(2);
        }
        return bits;
    }
}
