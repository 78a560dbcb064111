package palyra.api.console;

import java.util.List;
import palyra.api.Require;

/**
 * A page of a panel.
 *
 * @param title heading of the page, at most 200 characters
 * @param summary one sentence below the heading; may be empty
 * @param blocks what the page shows, in order; at most 200, and 2 MiB of text in all, beyond which
 *     the console cuts the page off and says so
 * @param topics words of which a change makes the console load the page again while it is open and
 *     nothing is typed in it: {@code run} and {@code session} (a run of the reader went on, or is
 *     new), {@code approval} (a request came or was decided), {@code journal} (an event was
 *     recorded; for operators), {@code channel} (an answer waits for its connector; for operators),
 *     {@code time} (15 seconds passed, while the tab is shown); empty for none
 */
public record PanelPage(String title, String summary, List<Block> blocks, List<String> topics) {
    /** Checks and copies. */
    public PanelPage {
        Require.text(title, "title of the page");
        summary = Require.orEmpty(summary);
        blocks = List.copyOf(blocks);
        topics = List.copyOf(topics);
    }

    /** Returns a page that no topic loads again. */
    public static PanelPage of(String title, String summary, List<Block> blocks) {
        return new PanelPage(title, summary, blocks, List.of());
    }
}
