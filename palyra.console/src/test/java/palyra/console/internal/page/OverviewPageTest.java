package palyra.console.internal.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.command.CommandResult;
import palyra.api.core.command.CommandRunner;
import palyra.console.internal.command.Commands;
import palyra.shared.gate.Gate;

/** What a person may not see is no good news, and is not asked for again and again. */
class OverviewPageTest {
    private static final Principal VERA =
            new Principal("user:vera", PrincipalKind.USER, Set.of("viewer"), Set.of(), "s");

    private final List<String> asked = new ArrayList<>();
    private final Set<String> denied = new HashSet<>(Set.of("doctor", "approvals list"));
    private final AtomicLong nanos = new AtomicLong();
    private OverviewPage page;

    @BeforeEach
    void open() {
        Gate<CommandRunner> gate = new Gate<>("The shell", ErrorCode.GATEWAY_UNAVAILABLE, 1_000);
        gate.add(this::start, Map.of());
        page = new OverviewPage(new Commands(gate), nanos::get);
    }

    private CommandRunner.CommandExecution start(
            Principal caller, List<String> argv, byte[] input, CommandRunner.Limits limits) {
        String line = String.join(" ", argv);
        asked.add(line);
        boolean refused = denied.stream().anyMatch(line::startsWith);
        CommandResult result =
                refused
                        ? new CommandResult(
                                77,
                                new byte[0],
                                "{\"error\":{\"code\":\"DENIED\",\"message\":\"no policy permits\"}}",
                                false)
                        : new CommandResult(0, "[]".getBytes(StandardCharsets.UTF_8), "", false);
        return new CommandRunner.CommandExecution() {
            @Override
            public CommandResult await() {
                return result;
            }

            @Override
            public void stop() {}
        };
    }

    private long times(String command) {
        return asked.stream().filter(line -> line.startsWith(command)).count();
    }

    @Test
    void whatIsDeniedIsLeftOutAndAskedForOnceAMinute() {
        OverviewPage.View first = page.view(VERA);
        assertNull(first.findings(), "nothing is said about what the doctor finds");
        assertNull(first.approvals());
        assertNotNull(first.runs());
        assertEquals(List.of(), first.problems());
        page.view(VERA);
        assertEquals(1, times("doctor"));
        assertEquals(2, times("runs"));
        denied.clear();
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        assertEquals(List.of(), page.view(VERA).findings());
        assertEquals(2, times("doctor"));
    }
}
