package palyra.skills.internal.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Two corpora, one text a line (with backslash n for a line end): each line of each is looked at.
 */
class SuspiciousTextTest {
    private static List<String> lines(String file) throws IOException {
        try (InputStream in = SuspiciousTextTest.class.getResourceAsStream(file)) {
            return Arrays.stream(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n"))
                    .filter(line -> !line.isBlank())
                    .map(line -> line.replace("\\n", "\n"))
                    .toList();
        }
    }

    @Test
    void findsEveryInstructionToDownloadAndRun() throws Exception {
        List<String> lines = lines("suspicious.txt");
        assertTrue(lines.size() >= 40, "only " + lines.size());
        for (String line : lines) {
            assertTrue(SuspiciousText.find("Before. " + line + " After.").isPresent(), line);
        }
    }

    @Test
    void ordinaryTextPasses() throws Exception {
        List<String> lines = lines("ordinary.txt");
        assertTrue(lines.size() >= 40, "only " + lines.size());
        for (String line : lines) {
            assertEquals(Optional.empty(), SuspiciousText.find(line), line);
        }
    }

    @Test
    void longTextIsReadInLinearTime() {
        String bad = "curl ".repeat(200_000) + "|".repeat(1_000) + "base64 -d ".repeat(100_000);
        SuspiciousText.find(bad);
        SuspiciousText.find("a".repeat(2_000_000));
    }
}
