package palyra.sandbox.posix.internal.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** What is made, kept and given back. */
class ResourceCacheTest {
    private final List<String> made = new ArrayList<>();
    private final List<String> gone = new ArrayList<>();
    private final ResourceCache<String> cache = new ResourceCache<>(gone::add);

    private ResourceCache.Lease<String> take(String wanted, boolean fresh) {
        return cache.take(
                        one -> one.equals(wanted),
                        one -> fresh,
                        () -> {
                            made.add(wanted);
                            return Optional.of(wanted);
                        })
                .orElseThrow();
    }

    private void use(String wanted) {
        try (ResourceCache.Lease<String> lease = take(wanted, true)) {
            assertEquals(wanted, lease.read(one -> one));
        }
    }

    @Test
    void whatIsWantedAgainIsMadeOnce() {
        use("a");
        use("b");
        use("a");
        assertEquals(List.of("a", "b"), made);
        assertEquals(List.of(), gone);
    }

    @Test
    void whatIsStaleIsMadeAnewAndGivenBackWhenNobodyUsesIt() {
        try (ResourceCache.Lease<String> old = take("a", true);
                ResourceCache.Lease<String> fresh = take("a", false)) {
            assertEquals(old.read(String::length), fresh.read(String::length));
            assertEquals(List.of("a", "a"), made);
            assertEquals(List.of(), gone);
        }
        assertEquals(List.of("a"), gone);
    }

    @Test
    void eightAreKeptAndTheOneWantedLongestAgoGoes() {
        for (String one : List.of("1", "2", "3", "4", "5", "6", "7", "8")) {
            use(one);
        }
        use("1");
        use("9");
        assertEquals(List.of("2"), gone);
        use("1");
        assertEquals(9, made.size());
    }

    @Test
    void whatIsInUseStaysOpenUntilItIsNot() {
        ResourceCache.Lease<String> lease = take("a", true);
        cache.close();
        assertEquals(List.of(), gone);
        lease.close();
        assertEquals(List.of("a"), gone);
        PalyraException refused = assertThrows(PalyraException.class, () -> use("a"));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        assertEquals(List.of("a"), made);
    }

    @Test
    void nothingIsKeptWhenNothingWasMadeOrTheMakerFailed() {
        assertTrue(cache.take(one -> true, one -> true, Optional::empty).isEmpty());
        assertThrows(
                IllegalStateException.class,
                () ->
                        cache.take(
                                one -> true,
                                one -> true,
                                () -> {
                                    throw new IllegalStateException("the kernel refuses");
                                }));
        use("a");
        cache.close();
        assertEquals(List.of("a"), gone);
    }
}
