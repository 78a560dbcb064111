package palyra.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ArchiveTest {
    private static List<String> tar(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("tar"));
        command.addAll(List.of(arguments));
        Process tar = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> lines = new String(tar.getInputStream().readAllBytes()).lines().toList();
        assertTrue(tar.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, tar.exitValue(), String.join("\n", lines));
        return lines;
    }

    @Test
    void packsTheWholeFolderUnderOneName() throws Exception {
        String base = "palyra/";
        Set<String> packed = new TreeSet<>();
        for (String entry : tar("-tzf", Product.archive().toString())) {
            assertTrue(entry.startsWith(base), entry);
            if (!entry.endsWith("/")) {
                packed.add(entry.substring(base.length()));
            }
        }
        Set<String> folder = new TreeSet<>();
        try (var files = Files.walk(Product.folder())) {
            files.filter(Files::isRegularFile)
                    .forEach(file -> folder.add(Product.folder().relativize(file).toString()));
        }
        assertEquals(folder, packed);
    }

    @Test
    void carriesOneTimeStampAndModesThatAnInstallationWants() throws Exception {
        Set<String> stamps = new TreeSet<>();
        Set<String> executable = new TreeSet<>();
        for (String line : tar("--utc", "--full-time", "-tvzf", Product.archive().toString())) {
            String[] words = line.split("\\s+", 6);
            stamps.add(words[3] + " " + words[4]);
            assertTrue(words[0].matches("(d|-)rw[-x]r-[-x]r-[-x]"), line);
            if (words[0].startsWith("-rwx")) {
                executable.add(Path.of(words[5]).getFileName().toString());
            }
        }
        assertEquals(Set.of("2026-11-22 00:00:00"), stamps);
        assertEquals(Set.of("palyra", "demo-approvals.sh", "mvnw"), executable);
    }
}
