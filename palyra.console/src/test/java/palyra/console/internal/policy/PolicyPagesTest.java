package palyra.console.internal.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.access.Principal;
import palyra.api.core.access.SignInClient;
import palyra.api.core.command.CommandResult;
import palyra.api.core.command.CommandRunner;
import palyra.api.core.policy.Policies;
import palyra.console.internal.Seams;
import palyra.console.internal.command.Commands;
import palyra.console.internal.fakes.FakeAccounts;
import palyra.console.internal.fakes.FakeExchange;
import palyra.console.internal.session.ConsoleSettings;
import palyra.console.internal.session.Origins;
import palyra.console.internal.session.Sessions;
import palyra.console.internal.web.Assets;
import palyra.console.internal.web.ConsoleServlet;
import palyra.console.internal.web.Pages;
import palyra.console.internal.web.Router;
import palyra.shared.gate.Gate;

/** The folder's way into force, also when the set lacks prohibitions of the one that is. */
class PolicyPagesTest {
    private static final String DIGEST = "ab".repeat(32);

    private final FakeAccounts accounts = new FakeAccounts();
    private final List<String> asked = new ArrayList<>();
    private ConsoleServlet servlet;
    private String session;

    @BeforeEach
    void open() {
        Seams seams = Seams.empty();
        seams.accounts().add(accounts, Map.of());
        ConsoleSettings settings =
                ConsoleSettings.of(30, 12, true, new String[] {}, new String[] {});
        Origins origins = new Origins(() -> settings);
        Gate<CommandRunner> shell = new Gate<>("The shell", ErrorCode.GATEWAY_UNAVAILABLE, 1_000);
        shell.add(this::start, Map.of());
        Gate<Policies> policies = new Gate<>("The policies", ErrorCode.POLICY_UNAVAILABLE, 1_000);
        policies.add(withoutFiles(), Map.of());
        Router router = new Router();
        new PolicyPages(new Commands(shell), policies).routes(router);
        Assets assets = new Assets();
        servlet =
                new ConsoleServlet(
                        router,
                        new Sessions(seams.accounts(), origins),
                        origins,
                        () -> true,
                        new Pages((viewer, path) -> List.of(), assets, "1"),
                        assets);
        session =
                accounts.begin(new SignInClient("127.0.0.1", "", "http://localhost:7142", ""))
                        .secret();
    }

    private static Policies withoutFiles() {
        return (Policies)
                Proxy.newProxyInstance(
                        Policies.class.getClassLoader(),
                        new Class<?>[] {Policies.class},
                        (proxy, called, arguments) ->
                                switch (called.getName()) {
                                    case "texts" -> List.of();
                                    case "hashCode" -> System.identityHashCode(proxy);
                                    case "equals" -> proxy == arguments[0];
                                    case "toString" -> "policies";
                                    default -> throw new AssertionError(called.getName());
                                });
    }

    private CommandRunner.CommandExecution start(
            Principal caller, List<String> argv, byte[] input, CommandRunner.Limits limits) {
        String line = String.join(" ", argv);
        asked.add(line);
        String said =
                switch (line) {
                    case "policy reload --json" ->
                            "{\"outcome\":\"needs_confirmation\",\"sha256\":\""
                                    + DIGEST
                                    + "\",\"summary\":\"It lacks 1.\",\"lost\":[\"no-rm\"]}";
                    case "policy list --json", "policy history --json" -> "[]";
                    default -> "{\"outcome\":\"applied\"}";
                };
        return new CommandRunner.CommandExecution() {
            @Override
            public CommandResult await() {
                return new CommandResult(0, said.getBytes(StandardCharsets.UTF_8), "", false);
            }

            @Override
            public void stop() {}
        };
    }

    private FakeExchange served(FakeExchange exchange) throws Exception {
        exchange.cookie("__Host-palyra", session);
        servlet.service((jakarta.servlet.ServletRequest) exchange.request(), exchange.response());
        return exchange;
    }

    private FakeExchange reload() throws Exception {
        FakeExchange page = served(FakeExchange.get("/console/policies"));
        Matcher csrf = Pattern.compile("palyra-csrf\" content=\"([^\"]+)").matcher(page.body());
        assertTrue(csrf.find(), page.body());
        return FakeExchange.post("/console/policies/reload").field("csrf", csrf.group(1));
    }

    @Test
    void whatAReloadWouldLoseIsShownAndConfirmedByItsDigest() throws Exception {
        assertFalse(served(FakeExchange.get("/console/policies")).body().contains("would be lost"));
        FakeExchange shown = served(reload());
        assertEquals(422, shown.status);
        assertTrue(shown.body().contains("would be lost: <code>no-rm</code>"), shown.body());
        Matcher box =
                Pattern.compile("type=\"checkbox\" name=\"confirm\" value=\"([0-9a-f]+)\"")
                        .matcher(shown.body());
        assertTrue(box.find(), shown.body());
        assertEquals(303, served(reload().field("confirm", box.group(1))).status);
        assertEquals("policy reload --json --confirm=" + DIGEST, asked.getLast());
    }
}
