package palyra.console.internal.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class CommandWordsTest {
    @Test
    void takesNothingThatAPersonTypedForAnOption() {
        assertEquals(
                List.of(
                        "approvals",
                        "decide",
                        "--json",
                        "--deny",
                        "--reason=--allow",
                        "--",
                        "--allow"),
                CommandWords.of("approvals decide")
                        .flag("deny")
                        .option("reason", "--allow")
                        .option("for", "")
                        .argument("--allow")
                        .argument("")
                        .argv());
    }
}
