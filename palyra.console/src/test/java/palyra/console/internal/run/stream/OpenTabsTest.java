package palyra.console.internal.run.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

class OpenTabsTest {
    @Test
    void noPrincipalTakesMorePlacesThanThereAre() {
        OpenTabs tabs = new OpenTabs(2, 3);
        tabs.enter("user:ada");
        tabs.enter("user:ada");
        assertRefused(ErrorCode.RESOURCE_EXHAUSTED, tabs, "user:ada");
        tabs.enter("user:bob");
        assertRefused(ErrorCode.RESOURCE_EXHAUSTED, tabs, "user:cyd");
        tabs.leave("user:ada");
        tabs.enter("user:cyd");
        assertEquals(3, tabs.count());
    }

    @Test
    void noneIsOpenedWhileTheConsoleGoes() {
        OpenTabs tabs = new OpenTabs(2, 3);
        tabs.close();
        assertRefused(ErrorCode.GATEWAY_UNAVAILABLE, tabs, "user:ada");
    }

    private static void assertRefused(ErrorCode code, OpenTabs tabs, String principal) {
        PalyraException refusal = assertThrows(PalyraException.class, () -> tabs.enter(principal));
        assertEquals(code, refusal.code());
    }
}
