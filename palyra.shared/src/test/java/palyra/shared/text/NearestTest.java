package palyra.shared.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NearestTest {
    private static Optional<String> near(String given, String... candidates) {
        return Nearest.to(given, List.of(candidates));
    }

    @Test
    void findsWhatIsFewEditsAwayAndNothingElse() {
        assertEquals(Optional.of("tape"), near("taep", "tape", "runs"));
        assertEquals(Optional.of("status"), near("stat", "status", "stop"));
        assertEquals(Optional.of("principal"), near("principle", "agent", "principal"));
        assertEquals(Optional.empty(), near("xyzzy", "tape", "runs"));
        assertEquals(Optional.empty(), near("ps", "lb", "ls0"));
        assertEquals(Optional.empty(), near("", "tape"));
    }

    @Test
    void findsANameByItsLastWord() {
        assertEquals(Optional.of("palyra.echo"), near("echo", "palyra.sleep", "palyra.echo"));
        assertEquals(Optional.empty(), near("fetch", "palyra.sleep", "palyra.echo"));
    }

    @Test
    void takesNoNoteOfCaseAndMarks() {
        assertEquals(Optional.of("max_pages"), near("maxPages", "min_pages", "max_pages"));
    }

    @Test
    void countsInsertDeleteReplaceAndSwap() {
        assertEquals(1, Nearest.distance("ab", "ba"));
        assertEquals(3, Nearest.distance("", "abc"));
        assertEquals(3, Nearest.distance("kitten", "sitting"));
    }

    @Test
    void saysWhatIsMeant() {
        assertEquals("; did you mean --mode?", Nearest.hint("mdoe", List.of("mode"), "--"));
        assertEquals("", Nearest.hint("mode", List.of("page"), "--"));
    }
}
