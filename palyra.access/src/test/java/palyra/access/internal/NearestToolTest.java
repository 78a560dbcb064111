package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestToolTest {
    private static final List<String> TOOLS =
            List.of("palyra.process.start", "palyra.process.shell", "palyra.fs.read_file");

    @Test
    void aToolIsFoundByItsLastWordAndByFewEdits() {
        for (String given :
                List.of("palyra.process.bash", "shell", "bash", "palyra.proces.shell")) {
            assertEquals(
                    " (did you mean palyra.process.shell?)", NearestTool.hint(given, TOOLS), given);
        }
        assertEquals(" (did you mean palyra.fs.read_file?)", NearestTool.hint("read_file", TOOLS));
        assertEquals("", NearestTool.hint("weather", TOOLS));
        assertEquals("", NearestTool.hint("bash", List.of("palyra.fs.read_file")));
    }
}
