package palyra.console.internal.panel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.console.Block;
import palyra.api.console.ConsolePanel;
import palyra.api.console.Level;
import palyra.api.console.PanelPage;
import palyra.api.console.PanelRequest;
import palyra.api.console.PanelResult;
import palyra.api.console.PanelSpec;
import palyra.api.console.PanelSubmission;
import palyra.console.internal.fakes.FakeExchange;
import palyra.console.internal.fakes.TestConsole;

/** What a panel that loads itself again keeps: its view, what was done, and what was entered. */
class PanelReloadTest {
    private static final String ADDRESS = "/console/panel/live";

    private final TestConsole console =
            new TestConsole(
                    (seams, router) -> {
                        Panels panels = new Panels();
                        panels.addOwn(new Live());
                        new PanelPages(seams, panels).routes(router);
                    });

    /** Takes the word good and refuses others. */
    private static final class Live implements ConsolePanel {
        @Override
        public PanelSpec spec() {
            return new PanelSpec("live", "Live", PanelSpec.Section.SYSTEM, 1, "run.list");
        }

        @Override
        public PanelPage show(PanelRequest request) {
            Block.Field word = Block.Field.line("word", "Word");
            Block.Field secret =
                    new Block.Field(
                            "value", "Value", Block.FieldKind.SECRET, "", List.of(), "", false);
            return new PanelPage(
                    "Live",
                    "",
                    List.of(
                            new Block.Form(
                                    "say",
                                    "Say",
                                    "run.start",
                                    "",
                                    "",
                                    false,
                                    List.of(word, secret))),
                    List.of("run", "time"));
        }

        @Override
        public PanelResult submit(PanelSubmission given) {
            if (!given.field("word").equals("good")) {
                throw new PalyraException(ErrorCode.INVALID_ARGUMENT, "Say another word.");
            }
            return new PanelResult(Level.GOOD, "It was said.", "");
        }
    }

    @Test
    void itIsLoadedAgainWithWhatItsAddressAsksFor() {
        FakeExchange page = FakeExchange.get(ADDRESS);
        page.query = "window=day&x=%22";
        String body = console.served(page).body();
        assertTrue(body.contains("data-reload-on=\"run time\""), body);
        assertTrue(body.contains("hx-get=\"/console/panel/live?window=day&amp;x=%22\""), body);
    }

    @Test
    void whatAFormDidIsSaidUntilThePageIsLeft() {
        FakeExchange done = console.post(ADDRESS, "form", "say", "word", "good");
        assertEquals(303, done.status, done.body());
        String notice = done.answered.get("Location").replaceFirst(".*notice=", "");
        assertFalse(loaded(notice, true).contains("It was said."), "it is the page's to begin");
        assertTrue(loaded(notice, false).contains("It was said."));
        assertTrue(loaded(notice, true).contains("It was said."), "its content again");
        assertTrue(loaded(notice, true).contains("It was said."));
        assertFalse(loaded(notice, false).contains("It was said."), "another page");
    }

    private String loaded(String notice, boolean part) {
        FakeExchange page = FakeExchange.get(ADDRESS).field("notice", notice);
        page.query = "notice=" + notice;
        return console.served(part ? page.header("HX-Request", "true") : page).body();
    }

    @Test
    void aRefusedFormIsNotLoadedOver() {
        FakeExchange refused = console.post(ADDRESS, "form", "say", "word", "typed");
        assertEquals(422, refused.status);
        assertTrue(refused.body().contains("value=\"typed\""), refused.body());
        assertTrue(refused.body().contains("data-reload-on=\"\""), refused.body());
    }

    @Test
    void aFormNamesItsSecretsForAPageThatRepeatsIt() {
        FakeExchange page = console.get(ADDRESS);
        assertTrue(page.body().contains("name=\"not_kept\" value=\"value\""), page.body());
        console.accounts.sessions.clear();
        FakeExchange ended =
                console.served(
                        FakeExchange.post(ADDRESS)
                                .field("not_kept", "value")
                                .field("word", "kept")
                                .field("value", "hidden"));
        assertTrue(ended.body().contains("kept"), ended.body());
        assertFalse(ended.body().contains("hidden\""), ended.body());
    }
}
