package palyra.console.internal.panel;

import java.util.ArrayList;
import java.util.List;
import palyra.api.console.Block;
import palyra.api.console.Level;

/** What one page shows at most, as {@link palyra.api.console.PanelPage} promises. */
final class PageBounds {
    static final int MOST_BLOCKS = 200;
    static final int MOST_CHARACTERS = 2 << 20;

    private PageBounds() {}

    /** Returns the blocks that fit, and a sentence in the place of the others. */
    static List<Block> within(List<Block> blocks) {
        List<Block> shown = new ArrayList<>();
        long characters = 0;
        for (Block block : blocks) {
            characters += block.toString().length(); // of a record: all that it holds
            if (shown.size() == MOST_BLOCKS || characters > MOST_CHARACTERS) {
                shown.add(
                        new Block.Notice(
                                Level.WARNING,
                                "The page is longer than what is shown: at most "
                                        + MOST_BLOCKS
                                        + " parts and 2 MiB of text.",
                                "The command of the same name shows all of it."));
                break;
            }
            shown.add(block);
        }
        return shown;
    }
}
