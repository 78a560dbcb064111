package palyra.console.internal.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.access.Principal;
import palyra.api.core.command.CommandResult;
import palyra.api.core.command.CommandRunner;
import palyra.api.core.policy.Policies;
import palyra.console.internal.command.Commands;
import palyra.console.internal.fakes.FakeExchange;
import palyra.console.internal.fakes.TestConsole;
import palyra.shared.gate.Gate;

/** Two people edit one file: neither undoes what the other did without having seen it. */
class PolicyEditorTest {
    private static final String FILE = "team.cedar";
    private static final String EDIT = "/console/policies/edit";

    private final Map<String, String> inForce = new TreeMap<>(Map.of(FILE, "first"));
    private final List<String> asked = new ArrayList<>();
    private final TestConsole console =
            new TestConsole(
                    (seams, router) -> {
                        Gate<CommandRunner> shell =
                                new Gate<>("The shell", ErrorCode.GATEWAY_UNAVAILABLE, 1_000);
                        shell.add(this::start, Map.of());
                        Gate<Policies> policies =
                                new Gate<>("The policies", ErrorCode.POLICY_UNAVAILABLE, 1_000);
                        policies.add(withTexts(), Map.of());
                        new PolicyEditor(new Commands(shell), policies).routes(router);
                    });

    private Policies withTexts() {
        return (Policies)
                Proxy.newProxyInstance(
                        Policies.class.getClassLoader(),
                        new Class<?>[] {Policies.class},
                        (proxy, called, arguments) ->
                                switch (called.getName()) {
                                    case "texts" ->
                                            inForce.entrySet().stream()
                                                    .map(
                                                            file ->
                                                                    new Policies.PolicyText(
                                                                            file.getKey(),
                                                                            file.getValue()))
                                                    .toList();
                                    case "hashCode" -> System.identityHashCode(proxy);
                                    case "equals" -> proxy == arguments[0];
                                    case "toString" -> "policies";
                                    default -> throw new AssertionError(called.getName());
                                });
    }

    private CommandRunner.CommandExecution start(
            Principal caller, List<String> argv, byte[] input, CommandRunner.Limits limits) {
        asked.add(argv.get(1));
        return new CommandRunner.CommandExecution() {
            @Override
            public CommandResult await() {
                byte[] said =
                        "{\"outcome\":\"applied\",\"summary\":\"It is in force.\"}"
                                .getBytes(StandardCharsets.UTF_8);
                return new CommandResult(0, said, "", false);
            }

            @Override
            public void stop() {}
        };
    }

    private static String hidden(FakeExchange page, String name) {
        Matcher found =
                Pattern.compile("name=\"" + name + "\" value=\"([^\"]*)\"").matcher(page.body());
        assertTrue(found.find(), name + " in " + page.body());
        return found.group(1);
    }

    private FakeExchange opened(String name) {
        return console.served(FakeExchange.get(EDIT).field("file", name));
    }

    private FakeExchange send(String command, FakeExchange from, String name, String... more) {
        List<String> fields =
                new ArrayList<>(
                        List.of(
                                "file",
                                name,
                                "text",
                                "mine",
                                "opened",
                                hidden(from, "opened"),
                                "base",
                                hidden(from, "base"),
                                "key",
                                hidden(from, "key")));
        fields.addAll(List.of(more));
        asked.clear();
        return console.post("/console/policies/" + command, fields.toArray(new String[0]));
    }

    @Test
    void whatNoOtherChangedIsCheckedAndApplied() {
        FakeExchange page = opened(FILE);
        assertEquals(200, send("check", page, FILE).status);
        assertEquals(List.of("status", "validate"), asked);
        FakeExchange applied = send("apply", page, FILE);
        assertEquals(200, applied.status);
        assertTrue(applied.body().contains("It is in force."), applied.body());
        assertTrue(
                applied.body().contains("data-sent-key=\"" + hidden(page, "key") + "\""),
                applied.body());
        inForce.put(FILE, "mine");
        assertEquals(200, send("apply", applied, FILE).status, "the next edit begins with it");
    }

    @Test
    void aFileThatWasChangedMeanwhileIsLeftAloneAndTheTextKept() {
        FakeExchange page = opened(FILE);
        inForce.put(FILE, "theirs");
        for (String command : List.of("check", "plan", "apply")) {
            FakeExchange refused = send(command, page, FILE);
            assertEquals(422, refused.status, command);
            assertEquals(List.of("status"), asked, command);
            assertTrue(refused.body().contains("was changed since you opened it"), refused.body());
            assertTrue(refused.body().contains(">mine</textarea>"), refused.body());
        }
        FakeExchange again = send("apply", send("check", page, FILE), FILE);
        assertEquals(422, again.status, "a second try alone changes nothing");
        String seen = hidden(again, "seen");
        FakeExchange applied = send("apply", page, FILE, "seen", seen);
        assertEquals(200, applied.status);
        inForce.put(FILE, "theirs again");
        assertEquals(422, send("apply", page, FILE, "seen", seen).status);
    }

    @Test
    void whatWasSeenStaysSeenOverACheck() {
        FakeExchange page = opened(FILE);
        inForce.put(FILE, "theirs");
        String seen = hidden(send("check", page, FILE), "seen");
        FakeExchange checked = send("check", page, FILE, "seen", seen);
        assertEquals(200, checked.status);
        assertEquals(seen, hidden(checked, "seen"));
    }

    @Test
    void aNewFileTakesTheNameOfNoOther() {
        FakeExchange page = opened("");
        FakeExchange refused = send("apply", page, FILE);
        assertEquals(422, refused.status);
        assertTrue(refused.body().contains("is in force already"), refused.body());
        assertEquals(200, send("apply", page, "other.cedar").status);
        FakeExchange renamed = send("apply", opened(FILE), "third.cedar");
        assertEquals(200, renamed.status, "under another name it is a new file");
    }

    @Test
    void aFileThatWasTakenOutMeanwhileDoesNotComeBackUnseen() {
        FakeExchange page = opened(FILE);
        inForce.remove(FILE);
        FakeExchange refused = send("apply", page, FILE);
        assertEquals(422, refused.status);
        assertTrue(refused.body().contains("was taken out"), refused.body());
        assertEquals(200, send("apply", page, FILE, "seen", hidden(refused, "seen")).status);
    }

    @Test
    void aFormWithoutABasisUndoesNothing() {
        FakeExchange refused =
                console.post("/console/policies/apply", "file", FILE, "text", "mine");
        assertEquals(422, refused.status);
        assertFalse(asked.contains("apply"), asked.toString());
    }
}
