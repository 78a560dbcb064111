package palyra.deploy.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PinTest {
    private static final String A = "0123456789abcdef".repeat(4);
    private static final String B = "fedcba9876543210".repeat(4);

    @Test
    void readsLinesWithAndWithoutANote() {
        assertEquals(Optional.of(Pin.ofFile(A)), Pin.parse("sha256:" + A));
        assertEquals(
                Optional.of(Pin.ofFile(A)),
                Pin.parse("  sha256:" + A.toUpperCase(Locale.ROOT) + " x.jar"));
        assertEquals(Optional.of(Pin.ofSigner(B)), Pin.parse("signer:" + B + "\tAcme"));
        assertEquals("signer:" + B, Pin.ofSigner(B).toString());
    }

    @Test
    void trustsNothingThatIsNoPin() {
        for (String bad :
                List.of(
                        "",
                        A,
                        "sha256:",
                        "sha256:" + A.substring(1),
                        "sha256:" + A + "0",
                        "sha256: " + A,
                        "md5:" + A,
                        "sha256:" + A.replace('0', 'g'),
                        "signer:*")) {
            assertEquals(Optional.empty(), Pin.parse(bad), bad);
            PinSet pins = new PinSet(List.of(bad), List.of());
            assertEquals(List.of(), pins.entries(), bad);
            assertEquals(bad.isEmpty() ? List.of() : List.of(bad), pins.unreadable());
            assertTrue(pins.covering(A, Set.of(A)).isEmpty(), bad);
        }
    }

    @Test
    void takesABareDigestAsThatOfAFileOnlyWhenAPersonTypesIt() {
        assertEquals(Optional.of(Pin.ofFile(A)), Pin.parseArgument(A));
        assertEquals(Optional.of(Pin.ofSigner(A)), Pin.parseArgument("signer:" + A));
        assertEquals(Optional.empty(), Pin.parseArgument("acme.jar"));
    }

    @Test
    void aDigestCoversOneFileAndASignerWhateverItSigned() {
        PinSet pins = new PinSet(List.of("sha256:" + A + " the tool", "signer:" + B), List.of());
        assertEquals("the tool", pins.covering(A, Set.of()).orElseThrow().note());
        assertEquals(Pin.ofSigner(B), pins.covering(B, Set.of(B)).orElseThrow().pin());
        assertTrue(pins.covering(B, Set.of()).isEmpty());
        assertTrue(pins.covering(B, Set.of(A)).isEmpty(), "a file's digest is no signer's");
    }

    @Test
    void aPinFromBothSourcesCountsAsConfigured() {
        PinSet.Entry stored = new PinSet.Entry(Pin.ofFile(A), PinSet.Entry.COMMAND, "user:op", "n");
        assertFalse(new PinSet(List.of(), List.of(stored)).entries().get(0).configured());
        assertEquals("command by user:op", stored.origin());
        PinSet both = new PinSet(List.of("sha256:" + A), List.of(stored));
        assertEquals(1, both.entries().size());
        assertTrue(both.covering(A, Set.of()).orElseThrow().configured());
    }
}
