package palyra.sandbox.posix.internal.supervise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What is beneath a root by name, and which paths are other names of descriptors. */
class RootsTest {
    @Test
    void onlyWholeNamesCount() {
        for (String inside : List.of("/w", "/w/a", "/w/a/b", "/w/a (deleted)", "/w/...")) {
            assertTrue(Roots.beneath(inside, "/w"), inside);
        }
        for (String outside :
                List.of("", "/", "/w2", "/w2/a", "/wa", "w", "w/a", "/v/w/a", "pipe:[1]", "/w\n")) {
            assertFalse(Roots.beneath(outside, "/w"), outside);
        }
        assertTrue(Roots.beneath("/etc/passwd", "/"));
        assertFalse(Roots.beneath("memfd:x", "/"));
    }

    @Test
    void nothingIsBeneathWhatHasNoNameOrWasDeleted() {
        assertFalse(Roots.beneath("/w/a", ""));
        assertFalse(Roots.beneath("/a", "(unreachable)/"));
        assertFalse(Roots.beneath("/w (deleted)", "/w (deleted)"));
        assertFalse(Roots.beneath("/w (deleted)/secret", "/w (deleted)"));
    }

    @Test
    void onlyTheCallersOwnDescriptorsAreReachedThroughProc() {
        for (String own :
                List.of(
                        "/proc/self/fd/7",
                        "/proc/thread-self/fd/7",
                        "/proc/41/fd/7",
                        "/proc/41/task/42/fd/7")) {
            assertEquals(OptionalInt.of(7), descriptor(own), own);
        }
        for (String other :
                List.of(
                        "/proc/1/fd/7",
                        "/proc/self/fd/7/",
                        "/proc/self/fd/7/file",
                        "/proc/self/fd/-1",
                        "/proc/self/fd/",
                        "/proc/self/fd/99999999999",
                        "//proc/self/fd/7",
                        "/proc/self/../41/fd/7",
                        "/proc/self/task/42/fd/7",
                        "/proc/self/cwd",
                        "/dev/fd/7",
                        "proc/self/fd/7",
                        "/proc/self/fd/7\n")) {
            assertEquals(OptionalInt.empty(), descriptor(other), other);
        }
    }

    private static OptionalInt descriptor(String path) {
        return CallerPath.descriptor(
                path.getBytes(StandardCharsets.ISO_8859_1), process -> process == 41);
    }
}
