package palyra.channels.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.channels.internal.Sweeps.Sweep;

class SweepsTest {
    private final List<String> done = new ArrayList<>();

    private Sweep good(String name) {
        return new Sweep(name, () -> done.add(name));
    }

    @Test
    void oneThatFailsLeavesTheOthersAlone() {
        Sweep corrupt =
                new Sweep(
                        "Cards",
                        () -> {
                            throw new PalyraException(ErrorCode.CORRUPT, "It cannot be read.");
                        });
        new Sweeps(List.of(good("a"), corrupt, good("b"))).run();
        assertEquals(List.of("a", "b"), done);
    }

    @Test
    void aDefectIsSeenAfterTheOthersWereDone() {
        Sweep defect =
                new Sweep(
                        "Cards",
                        () -> {
                            throw new IllegalStateException("a defect");
                        });
        Sweeps sweeps = new Sweeps(List.of(defect, good("a")));
        assertThrows(IllegalStateException.class, sweeps::run);
        assertEquals(List.of("a"), done);
    }
}
