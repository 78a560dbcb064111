package palyra.shared.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DescriptorsTest {
    @TempDir Path folder;

    @Test
    void readsTheLimitThatIsInForce() throws Exception {
        Path limits = folder.resolve("limits");
        Files.writeString(
                limits,
                """
                Limit                     Soft Limit           Hard Limit           Units
                Max processes             95852                95852                processes
                Max open files            4096                 524288               files
                """);
        assertEquals(OptionalLong.of(4_096), Descriptors.limit(limits));
    }

    @Test
    void knowsNothingWhereTheSystemDoesNotSay() throws Exception {
        assertEquals(OptionalLong.empty(), Descriptors.limit(folder.resolve("none")));
        Path open = folder.resolve("open");
        Files.writeString(
                open, "Max open files            unlimited            unlimited  files\n");
        assertEquals(OptionalLong.empty(), Descriptors.limit(open));
    }

    @Test
    void keepsMoreThanHalfForTheProductsOwnFiles() {
        for (long limit : new long[] {64, 1_024, 20_000, 1_048_576}) {
            long clients = Descriptors.forGrpc(limit) + Descriptors.forHttp(limit);
            assertTrue(clients < limit / 2, limit + " descriptors, " + clients + " for clients");
        }
    }
}
