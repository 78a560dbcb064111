package palyra.sandbox.tierc.macos.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import palyra.api.core.access.Confinement.Egress;

/** A change of a profile shows in a review: whole profiles, as sandbox-exec gets them. */
class GoldenProfileTest {
    @Test
    void strictReadingOffline() throws IOException {
        compare("strict-offline", new Specs(), Reading.STRICT, OptionalInt.empty());
    }

    @Test
    void strictReadingWithProxy() throws IOException {
        compare("strict-allowlist", new Specs(), Reading.STRICT, OptionalInt.of(50_000));
    }

    @Test
    void broadReadingWithOpenNetworkAndFurtherFolders() throws IOException {
        Specs specs = new Specs().egress(Egress.NONE);
        specs.readOnlyPaths = List.of("/opt/homebrew");
        compare("broad-open", specs, Reading.BROAD, OptionalInt.empty());
    }

    private static void compare(String name, Specs specs, Reading reading, OptionalInt port)
            throws IOException {
        Profile profile =
                Profile.of(
                        specs.spec(),
                        reading,
                        "/private/var/folders/zz/T/palyra-run-1",
                        Optional.of("/Users/anna/.palyra"),
                        port);
        StringBuilder actual = new StringBuilder(profile.text());
        profile.parameters()
                .forEach((key, value) -> actual.append("; -D" + key + "=" + value + "\n"));
        Path copy = Path.of("target", "golden", name + ".sb");
        Files.createDirectories(copy.getParent());
        Files.writeString(copy, actual); // to be taken over after a change that is meant
        try (InputStream golden =
                GoldenProfileTest.class.getResourceAsStream("golden/" + name + ".sb")) {
            assertEquals(
                    golden == null
                            ? "no golden file"
                            : new String(golden.readAllBytes(), StandardCharsets.UTF_8),
                    actual.toString(),
                    "compare " + copy + " with the golden file");
        }
    }
}
