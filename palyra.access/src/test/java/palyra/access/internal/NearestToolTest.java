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
        assertEquals(" (did you mean palyra.process.shell?)", NearestTool.hint("Bash", TOOLS));
        List<String> editor = List.of("palyra.fs.edit_file", "palyra.fs.read_file");
        for (String given : List.of("str_replace_editor", "str_replace_based_edit_tool", "Edit")) {
            assertEquals(
                    " (did you mean palyra.fs.edit_file?)", NearestTool.hint(given, editor), given);
        }
        assertEquals(
                " (did you mean acme.ls?)",
                NearestTool.hint("ls", List.of("palyra.fs.list_dir", "acme.ls")));
        assertEquals("", NearestTool.hint("bash", List.of("palyra.fs.read_file")));
    }
}
