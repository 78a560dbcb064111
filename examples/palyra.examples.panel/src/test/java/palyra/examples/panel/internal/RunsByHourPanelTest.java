package palyra.examples.panel.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.console.Block;
import palyra.api.console.PanelPage;
import palyra.api.console.PanelRequest;
import palyra.api.console.PanelSubmission;
import palyra.api.run.AppendedEvent;
import palyra.api.run.Runs;

class RunsByHourPanelTest {
    private static final Principal ANN =
            new Principal("user:ann", PrincipalKind.USER, Set.of("viewer"), Set.of(), "test");

    private final List<String> notes = new ArrayList<>();
    private final RunsByHourPanel panel = new RunsByHourPanel(runs());

    /** Answers the two calls of the panel: no runs, and an event that is kept. */
    private Runs runs() {
        return (Runs)
                Proxy.newProxyInstance(
                        Runs.class.getClassLoader(),
                        new Class<?>[] {Runs.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "runs" -> List.of();
                                    case "appendEvent" -> {
                                        notes.add(arguments[1] + " " + arguments[4]);
                                        yield new AppendedEvent(
                                                "01ARZ3NDEKTSV4RRFFQ69G5FAV", true, 7);
                                    }
                                    default -> throw new AssertionError(method.getName());
                                });
    }

    private static Permit permit(String action) {
        return new Permit(
                "01ARZ3NDEKTSV4RRFFQ69G5FAV",
                ANN,
                action,
                "",
                DecisionSource.POLICY,
                "test",
                System.currentTimeMillis());
    }

    @Test
    void saysWhatToDoWhileThereIsNoRun() {
        PanelPage page = panel.show(new PanelRequest(ANN, permit("run.list"), "", Map.of()));
        Block.Table table = (Block.Table) page.blocks().get(1);
        assertTrue(table.rows().isEmpty());
        assertTrue(table.empty().contains("write to an agent"), table.empty());
    }

    @Test
    void appendsTheNoteAsOneJsonString() {
        panel.submit(
                new PanelSubmission(
                        ANN,
                        permit("event.append"),
                        "",
                        "note",
                        Map.of("run", "01RUN", "text", "say \"yes\"\n")));
        assertEquals(List.of("01RUN \"say \\u0022yes\\u0022\\u000a\""), notes);
    }
}
