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
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.core.vault.KnownSecrets.Found;
import palyra.api.core.vault.SecretReach;
import palyra.api.core.vault.SecretRef;

class KnownValuesTest {
    private static final SecretRef REF = new SecretRef("global", "key");
    private static final String VALUE = "s3cR\"t/v4lüe+w1th=aLl\\k1nds";

    private static final SecretReach GLOBAL = SecretReach.of("global");

    private final KnownValues known = new KnownValues();

    private List<Found> find(CharSequence text) {
        return known.find(text, GLOBAL);
    }

    private int safeLength(String text) {
        return known.safeLength(text, GLOBAL);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Stream<String> forms() {
        byte[] value = bytes(VALUE);
        Base64.Encoder plain = Base64.getEncoder();
        Base64.Encoder url = Base64.getUrlEncoder();
        return Stream.of(
                VALUE,
                "{\"k\":\"s3cR\\\"t/v4lüe+w1th=aLl\\\\k1nds\"}",
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
        List<Found> found = find(text);
        assertEquals(1, found.size(), form);
        Found it = found.get(0);
        assertEquals(REF, it.ref());
        for (int split = it.start() + 1; split < it.end(); split++) {
            int safe = safeLength(text.substring(0, split));
            assertTrue(safe <= it.start(), form + " split at " + split + ": " + safe);
        }
        known.remove(REF);
        assertEquals(List.of(), find(text));
        assertEquals(text.length(), safeLength(text));
    }

    @Test
    void shortValuesAreNotLookedForAndOrdinaryTextIsLeftAlone() {
        known.put(REF, bytes("token"));
        known.put(new SecretRef("global", "b"), bytes("1x3y5z7w9v0\n"));
        assertEquals(List.of(), find("the token 1x3y5z7w9v0 is in here, 1x3y5z7w9v0"));
        known.put(new SecretRef("global", "c"), bytes("1x3y5z7w9v0u\n"));
        assertEquals(1, find("it is 1x3y5z7w9v0u!").size());
        String text = "Nothing of it stands in this line of ordinary text.";
        assertEquals(List.of(), find(text));
        assertEquals(text.length(), safeLength(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://",
                "--file=evil.mk",
                "--file=./evil.mk",
                "--file=evil-makefile.mk",
                "https://example.com/",
                "/usr/local/bin/python",
                "aaaaaaaaaaaaaaaaaaaaaaaa",
                "0000000000000001",
                "delete everything"
            })
    void hidesNoOrdinaryTextThatIsKeptAsASecret(String value) {
        known.put(REF, bytes(value));
        String text = "make " + value + " all";
        assertEquals(List.of(), find(text));
        assertEquals(text.length(), safeLength(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9f86d081884c7d65",
                "x#9Kp!2$mQ&7vL@4",
                "mF_9.B5f-4.1JqM",
                "AKIA7QZ3MWX5LDKE2RTB",
                "hunter2-Xk49-blue-Qp"
            })
    void looksForWhatIsRandomEnough(String value) {
        known.put(REF, bytes(value));
        assertEquals(1, find("it is " + value + "!").size());
    }

    @Test
    void findsNothingOfAScopeBeyondTheReach() {
        SecretRef bob = new SecretRef("principal:user:bob", "token");
        known.put(REF, bytes("a1b2c3d4e5f6"));
        known.put(bob, bytes("z9y8x7w6v5u4t3"));
        String text = "a1b2c3d4e5f6 z9y8x7w6v5u4t3";
        SecretReach alice = SecretReach.of("principal:user:alice");
        assertEquals(List.of(), known.find(text, alice));
        assertEquals(4, known.safeLength("z9y8", alice));
        assertEquals(0, known.safeLength("z9y8", SecretReach.of(bob.scope())));
        assertEquals(List.of(REF), refs(known.find(text, GLOBAL)));
        assertEquals(
                List.of(REF, bob), refs(known.find(text, SecretReach.of("global", bob.scope()))));
        assertEquals(List.of(bob), refs(known.find(text, alice.with(List.of(bob)))));
        assertEquals(
                List.of(), refs(known.find(text, alice.with(List.of(bob)).without(bob.scope()))));
        known.remove(bob);
        assertEquals(List.of(), known.find(text, SecretReach.of(bob.scope())));
    }

    @Test
    void worksTheSameOnATextWhateverScopesBeyondTheReachHold() {
        String text = "candidate z9y8x7w6v5u4t3 and z9y8x7w6v5u4t3 again";
        SecretReach alice = SecretReach.of("principal:user:alice");
        known.put(new SecretRef("principal:user:alice", "own"), bytes("a1b2c3d4e5f6"));
        long without = charactersRead(text, alice);
        known.put(new SecretRef("principal:user:bob", "token"), bytes("z9y8x7w6v5u4t3"));
        assertEquals(without, charactersRead(text, alice));
        assertTrue(charactersRead(text, SecretReach.of("principal:user:bob")) > without);
    }

    /** Counts how often a search looks at a character: a match is confirmed by reading it again. */
    private long charactersRead(String text, SecretReach reach) {
        AtomicLong reads = new AtomicLong();
        CharSequence counted =
                new CharSequence() {
                    @Override
                    public int length() {
                        return text.length();
                    }

                    @Override
                    public char charAt(int index) {
                        reads.incrementAndGet();
                        return text.charAt(index);
                    }

                    @Override
                    public CharSequence subSequence(int start, int end) {
                        return text.subSequence(start, end);
                    }

                    @Override
                    public String toString() {
                        return text;
                    }
                };
        known.find(counted, reach);
        known.safeLength(counted, reach);
        return reads.get();
    }

    private static List<SecretRef> refs(List<Found> found) {
        return found.stream().map(Found::ref).toList();
    }

    @Test
    void severalValuesAndRepetitionsAreFoundWithoutOverlap() {
        SecretRef longer = new SecretRef("global", "longer");
        known.put(REF, bytes("a1b2c3d4e5f6"));
        known.put(longer, bytes("a1b2c3d4e5f6g7h8"));
        String text = "a1b2c3d4e5f6 a1b2c3d4e5f6g7h8 a1b2c3d4e5f6a1b2c3d4e5f6";
        List<Found> found = find(text);
        assertEquals(List.of(REF, longer, REF, REF), found.stream().map(Found::ref).toList());
        assertEquals(List.of(0, 13, 30, 42), found.stream().map(Found::start).toList());
    }

    @Test
    void aReplacedValueIsForgottenAndASharedOneIsNot() {
        SecretRef other = new SecretRef("global", "other");
        known.put(REF, bytes("tHe5aMev4Lue9x"));
        known.put(other, bytes("tHe5aMev4Lue9x"));
        known.put(REF, bytes("aN0therV4lue7q"));
        assertEquals(1, find("tHe5aMev4Lue9x").size());
        assertEquals(other, find("tHe5aMev4Lue9x").get(0).ref());
        known.remove(other);
        assertEquals(0, find("tHe5aMev4Lue9x").size());
        assertEquals(14, safeLength("tHe5aMev4Lue9x"));
    }

    @Test
    void valuesOfEveryLengthAreFoundAtEveryPlaceOfALongText() {
        Random random = new Random(7);
        List<String> values = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            StringBuilder value = new StringBuilder();
            int length = i == 0 ? 65_536 : 16 + random.nextInt(90);
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
        assertEquals(starts, find(text).stream().map(Found::start).toList());
    }

    @Test
    void linesOfTheLogGetNamesInPlaceOfValues() {
        known.put(REF, bytes("a1b2c3d4e5f6"));
        LogRedactor redactor = new LogRedactor(known);
        assertEquals("x [vault:global/key]!", redactor.apply("x a1b2c3d4e5f6!"));
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
