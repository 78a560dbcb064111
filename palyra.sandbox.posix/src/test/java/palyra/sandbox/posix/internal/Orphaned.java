package palyra.sandbox.posix.internal;

import java.nio.file.Files;

/** A gateway that starts a command with daemons and then dies without a word. */
public final class Orphaned {
    private Orphaned() {}

    public static void main(String[] seconds) throws Exception {
        Bench bench = new Bench();
        String sleep = "sleep " + seconds[0];
        bench.launch(
                bench.sh("(setsid " + sleep + " & ); echo up >up; " + sleep).group(0, 20, false));
        bench.awaitFile("up");
        Files.delete(bench.workspace.resolve("up"));
        Files.delete(bench.workspace);
        Runtime.getRuntime().halt(137);
    }
}
