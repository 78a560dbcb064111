package palyra.sandbox.posix.internal.spawn;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Finds the dialect of {@code /bin/sh} by setting limits and reading them back from the kernel:
 * dash has {@code ulimit -p} for processes, bash {@code -u}, others neither, and the unit of {@code
 * -f} is 512 or 1024 bytes.
 */
public final class ShellProbe {
    /** The shell of all stages. */
    public static final String SHELL = "/bin/sh";

    private static final String LOOK =
            "while read -r l; do case $l in 'Max processes '*|'Max file size '*) echo \"$m $l\";;"
                    + " esac; done </proc/self/limits; ";
    private static final String SCRIPT =
            "echo \"kind ${BASH_VERSION:+bash}\"; m=f; ulimit -S -f 1000; "
                    + LOOK
                    + "(m=p; ulimit -S -p 71 2>/dev/null; "
                    + LOOK
                    + "); (m=u; ulimit -S -u 73 2>/dev/null; "
                    + LOOK
                    + "); exit 0";
    private static final long WAIT_SECONDS = 20;

    private ShellProbe() {}

    /** Probes; takes some milliseconds. */
    public static ShellDialect probe(boolean linux) {
        return linux ? probe(SHELL) : ShellDialect.PORTABLE;
    }

    static ShellDialect probe(String shell) {
        Process process = null;
        try {
            ProcessBuilder builder = new ProcessBuilder(List.of(shell, "-c", SCRIPT));
            builder.environment().clear();
            builder.redirectErrorStream(true);
            process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) {
                return ShellDialect.unusable(shell + " did not answer within 20 seconds.");
            }
            byte[] said = process.getInputStream().readAllBytes();
            return read(shell, new String(said, StandardCharsets.ISO_8859_1));
        } catch (IOException refused) {
            return ShellDialect.unusable(
                    shell + " could not be executed: " + refused.getMessage() + ".");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return ShellDialect.unusable(
                    shell + " was not probed, because the thread was interrupted.");
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }

    static ShellDialect read(String shell, String said) {
        int block = 0;
        String flag = "";
        boolean bash = false;
        for (String line : said.split("\n")) {
            String[] words = line.strip().split("\\s+");
            bash |= line.strip().equals("kind bash");
            if (line.startsWith("f Max file size") && words.length > 4) {
                block = block(words[4]);
            } else if (line.startsWith("p Max processes")
                    && words.length > 3
                    && words[3].equals("71")) {
                flag = "-p";
            } else if (line.startsWith("u Max processes")
                    && words.length > 3
                    && words[3].equals("73")) {
                flag = "-u";
            }
        }
        return block == 0
                ? ShellDialect.unusable(shell + " does not set limits as a POSIX shell does.")
                : new ShellDialect("", flag, block, bash);
    }

    private static int block(String limit) {
        return switch (limit) {
            case "512000" -> 512;
            case "1024000" -> 1024;
            default -> 0;
        };
    }
}
