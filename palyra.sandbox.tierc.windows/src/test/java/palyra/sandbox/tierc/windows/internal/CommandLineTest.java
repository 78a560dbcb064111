package palyra.sandbox.tierc.windows.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

class CommandLineTest {
    private static final String PROGRAM = "C:\\Program Files\\a tool\\x.exe";

    /**
     * Takes a command line apart as CommandLineToArgvW does ("CommandLineToArgvW function",
     * Microsoft): 2n backslashes and a quotation mark are n backslashes and a switch, 2n+1 are n
     * and a quotation mark, others are themselves; in quotes a doubled mark is one and ends them.
     */
    private static List<String> split(String line) {
        List<String> arguments = new ArrayList<>();
        int at;
        if (line.startsWith("\"")) {
            at = line.indexOf('"', 1);
            arguments.add(line.substring(1, at));
            at++;
        } else {
            at = line.indexOf(' ');
            arguments.add(line.substring(0, at));
        }
        while (true) {
            while (at < line.length() && (line.charAt(at) == ' ' || line.charAt(at) == '\t')) {
                at++;
            }
            if (at == line.length()) {
                return arguments;
            }
            StringBuilder argument = new StringBuilder();
            boolean quoted = false;
            while (at < line.length()) {
                int backslashes = 0;
                while (at < line.length() && line.charAt(at) == '\\') {
                    backslashes++;
                    at++;
                }
                if (at < line.length() && line.charAt(at) == '"') {
                    argument.append("\\".repeat(backslashes / 2));
                    if (backslashes % 2 == 1) {
                        argument.append('"');
                    } else if (quoted && at + 1 < line.length() && line.charAt(at + 1) == '"') {
                        argument.append('"');
                        at++;
                        quoted = false;
                    } else {
                        quoted = !quoted;
                    }
                    at++;
                    continue;
                }
                argument.append("\\".repeat(backslashes));
                if (at < line.length()
                        && !quoted
                        && (line.charAt(at) == ' ' || line.charAt(at) == '\t')) {
                    break;
                }
                if (at < line.length()) {
                    argument.append(line.charAt(at++));
                }
            }
            arguments.add(argument.toString());
        }
    }

    @Test
    void takesLinesApartAsTheManualSays() {
        assertEquals(List.of("a", "abc", "d", "e"), split("a \"abc\" d e"));
        assertEquals(List.of("a", "a\\\\b", "de fg", "h"), split("a a\\\\b d\"e f\"g h"));
        assertEquals(List.of("a", "a\\\"b", "c", "d"), split("a a\\\\\\\"b c d"));
        assertEquals(List.of("a", "a\\\\b c", "d", "e"), split("a a\\\\\\\\\"b c\" d e"));
    }

    @Test
    void argumentsArriveAsTheyWere() {
        List<String> odd =
                List.of(
                        "",
                        " ",
                        "\"",
                        "\\",
                        "\\\"",
                        "\\\\\" x",
                        "a\\",
                        "a b\\",
                        "C:\\x\\",
                        "%PATH%",
                        "&calc",
                        "| dir",
                        "^",
                        "$(id)",
                        "a\nb",
                        "é",
                        "\uD83D\uDE00",
                        "-x=\"y z\"");
        List<String> expected = new ArrayList<>(odd);
        expected.add(0, PROGRAM);
        assertEquals(expected, split(CommandLine.of(PROGRAM, odd)));
    }

    @Test
    void randomArgumentsArriveAsTheyWere() {
        Random random = new Random(7);
        char[] letters = {'a', '"', '\\', ' ', '\t', '\'', '\n', 'é', '%'};
        for (int round = 0; round < 20_000; round++) {
            List<String> arguments = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                StringBuilder argument = new StringBuilder();
                for (int j = random.nextInt(8); j > 0; j--) {
                    argument.append(letters[random.nextInt(letters.length)]);
                }
                arguments.add(argument.toString());
            }
            String line = CommandLine.of(PROGRAM, arguments);
            assertEquals(arguments, split(line).subList(1, arguments.size() + 1), line);
        }
    }

    @Test
    void refusesWhatALineCannotSay() {
        refused(() -> CommandLine.of("C:\\a\"b.exe", List.of()));
        refused(() -> CommandLine.of(PROGRAM, List.of("a\0b")));
        refused(() -> CommandLine.of(PROGRAM, List.of("x".repeat(32_767))));
        CommandLine.of(PROGRAM, List.of("x".repeat(32_000)));
    }

    @Test
    void environmentIsSortedAndEndsTwice() {
        assertEquals(
                "a=1\0B=\0PATH=C:\\W\0z=ü\0\0",
                EnvironmentBlock.of(
                        Map.of("z", "ü", "B", "", "a", "1", "Path", "evil"),
                        Map.of("PATH", "C:\\W")));
        assertEquals("\0\0", EnvironmentBlock.of(Map.of(), Map.of()));
        refused(() -> EnvironmentBlock.of(Map.of("A=B", "x"), Map.of()));
        refused(() -> EnvironmentBlock.of(Map.of("", "x"), Map.of()));
        refused(() -> EnvironmentBlock.of(Map.of("A", "x\0PATH=y"), Map.of()));
    }

    @Test
    void pathsHaveOneNameOnADrive() {
        assertEquals("C:\\tools\\a.exe", WindowsPaths.program("/C:/tools/a.exe"));
        assertEquals("d:\\x\\A.EXE", WindowsPaths.program("d:\\x\\A.EXE"));
        for (String path :
                List.of(
                        "/usr/bin/ls",
                        "C:relative",
                        "/C:/",
                        "//server/share/a.exe",
                        "\\\\?\\C:\\a.exe",
                        "/C:/a/../b.exe",
                        "/C:/a./b.exe",
                        "/C:/a /b.exe",
                        "/C:/a//b.exe",
                        "/C:/x.bat:y.exe",
                        "/C:/nul/b.exe",
                        "/C:/con.txt/b.exe",
                        "/C:/COM1.exe",
                        "/C:/a\"b.exe",
                        "/C:/a*.exe",
                        "/C:/x.exe ",
                        "/C:/x.exe.")) {
            refused(() -> WindowsPaths.program(path));
        }
    }

    @Test
    void batchFilesAndScriptsAreNoPrograms() {
        for (String path :
                List.of(
                        "/C:/x.bat",
                        "/C:/x.CMD",
                        "/C:/x.com",
                        "/C:/x.ps1",
                        "/C:/x",
                        "/C:/x.exe.bat")) {
            assertEquals(
                    ErrorCode.DENIED,
                    assertThrows(PalyraException.class, () -> WindowsPaths.program(path)).code(),
                    path);
        }
    }

    private static void refused(org.junit.jupiter.api.function.Executable call) {
        assertEquals(ErrorCode.INVALID_ARGUMENT, assertThrows(PalyraException.class, call).code());
    }
}
