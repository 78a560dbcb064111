package palyra.sandbox.posix.internal.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;

class StageTest {
    private static final ShellDialect DASH = new ShellDialect("", "-p", 512, false);
    private static final ShellDialect BASH = new ShellDialect("", "-u", 1024, true);
    private static final Rlimits ALL = new Rlimits(5, 1 << 20, 4096, 64, 100);

    private static Stage stage(ShellDialect shell, Rlimits limits) {
        return Stage.of(shell, limits, limit -> -1, List.of(9, 8), 7, 0);
    }

    @Test
    void theScriptIsWhatWasMeasured() {
        Stage stage = stage(DASH, ALL);
        long secret = stage.secret() >> 10;
        assertEquals(
                "trap 'ulimit -S -d "
                        + secret
                        + "' EXIT; unset PWD OLDPWD SHLVL; echo $$ >&9 || exit 122; echo $$ >&8"
                        + " || exit 122; IFS= read -r go <&7 || exit 123; [ \"$go\" = go ] ||"
                        + " exit 123; exec 7<&-; exec 9>&-; exec 8>&-; ulimit -c 0 || exit 121;"
                        + " ulimit -S -t 5 || exit 121; ulimit -H -t 6 || exit 121; ulimit -f 8"
                        + " || exit 121; ulimit -p 100 || exit 121; ulimit -n 64 || exit 121;"
                        + " ulimit -v 1024 || exit 121; exec \"$@\"; code=$?; ulimit -S -d "
                        + secret
                        + "; exit $code",
                stage.script());
    }

    @Test
    void eachShellIsSpokenToInItsDialect() {
        String script = stage(BASH, ALL).script();
        assertTrue(script.contains("shopt -s execfail; "));
        assertTrue(script.contains("ulimit -u 100 "));
        assertTrue(script.contains("ulimit -f 4 "));
    }

    @Test
    void aShellThatCannotLimitProcessesRefusesThatLimitOnly() {
        ShellDialect neither = new ShellDialect("", "", 512, false);
        PalyraException refused = assertThrows(PalyraException.class, () -> stage(neither, ALL));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        assertTrue(stage(neither, new Rlimits(5, 0, 0, 64, 0)).script().contains("ulimit -n 64 "));
    }

    @Test
    void theSecretIsAnotherEachTimeAndFitsTheHardLimit() {
        assertNotEquals(stage(DASH, ALL).secret(), stage(DASH, ALL).secret());
        for (int i = 0; i < 1000; i++) {
            Stage small = Stage.of(DASH, ALL, limit -> 1 << 20, List.of(), -1, 0);
            assertTrue(small.secret() > 0 && small.secret() < 1 << 20);
        }
    }

    @Test
    void onlyTheSecretIsAFailure() {
        Stage stage = stage(DASH, ALL);
        String line = "Max data size             %s            unlimited            bytes\n";
        assertTrue(stage.failed("Limit\n" + line.formatted(stage.secret())));
        assertFalse(stage.failed(line.formatted("unlimited")));
        assertFalse(stage.failed(line.formatted(stage.secret() + 1024)));
        assertFalse(stage.failed(line.formatted("unlimited") + "Max x " + stage.secret() + " x"));
    }

    @Test
    void aShellThatIsNoneIsUnusable() {
        for (String shell : List.of("/nowhere/sh", "/bin/true", "/bin/false", "/bin/cat")) {
            ShellDialect dialect = ShellProbe.probe(shell);
            assertFalse(dialect.usable(), shell);
            assertTrue(dialect.problem().contains(shell));
        }
    }

    @Test
    void busyboxHasNoOptionForProcesses() {
        String said =
                "kind \nf Max file size             512000               unlimited  bytes\n"
                        + "p Max processes             unlimited            unlimited  processes\n";
        assertEquals(new ShellDialect("", "", 512, false), ShellProbe.read("/bin/sh", said));
    }
}
