package palyra.shared.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;

class UlidsTest {
    @Test
    void idsRiseStrictlyAndAreWellFormed() {
        Ulids ids = new Ulids();
        String before = "";
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            String id = ids.next();
            assertTrue(id.compareTo(before) > 0);
            assertTrue(Ulids.isUlid(id), id);
            assertTrue(seen.add(id));
            before = id;
        }
    }

    @Test
    void refusesWhatIsNoUlid() {
        for (String bad :
                new String[] {
                    null,
                    "",
                    "01J",
                    "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
                    "01j00000000000000000000000",
                    "01I00000000000000000000000"
                }) {
            assertFalse(Ulids.isUlid(bad));
            assertThrows(PalyraException.class, () -> Ulids.require(bad, "the run"));
        }
        assertEquals(
                "01J00000000000000000000000",
                Ulids.require("01J00000000000000000000000", "the run"));
    }
}
