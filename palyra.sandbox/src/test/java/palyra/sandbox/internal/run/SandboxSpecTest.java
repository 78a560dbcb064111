package palyra.sandbox.internal.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Which programs a specification takes: absolute ones, as each kind of host writes them. */
class SandboxSpecTest {
    private static List<String> argv(String program) {
        return Specs.call("a", Path.of("/w")).argv(List.of(program)).build().argv();
    }

    @Test
    void absoluteProgramsOfEveryHostAreTaken() {
        for (String program :
                List.of("/bin/true", "C:\\Program Files\\a b\\x.exe", "d:/x.exe", "/C:/x.exe")) {
            assertEquals(List.of(program), argv(program));
        }
    }

    @Test
    void whatIsLookedUpElsewhereIsRefused() {
        for (String program :
                List.of("true", "./true", "C:", "C:\\", "C:x.exe", "CC:\\x", "\\\\host\\x", "")) {
            PalyraException refused =
                    assertThrows(PalyraException.class, () -> argv(program), program);
            assertEquals(ErrorCode.INVALID_ARGUMENT, refused.code());
        }
    }
}
