package palyra.vault.internal.known;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import palyra.api.core.vault.KnownSecrets.Found;
import palyra.api.core.vault.SecretRef;

class KnownValuesTest {
    private static final SecretRef REF = new SecretRef("global", "key");
    private static final String VALUE = "s3cr\"t/välue+with=all\\kinds";

    private final KnownValues known = new KnownValues();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Stream<String> forms() {
        byte[] value = bytes(VALUE);
        Base64.Encoder plain = Base64.getEncoder();
        Base64.Encoder url = Base64.getUrlEncoder();
        return Stream.of(
                VALUE,
                "{\"k\":\"s3cr\\\"t/välue+with=all\\\\kinds\"}",
                HexFormat.of().formatHex(value),
                HexFormat.of().withUpperCase().formatHex(value),
                URLEncoder.encode(VALUE, StandardCharsets.UTF_8),
                plain.encodeToString(value),
                url.withoutPadding().encodeToString(value),
                "Basic " + plain.encodeToString(bytes("user:" + VALUE)),
                "Basic " + plain.encodeToString(bytes("anna:" + VALUE + ":x")),
                "Basic " + url.encodeToString(bytes("ab:" + VALUE + "rest")));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void everyFormOfAValueIsFoundAndAtEverySplitHeldBack(String form) {
        known.put(REF, bytes(VALUE));
        String text = "before " + form + " after";
        List<Found> found = known.find(text);
        assertEquals(1, found.size(), form);
        Found it = found.get(0);
        assertEquals(REF, it.ref());
        for (int split = it.start() + 1; split < it.end(); split++) {
            int safe = known.safeLength(text.substring(0, split));
            assertTrue(safe <= it.start(), form + " split at " + split + ": " + safe);
        }
        known.remove(REF);
        assertEquals(List.of(), known.find(text));
        assertEquals(text.length(), known.safeLength(text));
    }

    @Test
    void shortValuesAreNotLookedForAndOrdinaryTextIsLeftAlone() {
        known.put(REF, bytes("token"));
        known.put(new SecretRef("global", "b"), bytes("1234567\n"));
        assertEquals(List.of(), known.find("the token 1234567 is in here, 1234567"));
        known.put(new SecretRef("global", "c"), bytes("12345678\n"));
        assertEquals(1, known.find("it is 12345678!").size());
        String text = "Nothing of it stands in this line of ordinary text.";
        assertEquals(List.of(), known.find(text));
        assertEquals(text.length(), known.safeLength(text));
    }

    @Test
    void severalValuesAndRepetitionsAreFoundWithoutOverlap() {
        SecretRef longer = new SecretRef("global", "longer");
        known.put(REF, bytes("abcdefghij"));
        known.put(longer, bytes("abcdefghijklmnop"));
        String text = "abcdefghij abcdefghijklmnop abcdefghijabcdefghij";
        List<Found> found = known.find(text);
        assertEquals(List.of(REF, longer, REF, REF), found.stream().map(Found::ref).toList());
        assertEquals(List.of(0, 11, 28, 38), found.stream().map(Found::start).toList());
    }

    @Test
    void aReplacedValueIsForgottenAndASharedOneIsNot() {
        SecretRef other = new SecretRef("global", "other");
        known.put(REF, bytes("the same value"));
        known.put(other, bytes("the same value"));
        known.put(REF, bytes("another value"));
        assertEquals(1, known.find("the same value").size());
        assertEquals(other, known.find("the same value").get(0).ref());
        known.remove(other);
        assertEquals(0, known.find("the same value").size());
        assertEquals(14, known.safeLength("the same value"));
    }

    @Test
    void valuesOfEveryLengthAreFoundAtEveryPlaceOfALongText() {
        Random random = new Random(7);
        List<String> values = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            StringBuilder value = new StringBuilder();
            int length = i == 0 ? 65_536 : 8 + random.nextInt(90);
            for (int j = 0; j < length; j++) {
                value.append((char) ('!' + random.nextInt(90)));
            }
            values.add(value.toString());
            known.put(new SecretRef("global", "k" + i), bytes(value.toString()));
        }
        StringBuilder text = new StringBuilder();
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            text.append(" ".repeat(random.nextInt(3_000)));
            starts.add(text.length());
            text.append(values.get(i % values.size()));
        }
        assertEquals(starts, known.find(text).stream().map(Found::start).toList());
    }

    @Test
    void linesOfTheLogGetNamesInPlaceOfValues() {
        known.put(REF, bytes("abcdefghij"));
        LogRedactor redactor = new LogRedactor(known);
        assertEquals("x [vault:global/key]!", redactor.apply("x abcdefghij!"));
        assertEquals("nothing", redactor.apply("nothing"));
        assertEquals(null, redactor.apply(null));
    }

    @Test
    void fingerprintsOfPartsAreThoseOfTheWhole() {
        Fingerprint fingerprint = new Fingerprint(new java.security.SecureRandom());
        String text = "\uffff\u0000the quick brown fox ".repeat(50);
        for (int from = 0; from < text.length(); from += 13) {
            for (int to = from; to < text.length(); to += 17) {
                long end =
                        fingerprint.end(
                                fingerprint.of(text, 0, to),
                                fingerprint.of(text, 0, from),
                                to - from);
                assertEquals(fingerprint.of(text, from, to), end);
            }
        }
    }
}
