package palyra.shared.seccomp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class FiltersTest {
    @Test
    void aFilterIsAssembledOnceAndIsTheOneOfItsProfileAndProcessor() {
        Filters filters = new Filters();
        for (Profile profile : Profile.values()) {
            for (Architecture architecture : Architecture.values()) {
                SeccompFilter filter = filters.of(profile, architecture);
                assertSame(filter, filters.of(profile, architecture));
                assertArrayEquals(SeccompFilter.of(profile, architecture).bytes(), filter.bytes());
            }
        }
    }
}
