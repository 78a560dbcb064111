package palyra.console.internal.panel.shipped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
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
import palyra.console.internal.Seams;
import palyra.console.internal.command.Commands;
import palyra.console.internal.fakes.FakeAccounts;
import palyra.console.internal.fakes.FakeExchange;
import palyra.console.internal.panel.PanelPages;
import palyra.console.internal.panel.Panels;
import palyra.console.internal.session.ConsoleSettings;
import palyra.console.internal.session.Origins;
import palyra.console.internal.session.Sessions;
import palyra.console.internal.web.Assets;
import palyra.console.internal.web.ConsoleServlet;
import palyra.console.internal.web.Pages;
import palyra.console.internal.web.Router;
import palyra.shared.gate.Gate;
import palyra.testing.access.FakeAccess;

/** What a person sees beside Allow, when a model chose the letters. */
class ApprovalsPanelTest {
    private static final String ADDRESS = "/console/panel/approvals/01J0000000000000000000000A";

    private final FakeAccounts accounts = new FakeAccounts();
    private String said = "";
    private ConsoleServlet servlet;

    @BeforeEach
    void open() {
        Seams seams = Seams.empty();
        seams.access()
                .add(
                        new FakeAccess(FakeAccess.Use.values())
                                .knows("palyra_x", FakeAccess.user("user:op", "operator"))
                                .allowing(request -> true),
                        Map.of());
        seams.accounts().add(accounts, Map.of());
        ConsoleSettings settings =
                ConsoleSettings.of(30, 12, true, new String[] {}, new String[] {});
        Origins origins = new Origins(() -> settings);
        Gate<CommandRunner> shell = new Gate<>("The shell", ErrorCode.GATEWAY_UNAVAILABLE, 1_000);
        shell.add(this::start, Map.of());
        Panels panels = new Panels();
        panels.addOwn(new ApprovalsPanel(new Commands(shell)));
        Router router = new Router();
        new PanelPages(seams, panels).routes(router);
        Assets assets = new Assets();
        servlet =
                new ConsoleServlet(
                        router,
                        new Sessions(seams.accounts(), origins),
                        origins,
                        () -> true,
                        new Pages((viewer, path) -> List.of(), assets, "1"),
                        assets);
    }

    private CommandRunner.CommandExecution start(
            Principal caller, List<String> argv, byte[] input, CommandRunner.Limits limits) {
        return new CommandRunner.CommandExecution() {
            @Override
            public CommandResult await() {
                return new CommandResult(0, said.getBytes(StandardCharsets.UTF_8), "", false);
            }

            @Override
            public void stop() {}
        };
    }

    private String page(String file, String state) throws Exception {
        said =
                """
                {"state":"%2$s","requestSummary":"run rm %1$s",
                 "origin":{"runId":"01J0000000000000000000000R"},
                 "prompt":{"summary":"first %1$s\\nsecond %1$s","%1$s":"x"},
                 "details":{"call":{"executable":"/bin/rm","argv":["rm","%1$s"],
                                    "notice %1$s":{"a":"%1$s"}}}}
                """
                        .formatted(file, state);
        String session =
                accounts.begin(new SignInClient("127.0.0.1", "", "http://localhost:7142", ""))
                        .secret();
        FakeExchange page = FakeExchange.get(ADDRESS).cookie("__Host-palyra", session);
        servlet.service((jakarta.servlet.ServletRequest) page.request(), page.response());
        assertEquals(200, page.status, page.body());
        return page.body();
    }

    @Test
    void lettersThatTurnOrHideTextAreVisibleWhereverThePageShowsThem() throws Exception {
        String page = page("a\u202egpj.sh\u200b", "PENDING");
        assertFalse(page.contains("\u202e") || page.contains("\u200b"), page);
        assertTrue(page.contains("<title>run rm a[U+202E]gpj.sh[U+200B]"), page);
        assertTrue(page.contains("<h1>run rm a[U+202E]gpj.sh[U+200B]</h1>"), page);
        assertTrue(page.contains("first a[U+202E]gpj.sh"), page);
        Matcher warning = Pattern.compile("the command has U[+]200B U[+]202E").matcher(page);
        assertTrue(warning.find(), page);
        assertTrue(warning.start() < page.indexOf("<h2>Your answer</h2>"), page);
    }

    @Test
    void whatIsAskedComesBeforeTheAnswerAndLeadsToItsRun() throws Exception {
        String page = page("plain.sh", "PENDING");
        int asked = page.indexOf("<h2>What is asked</h2>");
        int answer = page.indexOf("<h2>Your answer</h2>");
        assertTrue(asked >= 0 && asked < page.indexOf("first plain.sh"), page);
        assertTrue(page.indexOf("first plain.sh") < answer, page);
        assertTrue(page.contains("href=\"/console/runs/01J0000000000000000000000R\""), page);
        assertTrue(page.indexOf("All that is recorded of it") > answer, page);
        assertFalse(page("plain.sh", "GRANTED").contains("Your answer"));
    }

    @Test
    void plainCommandsAndAnsweredRequestsHaveNoWarning() throws Exception {
        assertFalse(page("plain.sh", "PENDING").contains("Look closely"));
        assertFalse(page("\u0430", "GRANTED").contains("Look closely"));
        assertTrue(page("\u0430", "PENDING").contains("the command has U+0430"));
    }
}
