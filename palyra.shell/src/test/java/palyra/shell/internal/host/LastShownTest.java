package palyra.shell.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;

class LastShownTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final LastShown shown = new LastShown(nanos::get);

    private static Principal caller(String id, String credential) {
        return new Principal(id, PrincipalKind.USER, Set.of(), Set.of(), credential);
    }

    @Test
    void eachCallerHasALookOfItsOwn() {
        Principal anna = caller("user:anna", "peer");
        shown.shown(anna, "1");
        shown.shown(caller("user:bob", "peer"), "2");
        shown.shown(caller("user:anna", "token:1"), "3");
        assertEquals(Optional.of("1"), shown.of(anna));
        shown.shown(anna, "4");
        assertEquals(Optional.of("4"), shown.of(anna));
        assertEquals(Optional.empty(), shown.of(caller("user:carol", "peer")));
    }

    @Test
    void aLookIsForgottenAfterAWhile() {
        Principal anna = caller("user:anna", "peer");
        shown.shown(anna, "1");
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(LastShown.MINUTES) - 1);
        assertEquals(Optional.of("1"), shown.of(anna));
        nanos.incrementAndGet();
        assertEquals(Optional.empty(), shown.of(anna));
    }

    @Test
    void callersAreBounded() {
        for (int i = 0; i < 1_001; i++) {
            shown.shown(caller("user:u" + i, "peer"), "x" + i);
        }
        assertEquals(Optional.empty(), shown.of(caller("user:u0", "peer")));
        assertEquals(Optional.of("x1"), shown.of(caller("user:u1", "peer")));
    }
}
