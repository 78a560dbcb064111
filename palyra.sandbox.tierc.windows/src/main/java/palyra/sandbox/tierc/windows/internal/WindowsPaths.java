package palyra.sandbox.tierc.windows.internal;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * Paths as specifications have them, which begin with a slash, and as Windows has them: {@code
 * /C:/tools/a.exe} is {@code C:\tools\a.exe}. Shares, devices, streams and what Windows silently
 * renames (a dot or a space at the end of a name) are refused: one name for one file.
 */
final class WindowsPaths {
    private static final Pattern DRIVE = Pattern.compile("/?[A-Za-z]:[/\\\\].*", Pattern.DOTALL);
    private static final Pattern ODD = Pattern.compile("[<>:\"|?*\\x00-\\x1f]|[. ]$|^$");
    private static final Set<String> DEVICES =
            Set.of("con", "prn", "aux", "nul", "conin$", "conout$");

    private WindowsPaths() {}

    /** Returns the path as Windows has it; INVALID_ARGUMENT when it is not on a drive. */
    static String of(String path, String what) {
        if (!DRIVE.matcher(path).matches()) {
            throw invalid(path, what, "is no absolute path on a drive, such as /C:/tools/a.exe");
        }
        String plain = (path.startsWith("/") ? path.substring(1) : path).replace('/', '\\');
        String names = plain.substring(3);
        if (names.isEmpty()) {
            throw invalid(path, what, "is a whole drive");
        }
        for (String name : names.split("\\\\", -1)) {
            String stem = name.replaceAll("\\..*", "").strip().toLowerCase(Locale.ROOT);
            if (ODD.matcher(name).find()
                    || DEVICES.contains(stem)
                    || stem.matches("(com|lpt)[0-9¹²³]")) {
                throw invalid(path, what, "has the name '" + name + "', which Windows changes");
            }
        }
        return plain;
    }

    /**
     * Returns the path of a program. Only {@code .exe}: batch files are run by {@code cmd.exe},
     * which takes arguments apart in its own way and would run parts of them.
     */
    static String program(String path) {
        String program = of(path, "program");
        String name = program.toLowerCase(Locale.ROOT);
        if (!name.endsWith(".exe")) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The program "
                            + path
                            + " is no .exe file; batch files and scripts would take arguments for"
                            + " commands. Name their interpreter.");
        }
        return program;
    }

    private static PalyraException invalid(String path, String what, String found) {
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                "The " + what + " '" + path + "' " + found + "; give a plain path.");
    }
}
